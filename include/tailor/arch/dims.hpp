#pragma once
// The sizes and switches of a Transformer that are fixed at compile time, as one scalar-only
// aggregate that can be a template argument.

namespace tailor {

/// The non-linearity of a feed-forward sub-block. The gated ones have three matrices, the plain
/// ones two; `swiglu` is silu(gate) * up, `geglu` is gelu_tanh(gate) * up, `relu2` is max(0, up)^2.
enum class Activation { swiglu, geglu, gelu, relu2 };

/// Where a block normalises: before its branch (Llama), after it (OLMo-2), or both (Gemma).
enum class NormPlacement { pre, post, both };

/// RMSNorm of queries and keys: none, over the whole projected vector (OLMo-2), or per head (Gemma
/// 3).
enum class QkNorm { none, whole, per_head };

/// LayerNorm Scaling (arXiv 2502.05795): the output of each pre-norm times 1/sqrt(index), where the
/// index counts layers, or counts residual sub-blocks as they run (attention and every sub-MLP).
enum class LayerNormScaling { none, by_layer, by_sub_block };

/// Matrices of one feed-forward sub-block.
/// @post matrices_of(swiglu) == matrices_of(geglu) == 3 and matrices_of(gelu) == matrices_of(relu2)
/// == 2
constexpr int matrices_of(Activation activation) {
  return activation == Activation::swiglu || activation == Activation::geglu ? 3 : 2;
}

/// Sizes of a Transformer. `kv_heads` 0 means `heads`; `head_dim` 0 means d_model / heads.
struct Dims {
  int d_model = 0;
  int layers = 0;
  int heads = 1;
  int kv_heads = 0;
  int head_dim = 0;
  int vocab = 256;
  int context = 128;
  Activation activation = Activation::swiglu;
  NormPlacement norms = NormPlacement::pre;
  QkNorm qk_norm = QkNorm::none;
  LayerNormScaling layer_norm_scaling = LayerNormScaling::none;
  bool tied = true;
  double rope_base = 10000;
  double norm_eps = 1e-5;

  constexpr bool operator==(Dims const&) const = default;
};

}  // namespace tailor
