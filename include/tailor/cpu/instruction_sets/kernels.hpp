#pragma once
// The same kernels for every instruction set: kernels.inl compiled three times, each in a namespace
// and a target region of its own, so that plain -O2 without -march runs at full speed.

#include <tailor/device/exponential.hpp>           // tailor::exponential
#include <tailor/device/operations/attention.hpp>  // tailor::AttentionForward, visible_keys

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace tailor::cpu {

/// Packed operands of one cache block of a product and where its result goes: a in panels of
/// tile_rows rows, b in panels of tile_cols columns, each panel [depth][rows or cols].
template <class T>
struct Block {
  T const* a;
  T const* b;
  T* c;
  std::int64_t stride;
  std::int64_t depth;
  int rows, cols;
  T alpha, beta;
};

/// c = alpha a b, or c += alpha a b where `add`, with a read in place, element (i, k) at
/// a[i * a_row + k * a_col]. Rows of b may be read up to the next whole vector.
template <class T>
struct Unpacked {
  T const* a;
  std::int64_t a_row, a_col;
  T const* b;
  std::int64_t b_stride;
  T* c;
  std::int64_t c_stride;
  int rows, cols, depth;
  T alpha = 1;
  bool add = false;
};

/// Keys whose scores attention holds at once.
inline constexpr int key_chunk = 128;

}  // namespace tailor::cpu

// g++ 12 vectorises at -O3 only; clang does at -O2 and does not know the attribute. Under a
// sanitizer speed does not count and -O3 of instrumented code takes long to compile.
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAILOR_RUNNER __attribute__((flatten, noinline))
#else
#define TAILOR_RUNNER __attribute__((flatten, noinline, optimize("O3")))
#endif

namespace tailor::cpu::baseline {
inline constexpr int vector_bytes = 16;
inline constexpr int tile_rows = 6;
inline constexpr int strip_rows = 4;
#include <tailor/cpu/instruction_sets/kernels.inl>  // multiply_block, run_rows, run_elements, run_sum
//
#include <tailor/cpu/instruction_sets/packing.inl>  // pack
//
#include <tailor/cpu/instruction_sets/attention.inl>  // attend, attend_backward
}  // namespace tailor::cpu::baseline

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace tailor::cpu::avx2 {
inline constexpr int vector_bytes = 32;
inline constexpr int tile_rows = 6;
inline constexpr int strip_rows = 4;
#include <tailor/cpu/instruction_sets/kernels.inl>  // multiply_block, run_rows, run_elements, run_sum
//
#include <tailor/cpu/instruction_sets/packing.inl>  // pack
//
#include <tailor/cpu/instruction_sets/attention.inl>  // attend, attend_backward
}  // namespace tailor::cpu::avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))), \
                             apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,fma,prefer-vector-width=512")
#endif
namespace tailor::cpu::avx512 {
inline constexpr int vector_bytes = 64;
inline constexpr int tile_rows = 14;
inline constexpr int strip_rows = 8;
#include <tailor/cpu/instruction_sets/kernels.inl>  // multiply_block, run_rows, run_elements, run_sum
//
#include <tailor/cpu/instruction_sets/packing.inl>  // pack
//
#include <tailor/cpu/instruction_sets/attention.inl>  // attend, attend_backward
}  // namespace tailor::cpu::avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif  // __x86_64__

#undef TAILOR_RUNNER
