// Counts every allocation of this program: replaces operator new and delete.
#include <tailor/cpu.hpp>
#include <tailor/nn/transformer.hpp>

#include "support/catch.hpp"
#include "support/model_cases.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations{0};

// Not inlined, nor what calls it: g++ 12 warns of a mismatched pair where it sees one half alone.
void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  if (void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) {
    return p;
  }
  throw std::bad_alloc();
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(size == 0 ? 1 : size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size == 0 ? 1 : size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

using namespace tailor;

TEST_CASE("loss_and_gradients allocates nothing for any kind of model") {
  cpu::Device dev{{.threads = 2}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<float, cpu::Device> run(dev, plan);
    run.differentiate();
    long const before = allocations;
    run.differentiate();
    CHECK(allocations == before);
  }
}

TEST_CASE("the counter of allocations counts") {
  long const before = allocations;
  cpu::Buffer<float> const buffer(3);
  CHECK(allocations == before + 1);
}
