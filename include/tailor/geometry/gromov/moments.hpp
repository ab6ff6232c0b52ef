#pragma once
// Sums over the rows of a distance matrix.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances

#include <vector>

namespace tailor::gromov {

inline std::vector<double> row_sums(DenseDistances const& d) {
  std::vector<double> sums(d.size(), 0.0);
  for (int i = 0; i < d.size(); ++i) {
    for (double const x : d.row(i)) sums[i] += x;
  }
  return sums;
}

/// Mean square of every row.
inline std::vector<double> row_mean_squares(DenseDistances const& d) {
  std::vector<double> means(d.size(), 0.0);
  for (int i = 0; i < d.size(); ++i) {
    for (double const x : d.row(i)) means[i] += x * x;
    means[i] /= d.size();
  }
  return means;
}

}  // namespace tailor::gromov
