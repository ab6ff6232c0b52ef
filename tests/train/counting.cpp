// malloc and its relatives, counted: they replace those of the C library in this program.

#include <support/catch.hpp>
#include <train/counting.hpp>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {
std::atomic<std::int64_t> count{0};
}

std::int64_t counting::allocations() {
  return count;
}

#if TAILOR_COUNTS_ALLOCATIONS

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t items, std::size_t size) {
  ++count;
  return __libc_calloc(items, size);
}
void* realloc(void* memory, std::size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++count;
  *memory = __libc_memalign(alignment, size);
  return *memory || size == 0 ? 0 : ENOMEM;
}
}

#endif

TEST_CASE("the counting allocator counts", "[train]") {
  auto const before = counting::allocations();
  auto* const volatile memory = new int(3);
  delete memory;
  CHECK((counting::allocations() > before || !counting::possible));
}
