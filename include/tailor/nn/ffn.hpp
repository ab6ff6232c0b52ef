#pragma once
// One feed-forward sub-block on any device.

#include <tailor/arch/dims.hpp>                      // tailor::Activation
#include <tailor/device/check_ffn.hpp>               // tailor::check, tailor::is_gated
#include <tailor/device/device.hpp>                  // tailor::Device
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
  auto const first = cols_of(a.hidden, 0, width);
  if (is_gated(a.kind)) {
    gemm(dev, Product{.a = a.x, .b = transposed(a.gate), .c = first});
    gemm(dev, Product{.a = a.x, .b = transposed(a.up), .c = cols_of(a.hidden, width, width)});
  } else {
    gemm(dev, Product{.a = a.x, .b = transposed(a.up), .c = first});
  }
  activate(dev, a.kind, a.hidden, width);
  gemm(dev, Product{.a = first, .b = transposed(a.down), .c = a.y, .beta = a.beta});
}

/// dx = gradient + beta dx, weight gradients += gradient; the hidden values are computed again.
/// Cost: 2 tokens d width operations per matrix, three times, less one.
/// Throws std::invalid_argument where shapes do not fit.
/// @post agrees with central differences of the forward pass
template <class T, Device D>
void ffn(D& dev, FfnBackward<T, typename D::Space> const& a) {
  using Product = Gemm<T, typename D::Space>;
  check(a);
  int const width = a.up.rows;
  bool const gated = is_gated(a.kind);
  auto const first = cols_of(a.hidden, 0, width);
  auto const first_gradient = cols_of(a.hidden_gradient, 0, width);
  auto const up_gradient = cols_of(a.hidden_gradient, gated ? width : 0, width);
  if (gated) gemm(dev, Product{.a = a.x, .b = transposed(a.gate), .c = first});
  gemm(dev,
       Product{
           .a = a.x, .b = transposed(a.up), .c = gated ? cols_of(a.hidden, width, width) : first});
  gemm(dev, Product{.a = a.dy, .b = a.down, .c = first_gradient});
  activate_backward(dev, a.kind, a.hidden, a.hidden_gradient, width);

  gemm(dev, Product{.a = up_gradient, .b = a.up, .c = a.dx, .beta = a.beta});
  if (gated) gemm(dev, Product{.a = first_gradient, .b = a.gate, .c = a.dx, .beta = 1});
  gemm(dev, Product{.a = transposed(a.dy), .b = first, .c = a.down_gradient, .beta = 1});
  gemm(dev, Product{.a = transposed(up_gradient), .b = a.x, .c = a.up_gradient, .beta = 1});
  if (gated) {
    gemm(dev, Product{.a = transposed(first_gradient), .b = a.x, .c = a.gate_gradient, .beta = 1});
  }
}

}  // namespace tailor
