#pragma once
// One feed-forward sub-block on any device.

#include <tailor/arch/dims.hpp>                      // tailor::Activation
#include <tailor/device/check_ffn.hpp>               // tailor::check
#include <tailor/device/device.hpp>                  // tailor::Device
#include <tailor/device/ffn_projections.hpp>         // tailor::ffn_projections
#include <tailor/device/operations/ffn.hpp>          // tailor::FfnForward, tailor::FfnBackward
#include <tailor/device/row_kernels/activation.hpp>  // tailor::activate

namespace tailor {

/// The kind of sub-block that an activation of a plan names.
/// @post is_gated(ffn_kind(a)) == (matrices_of(a) == 3)
constexpr FfnKind ffn_kind(Activation activation) {
  switch (activation) {
    case Activation::swiglu:
      return FfnKind::swiglu;
    case Activation::geglu:
      return FfnKind::geglu;
    case Activation::gelu:
      return FfnKind::gelu;
    case Activation::relu2:
      break;
  }
  return FfnKind::relu2;
}

/// y = beta y + down act(gate x, up x).
/// Cost: 2 tokens d width operations per matrix.
/// Throws std::invalid_argument where shapes do not fit.
/// @post a unit whose down column is zero does not change the result
template <class T, Device D>
void ffn(D& dev, FfnForward<T, typename D::Space> const& a) {
  using Product = Gemm<T, typename D::Space>;
  check(a);
  int const width = a.up.rows;
  project<T>(dev, a.x, ffn_projections(a, a.hidden));
  activate(dev, a.kind, a.hidden, width);
  gemm(
      dev,
      Product{.a = cols_of(a.hidden, 0, width), .b = transposed(a.down), .c = a.y, .beta = a.beta});
}

/// dx = gradient + beta dx, weight gradients += gradient; the hidden values are computed again.
/// Cost: 2 tokens d width operations per matrix, three times, less one.
/// Throws std::invalid_argument where shapes do not fit.
/// @post agrees with central differences of the forward pass
template <class T, Device D>
void ffn(D& dev, FfnBackward<T, typename D::Space> const& a) {
  using Space = typename D::Space;
  using Product = Gemm<T, Space>;
  check(a);
  int const width = a.up.rows;
  project<T>(dev, a.x, ffn_projections(a, a.hidden));
  gemm(dev, Product{.a = a.dy, .b = a.down, .c = cols_of(a.hidden_gradient, 0, width)});
  activate_backward(dev, a.kind, a.hidden, a.hidden_gradient, width);

  auto const inputs = ffn_projections(a, a.hidden_gradient);
  input_gradient(dev, inputs, a.dx, a.beta);
  add_weight_gradients<T>(dev, a.x, inputs);
  gemm(dev, Product{.a = transposed(a.dy),
                    .b = cols_of(a.hidden, 0, width),
                    .c = a.down_gradient,
                    .beta = 1});
}

}  // namespace tailor
