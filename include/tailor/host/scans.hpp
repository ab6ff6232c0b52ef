#pragma once
// Scans of one row of numbers: the inner loops of problems that are solved row by row on the host,
// on the widest vectors of this machine. Nothing is multiplied and ties go to the first place, so
// that every instruction set gives the same bits.

#include <tailor/host/instruction_set.hpp>  // tailor::host::best_instruction_set

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tailor::host {

/// The least of some numbers, and where it is.
struct Least {
  double value;
  int place;
};

/// The two least of some numbers.
struct LeastTwo {
  Least first;
  double second;
};

/// One step of shortest paths, from a row of costs.
struct Step {
  double const* cost;
  double const* price;
  double offset;
  std::int64_t row;
};

}  // namespace tailor::host

// scans.inl is compiled once per instruction set, as the kernels of the CPU device are.
namespace tailor::host::baseline {
inline constexpr int vector_bytes = 16;
#include <tailor/host/scans.inl>  // least_of, least_two_of, shorten
}  // namespace tailor::host::baseline

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace tailor::host::avx2 {
inline constexpr int vector_bytes = 32;
#include <tailor/host/scans.inl>  // least_of, least_two_of, shorten
}  // namespace tailor::host::avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,prefer-vector-width=512")
#endif
namespace tailor::host::avx512 {
inline constexpr int vector_bytes = 64;
#include <tailor/host/scans.inl>  // least_of, least_two_of, shorten
}  // namespace tailor::host::avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif  // __x86_64__

namespace tailor::host {

/// The scans for one instruction set.
struct Scans {
  /// The least of x[0, n), the first of several; infinity where there are none.
  Least (*least_of)(double const* x, int n);

  /// The two least of x[j] - y[j] for j in [0, n), the first of several.
  LeastTwo (*least_two_of)(double const* x, double const* y, int n);

  /// Where step.cost[j] - step.price[j] + step.offset is less than distance[j], it becomes that, and
  /// from[j] becomes step.row. Returns the least distance, the first of several.
  Least (*shorten)(Step const& step, double* distance, std::int64_t* from, int n);
};

/// Cost:   one pass over what is read.
/// Domain: no NaN; nothing need be aligned.
/// @post   scans give the least numbers and the first place, on every instruction set
/// @post   scans shorten paths and keep where they came from, on every instruction set
inline Scans scans(InstructionSet set = best_instruction_set()) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) {
    return {avx512::least_of, avx512::least_two_of, avx512::shorten};
  }
  if (set == InstructionSet::avx2) return {avx2::least_of, avx2::least_two_of, avx2::shorten};
#endif
  (void)set;
  return {baseline::least_of, baseline::least_two_of, baseline::shorten};
}

}  // namespace tailor::host
