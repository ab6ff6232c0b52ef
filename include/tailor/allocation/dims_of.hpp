#pragma once
// The way back from a plan to the sizes of a type, where there is one.

#include <tailor/arch/dims.hpp>     // Dims
#include <tailor/arch/plan.hpp>     // Plan
#include <tailor/arch/plan_of.hpp>  // plan_of

#include <optional>
#include <vector>

namespace tailor {

/// The Dims whose plan, with these widths, is `plan`; nothing where layers differ in more than
/// their widths, or the plan has something that Dims cannot say (soft caps, windows, rope scaling).
/// @post   the plan of the Dims found is the plan
inline std::optional<Dims> dims_of(Plan const& plan) {
  if (plan.layers.empty()) return std::nullopt;
  LayerPlan const& layer = plan.layers.front();
  Dims const dims{.d_model = plan.d_model,
                  .layers = static_cast<int>(plan.layers.size()),
                  .heads = layer.heads,
                  .kv_heads = layer.kv_heads,
                  .head_dim = layer.head_dim,
                  .vocab = plan.vocab,
                  .context = plan.context,
                  .activation = plan.activation,
                  .norms = layer.norms,
                  .qk_norm = layer.qk_norm,
                  .layer_norm_scaling = plan.layer_norm_scaling,
                  .tied = plan.tied,
                  .rope_base = layer.rope_base,
                  .norm_eps = plan.norm_eps};
  std::vector<std::vector<int>> widths;
  for (auto const& each : plan.layers) widths.push_back(each.widths);
  if (plan_of(dims, widths) != plan) return std::nullopt;
  return dims;
}

}  // namespace tailor
