#pragma once
// Small clouds for the tests of Gromov-Wasserstein, and its value by definition.

#include <support/euclidean.hpp>                   // euclidean, Points
#include <support/naive_device.hpp>                // naive::Device
#include <tailor/geometry/coupling.hpp>            // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>     // tailor::DenseDistances
#include <tailor/geometry/gromov_wasserstein.hpp>  // tailor::gromov_wasserstein

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using Random = std::mt19937_64;

inline double uniform(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

inline tailor::DenseDistances scaled(tailor::DenseDistances d, double factor) {
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < d.size(); ++j) d.at(i, j) *= factor;
  }
  return d;
}

inline Points cloud(Random& random, int n, int dimension) {
  Points points(static_cast<std::size_t>(n),
                std::vector<double>(static_cast<std::size_t>(dimension)));
  for (auto& point : points) {
    for (double& x : point) x = uniform(random);
  }
  return points;
}

/// n points at distance `side` from each other.
inline tailor::DenseDistances simplex(int n, double side) {
  tailor::DenseDistances d(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) d.at(i, j) = i == j ? 0 : side;
  }
  return d;
}

/// The definition: every pair of pairs, whatever the coupling.
inline double by_definition(tailor::DenseDistances const& a, tailor::DenseDistances const& b,
                            tailor::Coupling const& coupling) {
  double sum = 0;
  for (int i = 0; i < a.size(); ++i) {
    for (int j = 0; j < b.size(); ++j) {
      for (int k = 0; k < a.size(); ++k) {
        for (int l = 0; l < b.size(); ++l) {
          sum += std::pow(a(i, k) - b(j, l), 2) * coupling(i, j) * coupling(k, l);
        }
      }
    }
  }
  return sum;
}

/// The least value of a permutation, by trying all.
inline double least_permutation(tailor::DenseDistances const& a, tailor::DenseDistances const& b) {
  std::vector<int> order(static_cast<std::size_t>(a.size()));
  std::iota(order.begin(), order.end(), 0);
  double best = std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (int i = 0; i < a.size(); ++i) {
      for (int j = 0; j < a.size(); ++j) {
        sum += std::pow(
            a(i, j) - b(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]), 2);
      }
    }
    best = std::min(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best / a.size() / a.size();
}

template <tailor::DistanceMatrix A, tailor::DistanceMatrix B>
tailor::GromovWassersteinResult gw(A const& a, B const& b,
                                   tailor::GromovWassersteinOptions const& options = {}) {
  naive::Device dev;
  return tailor::gromov_wasserstein(dev, a, b, options);
}
