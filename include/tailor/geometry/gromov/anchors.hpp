#pragma once
// Couplings to start from: each matches two clouds by the distances to one anchor point in either.

#include <tailor/geometry/distance_matrix.hpp>               // tailor::DenseDistances
#include <tailor/geometry/gromov/distance_distribution.hpp>  // tailor::gromov::DistanceDistribution
#include <tailor/geometry/gromov/moments.hpp>                // tailor::gromov::row_means
#include <tailor/geometry/gromov/sparse_coupling.hpp>        // tailor::gromov::monotone
#include <tailor/geometry/masses.hpp>                        // tailor::Masses

#include <algorithm>
#include <limits>
#include <vector>

namespace tailor::gromov {

/// The point with the largest mean distance, the first of several: the one whose distances vary the
/// most between points, so that they say most about who is who.
inline int outermost(DenseDistances const& d, Masses const& p) {
  std::vector<double> const means = row_means(d, p.shares());
  return static_cast<int>(std::max_element(means.begin(), means.end()) - means.begin());
}

/// The point of b whose distances are distributed most like those of point i of a.
/// Cost: m sorts of a row.
inline int best_anchor(DenseDistances const& a, Masses const& p, int i, DenseDistances const& b,
                       Masses const& q) {
  DistanceDistribution const of_i(a.row(i), p);
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int j = 0; j < b.size(); ++j) {
    double const cost = squared_wasserstein(of_i, DistanceDistribution(b.row(j), q));
    if (cost < least) {
      least = cost;
      best = j;
    }
  }
  return best;
}

}  // namespace tailor::gromov
