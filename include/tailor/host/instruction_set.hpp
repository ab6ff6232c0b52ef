#pragma once
// Which vector instructions this machine has, asked once and chosen at run time.

namespace tailor::host {

/// Each includes the ones before it. `baseline` is what the compiler may use without flags: SSE2 on
/// x86-64, NEON on 64-bit Arm.
enum class InstructionSet { baseline, avx2, avx512 };

constexpr char const* name(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512"
         : set == InstructionSet::avx2 ? "avx2"
                                       : "baseline";
}

/// The widest set that this machine and its operating system run.
inline InstructionSet best_instruction_set() {
#if defined(__x86_64__)
  bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool const avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (avx2 && avx512) return InstructionSet::avx512;
  if (avx2) return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

}  // namespace tailor::host
