#pragma once
// The hourglass alternatives of a uniform reference at the same budget.

#include <tailor/allocation/dims_of.hpp>  // dims_of
#include <tailor/arch/budget.hpp>         // parameters
#include <tailor/arch/configuration.hpp>  // Configuration, plan_of
#include <tailor/arch/plan.hpp>           // Plan
#include <tailor/arch/search.hpp>         // search
#include <tailor/arch/validate.hpp>       // validate

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// The reference with each FFN cut into K equal sub-MLPs in sequence: the smallest K for which
/// their width w / K is at most half of d_model. Everything else, and the count of matrices, stays.
/// Throws std::invalid_argument, naming the layer, where K does not divide the width.
/// @post   the hourglass has the parameters of its reference
/// Source: "Revisiting the Shape Convention of Transformer Language Models" (arXiv 2602.06471).
inline Plan hourglass_of(Plan plan) {
  validate(plan);
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    auto& widths = plan.layers[l].widths;
    std::int64_t width = 0;
    for (int each : widths) width += each;
    if (width == 0) continue;
    std::int64_t const k = (2 * width + plan.d_model - 1) / plan.d_model;
    if (width % k != 0)
      throw std::invalid_argument("hourglass: the width " + std::to_string(width) + " of layer " +
                                  std::to_string(l) + " is not divisible by " + std::to_string(k) +
                                  ", the smallest number of sub-blocks with at most " +
                                  "half of d_model " + std::to_string(plan.d_model) +
                                  " each; the nearest widths are " + std::to_string(width / k * k) +
                                  " and " + std::to_string((width / k + 1) * k));
    widths.assign(static_cast<std::size_t>(k), static_cast<int>(width / k));
  }
  validate(plan);
  return plan;
}

/// How the matched-budget search is bounded around a reference; the paper's own bounds for its best
/// configuration (attention 66M, FFN 47M) are unknown. The lowest share is that of two sub-blocks
/// of 0.4 beside attention as wide as the model.
struct ReallocationOptions {
  IntRange sub_blocks{2, 8};
  double lowest_ratio = 0.4, highest_ratio = 0.6;            ///< width of a sub-block over d_model
  double lowest_ffn_share = 0.375, highest_ffn_share = 0.5;  ///< Count::ffn over Count::matrices
  double tolerance = 0.01;  ///< tried where nothing matches exactly
};

/// The best hourglass of the reference's Count::matrices that moves parameters from the FFNs to
/// attention: two sub-blocks or more, each 0.4 to 0.6 of d_model wide, and at most half of the
/// parameters in FFNs. Depth and d_model are sought from half to twice the reference's; the good
/// range of d_model / layers is 100/64 to 250/64 of the reference's, which is the paper's 100 to
/// 250 for its reference of 113M. The number of heads is free; their size and grouping are the
/// reference's. Throws std::invalid_argument where layers differ in more than their widths, there
/// is no attention, or no configuration comes within the tolerance.
/// @post   the reallocated hourglass matches the budget and gives attention at least half
inline Plan reallocated_hourglass(Plan const& reference, ReallocationOptions const& options = {}) {
  validate(reference);
  auto const dims = dims_of(reference);
  if (!dims || dims->heads == 0)
    throw std::invalid_argument(
        "hourglass-reallocated: expected a reference with attention whose layers differ in their "
        "widths only");
  int const group = dims->heads / dims->kv_heads, step = dims->d_model >= 256 ? 16 : 8;
  IntRange const d_model{std::max(1, dims->d_model / 2 / step) * step, 2 * dims->d_model, step};
  int const most_groups = std::max(1, 2 * d_model.high / dims->head_dim / group);
  IntRange const kv_heads = group == 1 ? IntRange{0, 0} : IntRange{1, most_groups};
  SearchSpace const space{.sub_blocks = options.sub_blocks,
                          .layers = {(dims->layers + 1) / 2, 2 * dims->layers},
                          .d_model = d_model,
                          .heads = {group, group * most_groups, group},
                          .kv_heads = kv_heads,
                          .head_dim = {dims->head_dim, dims->head_dim},
                          .lowest_ratio = options.lowest_ratio,
                          .highest_ratio = options.highest_ratio,
                          .lowest_ffn_share = options.lowest_ffn_share,
                          .highest_ffn_share = options.highest_ffn_share,
                          .activation = reference.activation};
  double const aspect = static_cast<double>(dims->d_model) / dims->layers / 64;
  for (double const tolerance : {0.0, options.tolerance}) {
    auto const found = search(space, parameters(reference),
                              {.tolerance = tolerance,
                               .limit = 100'000,
                               .lowest_aspect = 100 * aspect,
                               .highest_aspect = 250 * aspect});
    for (auto const& [configuration, total, attention] : found.best)
      if (configuration.heads == group * configuration.kv_heads)
        return plan_of(configuration, *dims);
  }
  throw std::invalid_argument("hourglass-reallocated: no configuration within the bounds has " +
                              std::to_string(parameters(reference)) +
                              " parameters (Count::matrices) within " +
                              detail::text_of(100 * options.tolerance) + " %");
}

}  // namespace tailor
