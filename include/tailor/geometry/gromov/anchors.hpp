#pragma once
// Couplings to start from: each matches two clouds by the distances to one anchor point in either.

#include <tailor/geometry/distance_matrix.hpp>         // tailor::DenseDistances
#include <tailor/geometry/gromov/moments.hpp>          // tailor::gromov::row_sums
#include <tailor/geometry/gromov/sparse_coupling.hpp>  // tailor::gromov::monotone

#include <algorithm>
#include <limits>
#include <vector>

namespace tailor::gromov {

/// The point with the largest sum of distances, the first of several: the one whose distances vary
/// the most between points, so that they say most about who is who.
inline int outermost(DenseDistances const& d) {
  std::vector<double> const sums = row_sums(d);
  return static_cast<int>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

/// Points of a and b in the order of their distances to point i of a and point j of b.
inline SparseCoupling anchored(DenseDistances const& a, int i, DenseDistances const& b, int j) {
  return monotone(a.row(i), b.row(j));
}

/// The point j of b whose coupling with point i of a costs least.
/// Cost: m passes over the pairs of n + m entries.
inline int best_anchor(DenseDistances const& a, int i, DenseDistances const& b) {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int j = 0; j < b.size(); ++j) {
    double const value = squared_distortion(a, b, anchored(a, i, b, j));
    if (value < least) {
      least = value;
      best = j;
    }
  }
  return best;
}

}  // namespace tailor::gromov
