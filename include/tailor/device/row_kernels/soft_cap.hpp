#pragma once
// A soft cap in place.

#include <tailor/device/exponential.hpp>  // tailor::hyperbolic_tangent
#include <tailor/device/view.hpp>         // tailor::MatrixView

#include <cstdint>

namespace tailor {

/// One row of x = cap tanh(x / cap).
template <class T, class Space = Host>
struct SoftCapRow {
  MatrixView<T, Space> x;
  T cap;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T* const values = x.row(int(row));
    T const limit = cap;
    team.for_each(
        x.cols, [=](std::int64_t j) { values[j] = limit * hyperbolic_tangent(values[j] / limit); });
  }
};

}  // namespace tailor
