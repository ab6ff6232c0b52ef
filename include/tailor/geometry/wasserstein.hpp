#pragma once
// The exact Wasserstein distances of exponents 1 and 2 between two persistence diagrams.

#include <tailor/geometry/bar.hpp>                        // tailor::Bar
#include <tailor/geometry/diagrams/ground_norm.hpp>       // tailor::GroundNorm
#include <tailor/geometry/diagrams/matched_bars.hpp>      // tailor::WassersteinResult
#include <tailor/geometry/diagrams/partial_matching.hpp>  // tailor::diagrams::PartialMatching
#include <tailor/geometry/diagrams/side.hpp>              // tailor::diagrams::side_of

#include <span>
#include <vector>

namespace tailor {

namespace diagrams {

/// The distance whose costs add up over the matching.
template <class Cost>
WassersteinResult wasserstein(char const* who, std::span<Bar const> x, std::span<Bar const> y) {
  Split in_x = split(who, x, "first");
  Split in_y = split(who, y, "second");
  order_by_strips(x, in_x.finite);
  order_by_strips(y, in_y.finite);
  double const unit = diagrams::unit(x, y);
  WassersteinResult result;
  double sum = 0;
  for (double const gap : match_essential(x, y, in_x, in_y, unit, result)) {
    sum += Cost::power_of(gap);
  }
  if (!result.reason.empty()) return result;
  Side rows = side_of<Cost>(x, in_x.finite, unit);
  Side columns = side_of<Cost>(y, in_y.finite, unit);
  PartialMatching<Cost>(rows, columns).solve();
  for (int i = 0; i < rows.size(); ++i) {
    int const j = rows.partner[i];
    sum += j == nobody
               ? rows.alone[i]
               : Cost::pair(rows.birth[i] - columns.birth[j], rows.death[i] - columns.death[j]);
  }
  for (int j = 0; j < columns.size(); ++j) {
    if (columns.partner[j] == nobody) sum += columns.alone[j];
  }
  match_finite(in_x, in_y, rows.partner, result);
  result.value = Cost::distance(sum) * unit;
  return result;
}

}  // namespace diagrams

/// 2-Wasserstein distance between two diagrams, with the diagonal in both at no cost: the root of
/// the least sum of squares over all matchings in which a bar has a partner or goes to the
/// diagonal. Bars that never die are matched among themselves, in the order of their births (the
/// best, since the square is convex); different numbers of them are infinitely far apart, and
/// `reason` says so.
/// Cost:   O((n + m)^3) at worst, far less on diagrams of clouds; O(n + m) memory. One thread.
/// Domain: finite births, deaths not before them; differences below 1e-150 of the largest
///         coordinate count as zero. Throws std::invalid_argument naming the bar.
/// Error:  rounding alone; the value is summed from the matched pairs.
/// @post   the distance is the least over all matchings
/// @post   the distance of diagrams is a metric: zero from a diagram to itself, symmetric, the
///         triangle inequality holds
/// @post   it scales with the diagrams
/// @post   it does not change when both move along the diagonal
/// Source: Jonker and Volgenant 1987 for the paths.
template <GroundNorm norm = GroundNorm::l2>
WassersteinResult wasserstein2(std::span<Bar const> x, std::span<Bar const> y) {
  return diagrams::wasserstein<diagrams::Cost<norm, 2>>("wasserstein2", x, y);
}

/// 1-Wasserstein distance: the least sum of distances instead of their squares. All else as
/// wasserstein2.
/// @post   the distance is the least over all matchings
/// @post   the distance of diagrams is a metric: zero from a diagram to itself, symmetric, the
///         triangle inequality holds
/// @post   it scales with the diagrams
/// @post   it does not change when both move along the diagonal
/// @post   wasserstein2 <= wasserstein1
template <GroundNorm norm = GroundNorm::l2>
WassersteinResult wasserstein1(std::span<Bar const> x, std::span<Bar const> y) {
  return diagrams::wasserstein<diagrams::Cost<norm, 1>>("wasserstein1", x, y);
}

}  // namespace tailor
