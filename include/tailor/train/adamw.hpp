#pragma once
// AdamW on any device.

#include <tailor/device/check_shape.hpp>        // tailor::check_shape
#include <tailor/device/device.hpp>             // tailor::Device
#include <tailor/device/operations/adamw.hpp>   // tailor::AdamW
#include <tailor/device/row_kernels/adamw.hpp>  // tailor::AdamWRow

namespace tailor {

/// One step of AdamW with decoupled decay: p -= rate (m' / (sqrt(v') + eps) + decay p), with m', v'
/// the bias-corrected running means of the scaled gradient and of its square.
/// Throws std::invalid_argument where sizes differ.
/// @post   gradient_scale == 0 changes nothing
/// Source: Decoupled Weight Decay Regularization (arXiv 1711.05101), algorithm 2.
template <class T, Device D>
void adamw(D& dev, AdamW<T, typename D::Space> const& a) {
  using Row = AdamWRow<T, typename D::Space>;
  check_shape("adamw", "gradients", a.gradients, a.parameters.size);
  check_shape("adamw", "first_moment", a.first_moment, a.parameters.size);
  check_shape("adamw", "second_moment", a.second_moment, a.parameters.size);
  check_shape("adamw", "scalars", a.scalars, 1);
  rows(dev, (a.parameters.size + Row::width - 1) / Row::width, Row{a});
}

}  // namespace tailor
