#pragma once
// CPU devices of every instruction set that this machine has.

#include <tailor/cpu/device.hpp>  // tailor::cpu::Device

#include <vector>

inline std::vector<tailor::host::InstructionSet> instruction_sets() {
  using tailor::host::InstructionSet;
  std::vector<InstructionSet> sets;
  for (auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (set <= tailor::host::best_instruction_set()) sets.push_back(set);
  }
  return sets;
}
