#pragma once
// A plan as the list of its residual sub-blocks in the order in which they run.

#include <tailor/arch/plan.hpp>  // tailor::Plan, tailor::NormPlacement, tailor::LayerNormScaling

#include <cmath>
#include <vector>

namespace tailor {

/// One residual sub-block: the attention of a layer (`index` -1) or one of its sub-MLPs, with the
/// norms around it. `pre_scale` is LayerNorm Scaling.
struct SubBlock {
  int layer = 0;
  int index = -1;
  bool pre_norm = true;
  bool post_norm = false;
  double pre_scale = 1;
  bool first_of_ffn = false;  ///< the first sub-MLP of its layer that is there
  bool last_of_ffn = false;   ///< the last

  bool is_attention() const { return index < 0; }
};

/// The sub-blocks of a plan; those without heads or of width 0 are not there.
/// @post there are sequential_depth(plan) of them
/// Source: LayerNorm Scaling is arXiv 2502.05795.
inline std::vector<SubBlock> sub_blocks_of(Plan const& plan) {
  std::vector<SubBlock> blocks;
  for (int l = 0; l < static_cast<int>(plan.layers.size()); ++l) {
    auto const& layer = plan.layers[static_cast<std::size_t>(l)];
    auto const add = [&](int index) {
      double const running = plan.layer_norm_scaling == LayerNormScaling::by_layer
                                 ? l + 1
                                 : static_cast<double>(blocks.size()) + 1;
      blocks.push_back({.layer = l,
                        .index = index,
                        .pre_norm = layer.norms != NormPlacement::post,
                        .post_norm = layer.norms != NormPlacement::pre,
                        .pre_scale = plan.layer_norm_scaling == LayerNormScaling::none
                                         ? 1
                                         : 1 / std::sqrt(running)});
    };
    if (layer.heads > 0) add(-1);
    bool first = true;
    for (int i = 0; i < static_cast<int>(layer.widths.size()); ++i) {
      if (layer.widths[static_cast<std::size_t>(i)] == 0) continue;
      add(i);
      blocks.back().first_of_ffn = first;
      first = false;
    }
    if (!first) blocks.back().last_of_ffn = true;
  }
  return blocks;
}

}  // namespace tailor
