#pragma once
// Euclidean distances of the clouds that tests of geometry are made of.

#include <tailor/cpu/device.hpp>                // tailor::cpu::Device
#include <tailor/cpu/gemm.hpp>                  // its matrix product
#include <tailor/cpu/primitives.hpp>            // its other primitives
#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances
#include <tailor/geometry/distances.hpp>        // tailor::distances

#include <cmath>
#include <cstddef>
#include <vector>

/// Of the rows of a matrix [tokens, d], as the library computes them.
inline tailor::Distances euclidean(std::vector<double> const& x, int tokens) {
  tailor::cpu::Device device{{.threads = 1}};
  return tailor::distances<tailor::Euclidean>(
      device, tailor::matrix(x.data(), tokens, int(x.size()) / tokens));
}

using Points = std::vector<std::vector<double>>;

/// Of a list of points, by the definition.
inline tailor::DenseDistances euclidean(Points const& points) {
  tailor::DenseDistances d(static_cast<int>(points.size()));
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < d.size(); ++j) {
      auto const& x = points[static_cast<std::size_t>(i)];
      auto const& y = points[static_cast<std::size_t>(j)];
      double sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
      d.at(i, j) = std::sqrt(sum);
    }
  }
  return d;
}
