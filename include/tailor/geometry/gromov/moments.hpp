#pragma once
// Means over the rows of a distance matrix.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances
#include <tailor/geometry/lane_sum.hpp>         // tailor::lane_sum, tailor::inner_product

#include <cstddef>
#include <span>
#include <vector>

namespace tailor::gromov {

/// Mean distance from every point.
inline std::vector<double> row_means(DenseDistances const& d, std::span<double const> shares) {
  std::vector<double> means;
  for (int i = 0; i < d.size(); ++i) means.push_back(inner_product(d.row(i), shares));
  return means;
}

/// Mean square distance from every point.
inline std::vector<double> row_mean_squares(DenseDistances const& d,
                                            std::span<double const> shares) {
  std::vector<double> means;
  for (int i = 0; i < d.size(); ++i) {
    std::span<double const> const row = d.row(i);
    means.push_back(
        lane_sum(row.size(), [&](std::size_t k) { return row[k] * row[k] * shares[k]; }));
  }
  return means;
}

}  // namespace tailor::gromov
