#pragma once
// Persistent H1 of a Vietoris-Rips filtration.

#include <tailor/geometry/bar.hpp>                   // tailor::Bar
#include <tailor/geometry/distance_matrix.hpp>       // tailor::DistanceMatrix
#include <tailor/geometry/rips/filtration.hpp>       // tailor::rips::Filtration
#include <tailor/geometry/rips/representatives.hpp>  // tailor::Cycle
#include <tailor/geometry/rips/sweep.hpp>  // tailor::rips::H1Sweep, the argument for exactness
#include <tailor/geometry/status.hpp>      // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// `threshold` is inclusive; infinity means none. `memory_limit` in bytes holds for the working
/// memory, the distances not included. With `representatives` every bar gets a cycle.
struct RipsOptions {
  double threshold = std::numeric_limits<double>::infinity();
  std::size_t memory_limit = std::size_t{8} << 30;
  bool representatives = false;
};

/// The H1 bars of a cloud, sorted, and what was counted on the way. n_used is the number of points.
struct H1Diagram : Outcome {
  std::vector<Bar> bars;
  double cutoff = 0;       ///< lengths up to here were looked at: threshold or enclosing radius
  std::size_t edges = 0;   ///< of the filtration
  std::size_t births = 0;  ///< bars and zero-length bars together
  std::size_t zero_length = 0;  ///< classes dead at the length of their birth: not among the bars
  std::size_t essential = 0;    ///< bars that never die, or not up to the threshold
  /// Where they were asked for, one per bar: a cycle whose longest edge is as long as the birth,
  /// which is a boundary at the death and at no shorter length.
  std::vector<Cycle> representatives;
};

/// Working memory of rips_h1 for n points, without the values of the cochain, which depend on the
/// cloud (a few MB for a thousand points).
constexpr std::size_t rips_h1_bytes(int n) {
  // Two copies of the edges while they are sorted; what the sweep keeps takes less than the second.
  return rips::pairs(n) * 2 * sizeof(rips::Edge) + rips::Graph::bytes(std::max(n, 0));
}

/// Bars of the first homology over F2 of the Vietoris-Rips filtration by diameter.
/// Exact for every symmetric matrix: the triangle inequality is not needed, entries may be equal,
/// zero or infinite. An infinite distance never becomes an edge. Deterministic; one thread.
/// Cost:   a radix sort of the edges, O(n / 64) words for most of them after that; rips_h1_bytes(n)
///         of memory and the values of the cochain; O(n) for each representative.
/// Domain: n <= 65535; the diagonal is not read.
/// Error:  none, the lengths are compared as they are.
/// Throws std::invalid_argument where an entry is negative, undefined or not symmetric, where the
/// threshold is undefined; std::length_error where n points need more than options.memory_limit, or
/// the limit is passed on the way.
/// @post   the bars are those of the reduced boundary matrix
/// @post   the bars do not depend on the order of the points
/// @post   the bars scale with the distances
/// @post   the bars do not change when the threshold is raised above the enclosing radius
/// @post   a representative is born with its bar and is a boundary from its death on, not before
/// Source: Ripser (Bauer 2021) for conventions; Edelsbrunner and Harer, Computational Topology, for
///         the reduction.
template <DistanceMatrix D>
H1Diagram rips_h1(D const& d, RipsOptions options = {}) {
  int const n = d.size();
  if (n < 0 || n > rips::max_points) {
    throw std::invalid_argument("rips_h1: 0 to " + std::to_string(rips::max_points) +
                                " points expected, got " + std::to_string(n));
  }
  if (std::isnan(options.threshold)) {
    throw std::invalid_argument("rips_h1: a number expected as threshold, got NaN");
  }
  if (rips_h1_bytes(n) > options.memory_limit) {
    throw std::length_error("rips_h1: " + std::to_string(n) + " points need " +
                            std::to_string(rips_h1_bytes(n)) + " bytes, at most " +
                            std::to_string(options.memory_limit) + " allowed");
  }
  rips::Filtration const filtration = rips::filtration(d, options.threshold);
  rips::H1Sweep sweep(filtration, options.memory_limit - rips_h1_bytes(n), options.representatives);
  sweep.run();

  H1Diagram result;
  result.n_used = n;
  result.cutoff = filtration.cutoff;
  result.edges = filtration.edges.size();
  result.births = sweep.classes().size();
  std::vector<std::size_t> bars;  // the classes that are bars
  for (std::size_t k = 0; k < sweep.classes().size(); ++k) {
    Bar const& bar = sweep.classes()[k];
    result.zero_length += bar.death == bar.birth ? 1 : 0;
    result.essential += std::isinf(bar.death) ? 1 : 0;
    if (bar.death != bar.birth) bars.push_back(k);
  }
  std::sort(bars.begin(), bars.end(), [&](std::size_t x, std::size_t y) {
    return std::pair(sweep.classes()[x], x) < std::pair(sweep.classes()[y], y);
  });
  for (std::size_t const k : bars) result.bars.push_back(sweep.classes()[k]);
  if (options.representatives) {
    auto representatives = sweep.representatives();
    for (std::size_t const k : bars) {
      result.representatives.push_back(representatives.sum(sweep.generators_of(k)));
    }
  }
  return result;
}

}  // namespace tailor
