#pragma once
// What Gromov-Wasserstein is given, checked: two dense matrices and the masses of their points.

#include <tailor/geometry/distance_matrix.hpp>     // tailor::DenseDistances
#include <tailor/geometry/masses.hpp>              // tailor::Masses
#include <tailor/geometry/weighted_distances.hpp>  // tailor::WeightedDistances

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace tailor::gromov {

/// Distances may be this large, so that sums of their squares do not overflow.
inline constexpr double largest_distance = 1e140;

/// The matrix itself where it is dense, a copy otherwise.
template <DistanceMatrix M>
decltype(auto) as_dense(M const& d) {
  if constexpr (std::is_same_v<M, DenseDistances>) {
    return (d);
  } else if constexpr (requires { d.distances(); }) {
    return as_dense(d.distances());
  } else {
    return dense(d);
  }
}

/// Whether the matrix is symmetric, with numbers up to largest_distance. In blocks of
/// a cache line, so that mirror images are in the cache together however long a row is.
inline bool is_sound(DenseDistances const& d) {
  constexpr int block = 8;
  int const n = d.size();
  for (int i0 = 0; i0 < n; i0 += block) {
    for (int j0 = 0; j0 <= i0; j0 += block) {
      int faults = 0;
      for (int i = i0; i < std::min(i0 + block, n); ++i) {
        for (int j = j0; j < std::min(j0 + block, n); ++j) {
          double const entry = d(i, j);
          faults += !(std::abs(entry) <= largest_distance);
          faults += entry != d(j, i);
        }
      }
      if (faults > 0) return false;
    }
  }
  return true;
}

/// Throws where an entry is no number up to largest_distance or differs from its mirror image.
inline void check(char const* who, DenseDistances const& d, char const* which) {
  if (is_sound(d)) return;
  auto const entry = [&](int i, int j) {
    return "d(" + std::to_string(i) + ", " + std::to_string(j) + ") = " + std::to_string(d(i, j));
  };
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j <= i; ++j) {
      if (!(std::abs(d(i, j)) <= largest_distance)) {
        throw std::invalid_argument(std::string(who) +
                                    ": finite distances up to 1e140 expected, got " + entry(i, j) +
                                    " in the " + which + " matrix");
      }
      if (d(i, j) != d(j, i)) {
        throw std::invalid_argument(std::string(who) + ": a symmetric matrix expected, got " +
                                    entry(i, j) + " and " + entry(j, i) + " in the " + which +
                                    " matrix");
      }
    }
  }
}

/// Masses of both clouds, in units of one total: equal ones unless a cloud brings weights.
template <DistanceMatrix A, DistanceMatrix B>
std::pair<Masses, Masses> masses_of(A const& a, B const& b) {
  auto const even = [](std::span<double const> weights) {
    return std::ranges::count(weights, weights.front()) == std::ssize(weights);
  };
  std::vector<double> const of_a = weights_of(a);
  std::vector<double> const of_b = weights_of(b);
  if (even(of_a) && even(of_b)) return equal_masses_of_pair(a.size(), b.size());
  return {unequal_masses(of_a), unequal_masses(of_b)};
}

}  // namespace tailor::gromov
