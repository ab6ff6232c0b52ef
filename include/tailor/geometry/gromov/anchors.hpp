#pragma once
// Couplings to start from: each matches two clouds by the distances to one anchor point in either.

#include <tailor/geometry/distance_matrix.hpp>               // tailor::DenseDistances
#include <tailor/geometry/gromov/distance_distribution.hpp>  // tailor::gromov::DistanceDistribution
#include <tailor/geometry/gromov/moments.hpp>                // tailor::gromov::row_means
#include <tailor/geometry/gromov/sparse_coupling.hpp>        // tailor::gromov::order_of
#include <tailor/geometry/lane_sum.hpp>                      // tailor::inner_product
#include <tailor/geometry/masses.hpp>                        // tailor::Masses

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tailor::gromov {

/// The point with the largest mean distance, the first of several: the one whose distances vary the
/// most between points, so that they say most about who is who.
inline int outermost(DenseDistances const& d, Masses const& p) {
  std::vector<double> const means = row_means(d, p.shares());
  return static_cast<int>(std::max_element(means.begin(), means.end()) - means.begin());
}

/// The point of b whose distances are distributed most like those of point i of a, the first of
/// several. Means differ by no more than distributions do, by the 2-Wasserstein distance on the
/// line: the points come in the order of what their means differ by, and none is looked at where
/// that is beyond the best.
/// Cost: a pass over b, and a sort of a row for every point that is looked at.
/// @post the best anchor is the first whose distribution of distances is nearest
inline int best_anchor(DenseDistances const& a, Masses const& p, int i, DenseDistances const& b,
                       Masses const& q) {
  constexpr double rounding = 1e-12;
  std::vector<double> const means = row_means(b, q.shares());
  double const mean_of_i = inner_product(a.row(i), p.shares());
  std::vector<double> apart;
  for (double const mean : means) {
    double const larger = std::max(std::abs(mean), std::abs(mean_of_i));
    apart.push_back(std::max(0.0, std::abs(mean - mean_of_i) - rounding * larger));
  }
  DistanceDistribution const of_i(a.row(i), p);
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int const j : order_of(apart)) {
    if (apart[j] * apart[j] > least) break;
    double const cost = squared_wasserstein(of_i, DistanceDistribution(b.row(j), q));
    if (cost < least || (cost == least && j < best)) {
      least = cost;
      best = j;
    }
  }
  return best;
}

}  // namespace tailor::gromov
