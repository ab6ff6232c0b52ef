#pragma once
// The body of an attention sub-block: projections, norms of queries and keys, rotation, attention
// and the output projection. It is given views and never sees an arena.

#include <tailor/arch/dims.hpp>                    // tailor::QkNorm
#include <tailor/device/device.hpp>                // tailor::Device
#include <tailor/device/operations/attention.hpp>  // tailor::AttentionSizes
#include <tailor/device/projections.hpp>           // tailor::Projections
#include <tailor/nn/attention.hpp>                 // tailor::attention
#include <tailor/nn/rms_norm.hpp>                  // tailor::rms_norm
#include <tailor/nn/rope.hpp>                      // tailor::rope
#include <tailor/nn/rope_tables.hpp>               // tailor::RopeAngles
#include <tailor/nn/weights.hpp>                   // tailor::AttentionWeights

namespace tailor {

/// What an attention sub-block computes between its input and its output. Where queries and keys
/// are normed, raw_q and raw_k are what the norms read, and q, k can be computed again from them;
/// otherwise raw_q is q and raw_k is k.
/// Shapes: q, y [tokens, heads * head_dim], k, v [tokens, kv_heads * head_dim], contiguous;
/// log_sum_exp [tokens, heads].
template <class T, class Space = Host>
struct AttentionState {
  MatrixView<T, Space> raw_q, raw_k, q, k, v, y, log_sum_exp;
};

/// Everything that attention needs but its input. `keys` and `values` are those in sight: k and v
/// of the state, or a cache that ends with them.
template <class T, class Space = Host>
struct AttentionBranch {
  AttentionSizes<T> sizes;
  QkNorm qk_norm = QkNorm::none;
  T eps = 0;
  T offset = 0;
  AttentionWeights<T const, Space> weights;
  RopeAngles<T, Space> angles;
  int first_position = 0;
  AttentionState<T, Space> state;
  MatrixView<T const, Space> keys, values;
  VectorView<T, Space> scratch;

  /// The rows over which a norm of queries or keys runs: whole vectors, or one per head.
  template <class U>
  MatrixView<U, Space> normed_rows(MatrixView<U, Space> m, int heads) const {
    return qk_norm == QkNorm::whole ? m : matrix<Space>(m.data, m.rows * heads, m.cols / heads);
  }
  Rope<T, Space> rotation(MatrixView<T, Space> x, int heads, bool inverse) const {
    return {.x = x,
            .cosines = angles.cosines,
            .sines = angles.sines,
            .heads = heads,
            .head_dim = sizes.head_dim,
            .length = sizes.length,
            .first_position = first_position,
            .inverse = inverse};
  }
};

/// Queries and keys from what the projections gave: normed where the plan says so, then rotated.
template <class T, Device D>
void norm_and_rotate(D& dev, AttentionBranch<T, typename D::Space> const& a) {
  auto const one = [&](auto raw, auto out, auto gain, int heads) {
    if (a.qk_norm != QkNorm::none) {
      rms_norm(dev, RmsNormForward<T, typename D::Space>{.x = a.normed_rows(raw, heads),
                                                         .gain = gain,
                                                         .y = a.normed_rows(out, heads),
                                                         .eps = a.eps,
                                                         .offset = a.offset});
    }
    rope(dev, a.rotation(out, heads, false));
  };
  one(a.state.raw_q, a.state.q, a.weights.q_norm, a.sizes.heads);
  one(a.state.raw_k, a.state.k, a.weights.k_norm, a.sizes.kv_heads);
}

/// The three projections of the input.
template <class T, class Space>
Projections<T, Space> attention_projections(AttentionBranch<T, Space> const& a) {
  Projections<T, Space> inputs;
  inputs.add({.weight = a.weights.q, .values = a.state.raw_q});
  inputs.add({.weight = a.weights.k, .values = a.state.raw_k});
  inputs.add({.weight = a.weights.v, .values = a.state.v});
  return inputs;
}

/// y = o attention(q in, k in, v in) + beta y.
template <class T, Device D>
void attention_forward(D& dev, AttentionBranch<T, typename D::Space> const& a,
                       MatrixView<T const, typename D::Space> in,
                       MatrixView<T, typename D::Space> y, T beta) {
  using Product = Gemm<T, typename D::Space>;
  project<T>(dev, in, attention_projections(a));
  norm_and_rotate<T>(dev, a);
  attention(dev, AttentionForward<T, typename D::Space>{.sizes = a.sizes,
                                                        .q = a.state.q,
                                                        .k = a.keys,
                                                        .v = a.values,
                                                        .y = a.state.y,
                                                        .log_sum_exp = a.state.log_sum_exp,
                                                        .scratch = a.scratch});
  gemm(dev, Product{.a = a.state.y, .b = transposed(a.weights.o), .c = y, .beta = beta});
}

/// Scratch of the backward pass. Shapes: dq, dy, terms [tokens, heads * head_dim]; dk, dv [tokens,
/// kv_heads * head_dim].
template <class T, class Space = Host>
struct AttentionGradients {
  AttentionWeights<T, Space> weights;  ///< added to
  MatrixView<T, Space> dq, dk, dv, dy, terms;
};

/// dx = gradient + beta dx from the state of the forward pass; weight gradients are added to.
template <class T, Device D>
void attention_backward(D& dev, AttentionBranch<T, typename D::Space> const& a,
                        AttentionGradients<T, typename D::Space> const& g,
                        MatrixView<T const, typename D::Space> in,
                        MatrixView<T const, typename D::Space> dout,
                        MatrixView<T, typename D::Space> dx, T beta) {
  using Space = typename D::Space;
  using Product = Gemm<T, Space>;
  gemm(dev, Product{.a = transposed(dout), .b = a.state.y, .c = g.weights.o, .beta = 1});
  gemm(dev, Product{.a = dout, .b = a.weights.o, .c = g.dy});
  if (a.qk_norm != QkNorm::none) norm_and_rotate<T>(dev, a);
  attention(dev, AttentionBackward<T, Space>{.sizes = a.sizes,
                                             .q = a.state.q,
                                             .k = a.state.k,
                                             .v = a.state.v,
                                             .y = a.state.y,
                                             .dy = g.dy,
                                             .log_sum_exp = a.state.log_sum_exp,
                                             .dq = g.dq,
                                             .dk = g.dk,
                                             .dv = g.dv,
                                             .scratch = a.scratch});

  auto const undo = [&](auto raw, auto d, auto gain, auto gain_gradient, int heads) {
    rope(dev, a.rotation(d, heads, true));
    if (a.qk_norm == QkNorm::none) return;
    auto const terms = matrix<Space>(g.terms.data, raw.rows, raw.cols);
    rms_norm(dev, RmsNormBackward<T, Space>{.x = a.normed_rows(raw, heads),
                                            .gain = gain,
                                            .dy = a.normed_rows(d, heads),
                                            .dx = a.normed_rows(d, heads),
                                            .gain_gradient = gain_gradient,
                                            .terms = a.normed_rows(terms, heads),
                                            .eps = a.eps,
                                            .offset = a.offset});
  };
  undo(a.state.raw_q, g.dq, a.weights.q_norm, g.weights.q_norm, a.sizes.heads);
  undo(a.state.raw_k, g.dk, a.weights.k_norm, g.weights.k_norm, a.sizes.kv_heads);

  Projections<T, Space> inputs;
  inputs.add({.weight = a.weights.q, .values = g.dq, .weight_gradient = g.weights.q});
  inputs.add({.weight = a.weights.k, .values = g.dk, .weight_gradient = g.weights.k});
  inputs.add({.weight = a.weights.v, .values = g.dv, .weight_gradient = g.weights.v});
  add_weight_gradients<T>(dev, in, inputs);
  input_gradient(dev, inputs, dx, beta);
}

}  // namespace tailor
