#pragma once
// Arguments of RMSNorm, forward and backward.

#include <tailor/device/view.hpp>  // tailor::MatrixView, tailor::VectorView

namespace tailor {

/// y = scale x / rms(x) (gain + offset), rms(x) = sqrt(mean(x^2) + eps), row by row.
/// Shapes: x, y [rows, cols], gain [cols]. y may be x.
template <class T, class Space = Host>
struct RmsNormForward {
  MatrixView<T const, Space> x;
  VectorView<T const, Space> gain;
  MatrixView<T, Space> y;
  T eps = 0;
  T scale = 1;   ///< LayerNorm Scaling
  T offset = 0;  ///< 1 where gains are stored as differences from one
};

/// dx = gradient + beta dx, gain_gradient += gradient; the root mean square is recomputed from x.
/// Shapes: x, dy, dx, terms [rows, cols], gain, gain_gradient [cols]; `terms` is scratch; dx may be
/// dy.
template <class T, class Space = Host>
struct RmsNormBackward {
  MatrixView<T const, Space> x;
  VectorView<T const, Space> gain;
  MatrixView<T const, Space> dy;
  MatrixView<T, Space> dx;
  VectorView<T, Space> gain_gradient;
  MatrixView<T, Space> terms;
  T eps = 0;
  T scale = 1;
  T offset = 0;
  T beta = 0;
};

}  // namespace tailor
