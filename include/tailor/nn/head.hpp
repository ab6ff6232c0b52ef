#pragma once
// The end of a model: final norm, logits and loss, block by block of tokens, so that the logits of
// all tokens never exist at once.

#include <tailor/device/device.hpp>                // tailor::Device
#include <tailor/device/row_kernels/soft_cap.hpp>  // tailor::SoftCapRow
#include <tailor/nn/cross_entropy.hpp>             // tailor::cross_entropy
#include <tailor/nn/rms_norm.hpp>                  // tailor::rms_norm

#include <algorithm>
#include <cstdint>

namespace tailor {

/// Views of the head. Shapes: x [tokens, d], gain [d], table [vocab, d], targets, losses [tokens];
/// normed [tokens, d] and logits [any block, vocab] are scratch.
template <class T, class Space = Host>
struct Head {
  MatrixView<T const, Space> x;
  VectorView<T const, Space> gain;
  MatrixView<T const, Space> table;
  VectorView<std::int32_t const, Space> targets;
  VectorView<T, Space> losses;
  MatrixView<T, Space> normed, logits;
  T eps = 0;
  T offset = 0;
  T soft_cap = 0;
};

/// Gradients of the head: gain and table are added to, x is written. `terms` [tokens, d] is
/// scratch. The loss is `scale` times the sum of the token losses.
template <class T, class Space = Host>
struct HeadGradients {
  MatrixView<T, Space> x;
  VectorView<T, Space> gain;
  MatrixView<T, Space> table;
  MatrixView<T, Space> terms;
  T scale = 1;
};

namespace detail {

/// The norm of rows [first, first + count) and their logits, before any soft cap.
template <class T, Device D>
MatrixView<T, typename D::Space> raw_logits(D& dev, Head<T, typename D::Space> const& a, int first,
                                            int count, MatrixView<T, typename D::Space> logits) {
  using Space = typename D::Space;
  auto const normed = rows_of(a.normed, first, count);
  rms_norm(dev, RmsNormForward<T, Space>{.x = rows_of(a.x, first, count),
                                         .gain = a.gain,
                                         .y = normed,
                                         .eps = a.eps,
                                         .offset = a.offset});
  gemm(dev, Gemm<T, Space>{.a = normed, .b = transposed(a.table), .c = logits});
  return normed;
}

}  // namespace detail

/// The logits of rows [first, first + count), soft cap included. Shapes: out [count, vocab].
template <class T, Device D>
void head_logits(D& dev, Head<T, typename D::Space> const& a, int first, int count,
                 MatrixView<T, typename D::Space> out) {
  detail::raw_logits<T>(dev, a, first, count, out);
  if (a.soft_cap != T(0)) {
    rows(dev, count, SoftCapRow<T, typename D::Space>{.x = out, .cap = a.soft_cap});
  }
}

/// losses[i] = cross-entropy of token i; with `gradients`, also its gradients.
template <class T, Device D>
void head(D& dev, Head<T, typename D::Space> const& a,
          HeadGradients<T, typename D::Space> const* gradients = nullptr) {
  using Space = typename D::Space;
  for (int first = 0; first < a.x.rows; first += a.logits.rows) {
    int const count = std::min(a.logits.rows, a.x.rows - first);
    auto const logits = rows_of(a.logits, 0, count);
    auto const normed = detail::raw_logits<T>(dev, a, first, count, logits);
    cross_entropy(dev, CrossEntropy<T, Space>{.logits = logits,
                                              .targets = {a.targets.data + first, count},
                                              .losses = {a.losses.data + first, count},
                                              .scale = gradients ? gradients->scale : T(1),
                                              .soft_cap = a.soft_cap,
                                              .with_gradient = gradients != nullptr});
    if (gradients == nullptr) continue;
    gemm(dev, Gemm<T, Space>{.a = transposed(MatrixView<T const, Space>(logits)),
                             .b = normed,
                             .c = gradients->table,
                             .beta = 1});
    // The normed rows are used up: their gradient takes their place.
    gemm(dev, Gemm<T, Space>{.a = logits, .b = a.table, .c = normed});
    rms_norm(dev, RmsNormBackward<T, Space>{.x = rows_of(a.x, first, count),
                                            .gain = a.gain,
                                            .dy = normed,
                                            .dx = rows_of(gradients->x, first, count),
                                            .gain_gradient = gradients->gain,
                                            .terms = rows_of(gradients->terms, first, count),
                                            .eps = a.eps,
                                            .offset = a.offset});
  }
}

}  // namespace tailor
