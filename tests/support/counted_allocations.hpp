#pragma once
// Replaces operator new and delete of the program by ones that count: include it in one unit of a
// program only.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

/// Calls of operator new so far, of all threads.
inline std::atomic<long> allocations{0};

// Not inlined, nor what calls it: g++ 12 warns of a mismatched pair where it sees one half alone.
[[gnu::noinline]] inline void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  if (void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) {
    return p;
  }
  throw std::bad_alloc();
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(size == 0 ? 1 : size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size == 0 ? 1 : size, static_cast<std::size_t>(alignment));
}
// AddressSanitizer brings its own, whose memory the delete below could not free.
[[gnu::noinline]] void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
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
