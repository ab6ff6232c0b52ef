#pragma once
// Means over the rows of a distance matrix.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances
#include <tailor/geometry/masses.hpp>           // tailor::Masses

#include <cstddef>
#include <span>
#include <vector>

namespace tailor::gromov {

/// Sum of term(k) for k below `count`, in eight lanes that need not wait for each other.
template <class Term>
double sum_of(std::size_t count, Term const& term) {
  double lanes[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += term(k + lane);
  }
  for (; k < count; ++k) lanes[k % 8] += term(k);
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

inline double dot(std::span<double const> x, std::span<double const> y) {
  return sum_of(x.size(), [&](std::size_t k) { return x[k] * y[k]; });
}

/// Mean distance from every point.
inline std::vector<double> row_means(DenseDistances const& d, std::span<double const> shares) {
  std::vector<double> means;
  for (int i = 0; i < d.size(); ++i) means.push_back(dot(d.row(i), shares));
  return means;
}

/// Mean square distance from every point.
inline std::vector<double> row_mean_squares(DenseDistances const& d,
                                            std::span<double const> shares) {
  std::vector<double> means;
  for (int i = 0; i < d.size(); ++i) {
    std::span<double const> const row = d.row(i);
    means.push_back(sum_of(row.size(), [&](std::size_t k) { return row[k] * row[k] * shares[k]; }));
  }
  return means;
}

}  // namespace tailor::gromov
