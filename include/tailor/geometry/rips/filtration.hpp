#pragma once
// The edges of a Vietoris-Rips filtration in the order in which they enter, checked while read.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DistanceMatrix
#include <tailor/geometry/rips/edge.hpp>        // tailor::rips::Edge, pairs, max_points
#include <tailor/geometry/rips/order.hpp>       // tailor::rips::sort_by_length

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor::rips {

/// Edges by length, ties by vertex numbers. Every finite distance up to `cutoff` is one of them.
struct Filtration {
  int points = 0;
  double cutoff = 0;
  std::vector<Edge> edges;
};

/// Throws where an entry below the diagonal is not a distance, or its mirror image differs.
template <DistanceMatrix D>
void check_distances(D const& d) {
  auto const name = [](int i, int j) {
    return "d(" + std::to_string(i) + ", " + std::to_string(j) + ")";
  };
  for (int i = 1; i < d.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      double const here = d(i, j);
      double const mirrored = d(j, i);
      if (!(here >= 0)) {
        throw std::invalid_argument("rips_h1: a distance of at least 0 expected, got " +
                                    name(i, j) + " = " + std::to_string(here));
      }
      if (here != mirrored) {
        throw std::invalid_argument("rips_h1: a symmetric matrix expected, got " + name(i, j) +
                                    " = " + std::to_string(here) + " and " + name(j, i) + " = " +
                                    std::to_string(mirrored));
      }
    }
  }
}

/// The smallest distance within which one point sees all others. From there on the complex is a
/// cone with that point as its apex, and no class of H1 lives any longer.
template <DistanceMatrix D>
double enclosing_radius(D const& d) {
  int const n = d.size();
  std::vector<double> farthest(static_cast<std::size_t>(n), 0.0);
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      double const length = d(i, j);
      auto const row = static_cast<std::size_t>(i);
      auto const col = static_cast<std::size_t>(j);
      farthest[row] = std::max(farthest[row], length);
      farthest[col] = std::max(farthest[col], length);
    }
  }
  return n == 0 ? 0.0 : *std::min_element(farthest.begin(), farthest.end());
}

/// The filtration up to `threshold`, inclusive, or up to the enclosing radius if that is smaller.
/// Cost:   O(n^2) time, 24 bytes per edge while they are sorted, 12 after that.
/// Domain: a symmetric matrix without negative or undefined entries; the diagonal is not read.
template <DistanceMatrix D>
Filtration filtration(D const& d, double threshold) {
  check_distances(d);
  Filtration result{
      .points = d.size(), .cutoff = std::min(threshold, enclosing_radius(d)), .edges = {}};
  auto const enters = [&](double length) {
    return length <= result.cutoff && length < std::numeric_limits<double>::infinity();
  };
  std::size_t count = 0;
  for (int i = 1; i < result.points; ++i) {
    for (int j = 0; j < i; ++j) count += enters(d(i, j)) ? 1 : 0;
  }
  result.edges.reserve(count);
  for (int i = 1; i < result.points; ++i) {
    for (int j = 0; j < i; ++j) {
      double const length = d(i, j);
      if (!enters(length)) continue;
      result.edges.emplace_back(length + 0.0, i, j);  // -0.0 + 0.0 is 0.0
    }
  }
  sort_by_length(result.edges);
  return result;
}

}  // namespace tailor::rips
