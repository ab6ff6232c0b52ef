#pragma once
// RMSNorm on any device.

#include <tailor/device/check_shape.hpp>           // tailor::check_shape
#include <tailor/device/device.hpp>                // tailor::Device
#include <tailor/device/operations/rms_norm.hpp>   // tailor::RmsNormForward
#include <tailor/device/row_kernels/rms_norm.hpp>  // tailor::RmsNormForwardRow

namespace tailor {

/// y = scale x / rms(x) (gain + offset), rms(x) = sqrt(mean(x^2) + eps), row by row.
/// Throws std::invalid_argument where shapes do not fit.
/// @post   a row of zeros gives a row of zeros
/// Source: Root Mean Square Layer Normalization (arXiv 1910.07467), equation 4.
template <class T, Device D>
void rms_norm(D& dev, RmsNormForward<T, typename D::Space> const& a) {
  check_shape("rms_norm", "gain", a.gain, a.x.cols);
  check_shape("rms_norm", "x", a.x, a.x.rows, a.x.cols);
  check_shape("rms_norm", "y", a.y, a.x.rows, a.x.cols);
  rows(dev, a.x.rows, RmsNormForwardRow<T, typename D::Space>{a});
}

/// dx = gradient + beta dx, gain_gradient += gradient.
/// Throws std::invalid_argument where shapes do not fit.
/// @post   agrees with central differences of the forward pass
template <class T, Device D>
void rms_norm(D& dev, RmsNormBackward<T, typename D::Space> const& a) {
  check_shape("rms_norm backward", "gain", a.gain, a.x.cols);
  check_shape("rms_norm backward", "gain_gradient", a.gain_gradient, a.x.cols);
  check_shape("rms_norm backward", "x", a.x, a.x.rows, a.x.cols);
  check_shape("rms_norm backward", "dy", a.dy, a.x.rows, a.x.cols);
  check_shape("rms_norm backward", "dx", a.dx, a.x.rows, a.x.cols);
  check_shape("rms_norm backward", "terms", a.terms, a.x.rows, a.x.cols);
  rows(dev, a.x.rows, RmsNormBackwardRow<T, typename D::Space>{a});
  sum_rows(dev, SumRows<T, typename D::Space>{.in = a.terms, .out = a.gain_gradient, .beta = 1});
}

}  // namespace tailor
