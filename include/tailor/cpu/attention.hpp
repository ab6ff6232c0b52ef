#pragma once
// Attention on the CPU: the heads of all sequences side by side, each in the panels of
// instruction_sets/attention.inl.

#include <tailor/cpu/device.hpp>                    // tailor::cpu::Device
#include <tailor/cpu/instruction_sets/kernels.hpp>  // attend, attend_backward
#include <tailor/device/check_shape.hpp>            // tailor::check_rule
#include <tailor/device/operations/attention.hpp>   // tailor::AttentionForward

#include <cstdint>

namespace tailor::cpu {

/// The widest head whose panels fit into a worker's scratch.
inline constexpr int largest_head_dim = 2048;

/// Attention forward, equal to the generic body up to rounding.
/// Cost:   works in the device's scratch and leaves its own alone.
/// Error:  std::invalid_argument where sizes or shapes do not fit or head_dim is over 2048.
/// @post   the same bits for every number of threads
template <class T>
void attention(Device& dev, AttentionForward<T> const& a) {
  check(a);
  check_rule("attention", a.sizes.head_dim <= largest_head_dim, "head_dim must be at most 2048");
  std::int64_t const heads = a.sizes.heads;
  dev.workers().run(a.sizes.sequences * heads, [&](std::int64_t task, int worker) {
    T* const scratch = reinterpret_cast<T*>(dev.scratch(worker));
    int const sequence = int(task / heads), head = int(task % heads);
#if defined(__x86_64__)
    if (dev.instruction_set() == host::InstructionSet::avx512) {
      return avx512::attend<T>(a, sequence, head, scratch);
    }
    if (dev.instruction_set() == host::InstructionSet::avx2) {
      return avx2::attend<T>(a, sequence, head, scratch);
    }
#endif
    baseline::attend<T>(a, sequence, head, scratch);
  });
}

/// Attention backward, equal to the generic body up to rounding.
/// Throws std::invalid_argument where sizes or shapes do not fit or head_dim is over 2048.
/// @post   the same bits for every number of threads
template <class T>
void attention(Device& dev, AttentionBackward<T> const& a) {
  check(a);
  check_rule("attention backward", a.sizes.head_dim <= largest_head_dim,
             "head_dim must be at most 2048");
  std::int64_t const heads = a.sizes.kv_heads;
  dev.workers().run(a.sizes.sequences * heads, [&](std::int64_t task, int worker) {
    T* const scratch = reinterpret_cast<T*>(dev.scratch(worker));
    int const sequence = int(task / heads), head = int(task % heads);
#if defined(__x86_64__)
    if (dev.instruction_set() == host::InstructionSet::avx512) {
      return avx512::attend_backward<T>(a, sequence, head, scratch);
    }
    if (dev.instruction_set() == host::InstructionSet::avx2) {
      return avx2::attend_backward<T>(a, sequence, head, scratch);
    }
#endif
    baseline::attend_backward<T>(a, sequence, head, scratch);
  });
}

}  // namespace tailor::cpu
