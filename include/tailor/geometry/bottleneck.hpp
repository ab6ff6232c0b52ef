#pragma once
// The exact bottleneck distance between two persistence diagrams: the Wasserstein distance of
// exponent infinity.

#include <tailor/geometry/bar.hpp>                         // tailor::Bar
#include <tailor/geometry/diagrams/covering_matching.hpp>  // tailor::diagrams::CoveringMatching
#include <tailor/geometry/diagrams/ground_norm.hpp>        // tailor::GroundNorm
#include <tailor/geometry/diagrams/matched_bars.hpp>       // tailor::WassersteinResult

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace tailor {

/// The least distance within which every bar of two diagrams finds a partner or the diagonal. Bars
/// that never die are matched among themselves, in the order of their births; different numbers of
/// them are infinitely far apart, and `reason` says so. `matching` is one of those that reach it.
/// Cost:   a matching along the pairs within reach, O(n m) per bar that must have a partner, for
///         each of about 2 log2(n + m) reaches; 8 bytes for each pair of bars that could decide.
/// Domain: finite births, deaths not before them; differences below 1e-150 of the largest
///         coordinate count as zero. Throws std::invalid_argument naming the bar.
/// @post   the distance is the least over all matchings
/// @post   the distance of diagrams is a metric: zero from a diagram to itself, symmetric, the
///         triangle inequality holds
/// @post   bottleneck scales, and does not change along the diagonal
/// @post   bottleneck <= wasserstein2 <= root of the number of matches x bottleneck
/// Source: Edelsbrunner and Harer, Computational Topology, section VIII.4.
template <GroundNorm norm = GroundNorm::l2>
WassersteinResult bottleneck(std::span<Bar const> x, std::span<Bar const> y) {
  diagrams::Split const in_x = diagrams::split("bottleneck", x, "first");
  diagrams::Split const in_y = diagrams::split("bottleneck", y, "second");
  double const unit = diagrams::unit(x, y);
  WassersteinResult result;
  double least = 0;  // squared, as all distances below
  for (double const gap : diagrams::match_essential(x, y, in_x, in_y, unit, result)) {
    least = std::max(least, gap * gap);
  }
  if (!result.reason.empty()) return result;

  auto const alone = [unit](Bar const& bar) {
    return diagrams::squared_distance_to_diagonal<norm>((bar.death - bar.birth) / unit);
  };
  auto const apart = [unit](Bar const& a, Bar const& b) {
    return diagrams::squared_distance<norm>(a.birth / unit - b.birth / unit,
                                            a.death / unit - b.death / unit);
  };
  // The answer is one of these: no more is needed than to send every bar to the diagonal.
  std::vector<double> reaches{least};
  for (int const i : in_x.finite) reaches.push_back(alone(x[i]));
  for (int const j : in_y.finite) reaches.push_back(alone(y[j]));
  double const enough = *std::max_element(reaches.begin(), reaches.end());
  for (int const i : in_x.finite) {
    for (int const j : in_y.finite) {
      double const distance = apart(x[i], y[j]);
      if (distance > least && distance < enough) reaches.push_back(distance);
    }
  }
  std::sort(reaches.begin(), reaches.end());
  reaches.erase(reaches.begin(), std::lower_bound(reaches.begin(), reaches.end(), least));

  auto const matching = [&](double reach) {
    return diagrams::CoveringMatching(
        static_cast<int>(in_x.finite.size()), static_cast<int>(in_y.finite.size()),
        [&, reach](int i, int j) { return apart(x[in_x.finite[i]], y[in_y.finite[j]]) <= reach; },
        [&, reach](int i) { return alone(x[in_x.finite[i]]) <= reach; },
        [&, reach](int j) { return alone(y[in_y.finite[j]]) <= reach; });
  };
  auto const reach = *std::partition_point(reaches.begin(), reaches.end() - 1,
                                           [&](double r) { return !matching(r).solve(); });
  auto best = matching(reach);
  best.solve();
  diagrams::match_finite(in_x, in_y, best.partner_of_row(), result);
  result.value = std::sqrt(reach) * unit;
  return result;
}

}  // namespace tailor
