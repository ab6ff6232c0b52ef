#pragma once
// Whether a matrix is of negative type: x' d x <= 0 for every x of sum zero.
//
// Euclidean distances, angles and hyperbolic distances are. Where both clouds are, the quadratic
// part of the Gromov-Wasserstein objective, -2 <a D b, D> for a difference D of two couplings, is
// never positive: the objective is concave, and one of its least values is at a corner of the set of
// couplings, a permutation for equal masses.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances

#include <algorithm>
#include <cmath>
#include <limits>

namespace tailor::gromov {

/// Up to rounding. By symmetric elimination of g(i, j) = d(i, 0) + d(0, j) - d(i, j) - d(0, 0),
/// which has to be positive semidefinite, largest diagonal first.
/// Cost:   O(n^3).
/// Domain: symmetric finite d.
inline bool negative_type(DenseDistances const& d) {
  int const n = d.size();
  DenseDistances g(n);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      g.at(i, j) = d(i, 0) + d(0, j) - d(i, j) - d(0, 0);
      largest = std::max(largest, std::abs(d(i, j)));
    }
  }
  double const rounding = 64 * n * std::numeric_limits<double>::epsilon() * largest;
  for (int step = 0; step < n; ++step) {
    int pivot = 0;
    for (int i = 1; i < n; ++i) {
      if (g(i, i) > g(pivot, pivot)) pivot = i;
    }
    double const diagonal = g(pivot, pivot);
    if (diagonal <= rounding) break;
    for (int i = 0; i < n; ++i) {
      if (i == pivot) continue;
      double const factor = g(i, pivot) / diagonal;
      for (int j = 0; j < n; ++j) {
        if (j != pivot) g.at(i, j) -= factor * g(pivot, j);
      }
    }
    for (int i = 0; i < n; ++i) g.at(i, pivot) = g.at(pivot, i) = 0;
  }
  // Nothing but rounding may be left.
  return std::all_of(g.data(), g.data() + static_cast<std::size_t>(n) * n,
                     [&](double entry) { return std::abs(entry) <= 8 * rounding; });
}

}  // namespace tailor::gromov
