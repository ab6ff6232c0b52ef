#pragma once
// What every coupling must cost at least.

#include <tailor/geometry/distance_matrix.hpp>         // tailor::DenseDistances
#include <tailor/geometry/gromov/moments.hpp>          // tailor::gromov::row_mean_squares
#include <tailor/geometry/gromov/sparse_coupling.hpp>  // tailor::gromov::monotone

#include <cmath>
#include <vector>

namespace tailor::gromov {

/// s(i) = root of the mean square distance from i: the eccentricity of order 2.
inline std::vector<double> eccentricities(DenseDistances const& d) {
  std::vector<double> result = row_mean_squares(d);
  for (double& x : result) x = std::sqrt(x);
  return result;
}

/// Memoli's first lower bound, in the unit of the distortion: half the 2-Wasserstein distance on
/// the line between the eccentricities. For every coupling T the inner sum over (k, l) is at least
/// (s(i) - s(j))^2, the triangle inequality in L2; what remains is a coupling of numbers.
/// Source: Memoli 2011, Gromov-Wasserstein distances and the metric approach, section 6.
inline double first_lower_bound(DenseDistances const& a, DenseDistances const& b) {
  std::vector<double> const of_a = eccentricities(a);
  std::vector<double> const of_b = eccentricities(b);
  double sum = 0;
  for (Entry const& entry : monotone(of_a, of_b)) {
    double const difference = of_a[entry.i] - of_b[entry.j];
    sum += difference * difference * entry.weight;
  }
  return std::sqrt(sum) / 2;
}

}  // namespace tailor::gromov
