#pragma once
// A CPU device that counts what a step must not do, and a count of every allocation of the process
// (counting.cpp).

#include <tailor/cpu.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAILOR_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TAILOR_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef TAILOR_COUNTS_ALLOCATIONS
#define TAILOR_COUNTS_ALLOCATIONS 1
#endif

namespace counting {

/// Whether allocations are counted: sanitizers bring an allocator of their own.
inline constexpr bool possible = TAILOR_COUNTS_ALLOCATIONS;

/// Calls of malloc and its relatives so far, operator new included.
std::int64_t allocations();

struct Device : tailor::cpu::Device {
  Device() : tailor::cpu::Device({.threads = 2}) {}
  int downloads = 0;
  int buffers = 0;
  std::int64_t bytes = 0;
};

template <class T>
tailor::cpu::Buffer<T> buffer(Device& dev, std::int64_t size) {
  ++dev.buffers;
  dev.bytes += size * std::int64_t(sizeof(T));
  return tailor::cpu::Buffer<T>(size);
}

template <class T>
void download(Device& dev, tailor::VectorView<T const> from,
              std::type_identity_t<std::span<T>> to) {
  ++dev.downloads;
  tailor::cpu::download(static_cast<tailor::cpu::Device&>(dev), from, to);
}

}  // namespace counting
