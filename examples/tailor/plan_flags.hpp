#pragma once
// Flags that describe a model: a plan file, or sizes.

#include <CLI/CLI.hpp>
#include <string>

#include <tailor/arch/dims.hpp>  // tailor::Dims
#include <tailor/arch/plan.hpp>  // tailor::Plan

namespace tailor_program {

/// A plan from `--plan FILE`, or a uniform one from sizes. `vocab` comes from the text.
struct PlanFlags {
  std::string file;
  tailor::Dims dims{.d_model = 32, .layers = 8, .heads = 2, .context = 128};
  int width = 96;
  bool untied = false;
  std::string activation = "swiglu", norms = "pre", qk_norm = "none", layer_norm_scaling = "none";

  void add_to(CLI::App& command);

  /// Tokens the model sees at once, before there is a text.
  int context() const;

  /// Throws std::invalid_argument that names the flag, file or field.
  tailor::Plan plan(int vocab) const;
};

}  // namespace tailor_program
