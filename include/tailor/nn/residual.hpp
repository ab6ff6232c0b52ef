#pragma once
// What every residual sub-block has around its body: the norm before it, the norm after it and the
// sum with its input. The body is attention or an FFN.

#include <tailor/device/device.hpp>               // tailor::Device
#include <tailor/device/operations/rms_norm.hpp>  // tailor::RmsNormForward
#include <tailor/device/row_kernels/add.hpp>      // tailor::AddRow, tailor::CopyRow
#include <tailor/nn/rms_norm.hpp>                 // tailor::rms_norm

namespace tailor {

/// The norms of a sub-block: gains (empty: no such norm), and how they are applied.
template <class T, class Space = Host>
struct ResidualNorms {
  VectorView<T const, Space> pre, post;
  T eps = 0;
  T pre_scale = 1;
  T offset = 0;

  RmsNormForward<T, Space> before(MatrixView<T const, Space> x, MatrixView<T, Space> y) const {
    return {.x = x, .gain = pre, .y = y, .eps = eps, .scale = pre_scale, .offset = offset};
  }
  RmsNormForward<T, Space> after(MatrixView<T const, Space> x, MatrixView<T, Space> y) const {
    return {.x = x, .gain = post, .y = y, .eps = eps, .offset = offset};
  }
};

/// out = x + post_norm(body(pre_norm(x))). Shapes: all [tokens, d]; `normed` and `branch` are
/// scratch, each used where its norm is there. out may be x.
template <class T, class Space = Host>
struct ResidualForward {
  ResidualNorms<T, Space> norms;
  MatrixView<T const, Space> x;
  MatrixView<T, Space> out, normed, branch;
};

/// Runs a sub-block forward; `body(in, y, beta)` computes y = f(in) + beta y.
template <class T, Device D, class Body>
void residual(D& dev, ResidualForward<T, typename D::Space> const& a, Body const& body) {
  using Space = typename D::Space;
  MatrixView<T const, Space> in = a.x;
  if (a.norms.pre.size > 0) {
    rms_norm(dev, a.norms.before(a.x, a.normed));
    in = a.normed;
  }
  if (a.norms.post.size > 0) {
    body(in, a.branch, T(0));
    rms_norm(dev, a.norms.after(a.branch, a.branch));
    rows(dev, a.x.rows, AddRow<T, Space>{.a = a.x, .b = a.branch, .out = a.out});
  } else {
    if (a.out.data != a.x.data) rows(dev, a.x.rows, CopyRow<T, Space>{.in = a.x, .out = a.out});
    body(in, a.out, T(1));
  }
}

/// Turns `gradient`, that of the stream leaving the sub-block, into that of the stream entering it.
/// Shapes: all [tokens, d], pre_gradient and post_gradient [d] where the norm is there; the rest is
/// scratch, `branch` used before and after the body.
template <class T, class Space = Host>
struct ResidualBackward {
  ResidualNorms<T, Space> norms;
  MatrixView<T const, Space> x;
  MatrixView<T, Space> gradient;
  VectorView<T, Space> pre_gradient, post_gradient;
  MatrixView<T, Space> normed, branch, branch_gradient, terms;
};

/// Runs a sub-block backward: `forward(in, y)` computes y = f(in) again, where a post-norm needs
/// it; `backward(in, dy, dx, beta)` computes dx = gradient + beta dx and adds weight gradients.
template <class T, Device D, class Forward, class Backward>
void residual_backward(D& dev, ResidualBackward<T, typename D::Space> const& a,
                       Forward const& forward, Backward const& backward) {
  using Space = typename D::Space;
  bool const pre = a.norms.pre.size > 0;
  MatrixView<T const, Space> in = a.x, dy = a.gradient;
  if (pre) {
    rms_norm(dev, a.norms.before(a.x, a.normed));
    in = a.normed;
  }
  if (a.norms.post.size > 0) {
    forward(in, a.branch);
    rms_norm(dev, RmsNormBackward<T, Space>{.x = a.branch,
                                            .gain = a.norms.post,
                                            .dy = a.gradient,
                                            .dx = a.branch_gradient,
                                            .gain_gradient = a.post_gradient,
                                            .terms = a.terms,
                                            .eps = a.norms.eps,
                                            .offset = a.norms.offset});
    dy = a.branch_gradient;
  }
  if (!pre) {
    backward(in, dy, a.gradient, T(1));
    return;
  }
  // What `branch` held is not needed any more: it takes the gradient of the normed input.
  backward(in, dy, a.branch, T(0));
  rms_norm(dev, RmsNormBackward<T, Space>{.x = a.x,
                                          .gain = a.norms.pre,
                                          .dy = a.branch,
                                          .dx = a.gradient,
                                          .gain_gradient = a.pre_gradient,
                                          .terms = a.terms,
                                          .eps = a.norms.eps,
                                          .scale = a.norms.pre_scale,
                                          .offset = a.norms.offset,
                                          .beta = 1});
}

}  // namespace tailor
