#pragma once
// What every coupling must cost at least, seen from how far each point is from the others.

#include <tailor/geometry/distance_matrix.hpp>         // tailor::DenseDistances
#include <tailor/geometry/gromov/moments.hpp>          // tailor::gromov::row_mean_squares
#include <tailor/geometry/gromov/sparse_coupling.hpp>  // tailor::gromov::monotone

#include <cmath>
#include <vector>

namespace tailor::gromov {

/// Memoli's first lower bound, in the unit of the distortion: half the 2-Wasserstein distance on
/// the line between the eccentricities, the roots s of the mean squares of the distances from every
/// point. For every coupling T the inner sum over (k, l) is at least (s(i) - s(j))^2, the triangle
/// inequality in L2; what remains is a coupling of numbers.
/// Source: Memoli 2011, Gromov-Wasserstein distances and the metric approach, section 6.
inline double first_lower_bound(std::vector<double> mean_squares_a, Masses const& p,
                                std::vector<double> mean_squares_b, Masses const& q) {
  for (double& x : mean_squares_a) x = std::sqrt(x);
  for (double& x : mean_squares_b) x = std::sqrt(x);
  double sum = 0;
  for (Entry const& entry : monotone(mean_squares_a, p, mean_squares_b, q)) {
    double const difference = mean_squares_a[entry.i] - mean_squares_b[entry.j];
    sum += difference * difference * entry.weight;
  }
  return std::sqrt(sum) / 2;
}

}  // namespace tailor::gromov
