#pragma once
// The architecture as a run-time value: what `plan_of<Architecture>()` yields, what the search and
// imported checkpoints yield, and what every kernel and count reads.

#include <tailor/arch/dims.hpp>  // tailor::Activation, tailor::NormPlacement, tailor::QkNorm

#include <vector>

namespace tailor {

/// How rotary frequencies are stretched for contexts longer than the trained one.
struct RopeScaling {
  enum class Kind { none, linear, llama3 };
  Kind kind = Kind::none;
  double factor = 1;
  double low_frequency_factor = 1;
  double high_frequency_factor = 4;
  int original_context = 0;

  constexpr bool operator==(RopeScaling const&) const = default;
};

/// One layer: an attention branch (none where `heads` is 0), then one residual sub-MLP per entry of
/// `widths`. A width is the number of rows of one up-projection; 0, or no entry, means no FFN.
struct LayerPlan {
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int window =
      0;  ///< attention reaches this many tokens back, itself included; 0 = the whole context
  double rope_base = 10000;
  NormPlacement norms = NormPlacement::pre;
  QkNorm qk_norm = QkNorm::none;
  std::vector<int> widths{};

  constexpr int attention_width() const { return heads * head_dim; }
  constexpr int kv_width() const { return kv_heads * head_dim; }
  constexpr bool operator==(LayerPlan const&) const = default;
};

/// A whole Transformer language model, in integers and scalars. Stored in checkpoints.
struct Plan {
  int d_model = 0;
  int vocab = 0;
  int context = 0;
  Activation activation = Activation::swiglu;
  double norm_eps = 1e-5;
  bool unit_offset_gains = false;  ///< norms multiply by (1 + gain), Gemma's convention
  bool tied = true;                ///< the output head is the embedding
  double embedding_scale = 1;      ///< embeddings are multiplied by this on the way in
  double attention_soft_cap = 0;   ///< cap * tanh(score / cap); 0 = off
  double logit_soft_cap = 0;       ///< the same for logits; 0 = off
  RopeScaling rope_scaling{};
  LayerNormScaling layer_norm_scaling = LayerNormScaling::none;
  std::vector<LayerPlan> layers{};

  constexpr bool operator==(Plan const&) const = default;
};

}  // namespace tailor
