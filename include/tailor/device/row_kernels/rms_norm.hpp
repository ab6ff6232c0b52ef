#pragma once
// RMSNorm of one row, forward and backward.

#include <tailor/device/operations/rms_norm.hpp>  // tailor::RmsNormForward, tailor::RmsNormBackward

#include <cmath>
#include <cstdint>

namespace tailor {

/// One row of y = scale x / rms(x) (gain + offset).
template <class T, class Space = Host>
struct RmsNormForwardRow {
  RmsNormForward<T, Space> args;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    std::int64_t const cols = args.x.cols;
    T const* const x = args.x.row(int(row));
    T const* const gain = args.gain.data;
    T* const y = args.y.row(int(row));
    T const offset = args.offset;
    T const squares = team.sum(cols, [=](std::int64_t j) { return x[j] * x[j]; });
    T const factor = args.scale / std::sqrt(squares / T(cols) + args.eps);
    team.for_each(cols, [=](std::int64_t j) { y[j] = factor * x[j] * (gain[j] + offset); });
  }
};

/// One row of the gradient, and its term of the gain's gradient.
template <class T, class Space = Host>
struct RmsNormBackwardRow {
  RmsNormBackward<T, Space> args;

  // With n = x / rms and g = scale (gain + offset) dy:  dx = (g - n mean(g n)) / rms, because
  // d(1/rms)/dx = -n / (cols rms^2). The gain's term is scale dy n.
  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    std::int64_t const cols = args.x.cols;
    T const* const x = args.x.row(int(row));
    T const* const gain = args.gain.data;
    T const* const dy = args.dy.row(int(row));
    T* const dx = args.dx.row(int(row));
    T* const terms = args.terms.row(int(row));
    T const offset = args.offset, beta = args.beta;
    T const squares = team.sum(cols, [=](std::int64_t j) { return x[j] * x[j]; });
    T const projection =
        team.sum(cols, [=](std::int64_t j) { return dy[j] * (gain[j] + offset) * x[j]; });
    T const inverse = T(1) / std::sqrt(squares / T(cols) + args.eps);
    T const factor = args.scale * inverse;
    T const along = inverse * inverse * projection / T(cols);
    team.for_each(cols, [=](std::int64_t j) {
      T const slope = factor * (dy[j] * (gain[j] + offset) - along * x[j]);
      terms[j] = factor * dy[j] * x[j];
      dx[j] = beta == T(0) ? slope : slope + beta * dx[j];
    });
  }
};

}  // namespace tailor
