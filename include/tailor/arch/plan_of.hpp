#pragma once
// From sizes and widths to a plan: the same function for types, for the search and for a user's
// flags.

#include <tailor/arch/dims.hpp>  // tailor::Dims
#include <tailor/arch/plan.hpp>  // tailor::Plan, tailor::LayerPlan

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// Key and value heads of Dims, with 0 resolved to `heads`.
constexpr int kv_heads_of(Dims const& dims) {
  return dims.kv_heads == 0 ? dims.heads : dims.kv_heads;
}

/// Head dimension of Dims, with 0 resolved to d_model / heads; 0 where there is no attention.
constexpr int head_dim_of(Dims const& dims) {
  if (dims.heads == 0) return 0;
  return dims.head_dim == 0 ? dims.d_model / dims.heads : dims.head_dim;
}

/// The plan of these sizes with one list of sub-block widths per layer. It is not validated here.
/// Throws std::invalid_argument where the number of lists is not dims.layers.
constexpr Plan plan_of(Dims const& dims, std::vector<std::vector<int>> widths) {
  if (dims.layers < 0 || widths.size() != static_cast<std::size_t>(dims.layers)) {
    throw std::invalid_argument("plan_of: one list of widths per layer: layers is " +
                                std::to_string(dims.layers) + ", got " +
                                std::to_string(widths.size()) + " lists");
  }
  Plan plan{.d_model = dims.d_model,
            .vocab = dims.vocab,
            .context = dims.context,
            .activation = dims.activation,
            .norm_eps = dims.norm_eps,
            .tied = dims.tied,
            .layer_norm_scaling = dims.layer_norm_scaling};
  for (auto& layer_widths : widths) {
    plan.layers.push_back({.heads = dims.heads,
                           .kv_heads = kv_heads_of(dims),
                           .head_dim = head_dim_of(dims),
                           .rope_base = dims.rope_base,
                           .norms = dims.norms,
                           .qk_norm = dims.qk_norm,
                           .widths = std::move(layer_widths)});
  }
  return plan;
}

/// The plan of these sizes with one FFN per layer, each `width` wide.
constexpr Plan uniform_plan(Dims const& dims, int width) {
  if (dims.layers < 0) throw std::invalid_argument("uniform_plan: layers must not be negative");
  return plan_of(dims, std::vector<std::vector<int>>(static_cast<std::size_t>(dims.layers),
                                                     std::vector<int>(1, width)));
}

/// The same plan with one FFN per layer of these widths.
/// Throws std::invalid_argument where the number of widths is not the number of layers.
/// @post   widths_of(with_widths(plan, w)) == w
constexpr Plan with_widths(Plan plan, std::vector<int> const& widths) {
  if (widths.size() != plan.layers.size()) {
    throw std::invalid_argument("with_widths: one width per layer: the plan has " +
                                std::to_string(plan.layers.size()) + " layers, got " +
                                std::to_string(widths.size()) + " widths");
  }
  for (std::size_t l = 0; l < widths.size(); ++l) {
    plan.layers[l].widths.assign(std::size_t{1}, widths[l]);
  }
  return plan;
}

/// FFN width of every layer, summed over its sub-blocks.
constexpr std::vector<int> widths_of(Plan const& plan) {
  std::vector<int> sums;
  for (auto const& layer : plan.layers) {
    int sum = 0;
    for (int width : layer.widths) sum += width;
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace tailor
