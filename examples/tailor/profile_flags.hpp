#pragma once
// Flags of how a profile is taken and how it becomes widths.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include <tailor/study/allocate_profile.hpp>  // tailor::AllocationOptions

#include "engine.hpp"

namespace tailor_program {

struct ProfileFlags {
  ProfileOptions profile;

  void add_to(CLI::App& command);

  /// Throws std::invalid_argument that names the flag.
  ProfileOptions options() const;
};

struct AllocationFlags {
  tailor::AllocationOptions allocation;
  std::string exponents = "per-layer";
  std::optional<double> smoothing;
  std::optional<int> grain;

  void add_to(CLI::App& command);

  /// Throws std::invalid_argument that names the flag.
  tailor::AllocationOptions options() const;
};

}  // namespace tailor_program
