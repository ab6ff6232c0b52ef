#pragma once
// The sum of two matrices, row by row.

#include <tailor/device/view.hpp>  // tailor::MatrixView

#include <cstdint>

namespace tailor {

/// One row of out = a + b; out may be a.
template <class T, class Space = Host>
struct AddRow {
  MatrixView<T const, Space> a, b;
  MatrixView<T, Space> out;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T const* const x = a.row(int(row));
    T const* const y = b.row(int(row));
    T* const z = out.row(int(row));
    team.for_each(a.cols, [=](std::int64_t j) { z[j] = x[j] + y[j]; });
  }
};

/// One row of out = in.
template <class T, class Space = Host>
struct CopyRow {
  MatrixView<T const, Space> in;
  MatrixView<T, Space> out;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T const* const x = in.row(int(row));
    T* const y = out.row(int(row));
    team.for_each(in.cols, [=](std::int64_t j) { y[j] = x[j]; });
  }
};

}  // namespace tailor
