#pragma once
// The correlation dimension: how the number of pairs within a radius grows with the radius.

#include <tailor/geometry/dimension.hpp>          // tailor::Dimension
#include <tailor/geometry/distance_matrix.hpp>    // tailor::DistanceMatrix
#include <tailor/geometry/nearest_distances.hpp>  // tailor::nearest_distances

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// The rule "median-neighbours" for the range of radii: from the median distance to the
/// `inner`-th nearest neighbour to the median distance to the `outer`-th, so that the range follows
/// the scale and the density of the cloud.
struct CorrelationDimensionOptions {
  int inner = 10;
  int outer = 20;  ///< more than inner
};

/// The middle value, the mean of the middle two of an even number.
/// Domain: not empty.
inline double median(std::vector<double> values) {
  auto const middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// The slope ln(C(R) / C(r)) / ln(R / r), C(r) the share of pairs of tokens at most r apart,
/// between the two radii r < R of the rule.
/// Cost:   O(n^2).
/// Domain: a cloud of not more than `outer` tokens takes its last two neighbours, n - 2 and n - 1, at
///         most. Undefined below 3 tokens, where all have duplicates, or both radii are one. A token
///         with a duplicate is left out as the first of a pair, and counted.
/// Error:  std::invalid_argument unless 1 <= inner < outer.
/// @post   the correlation dimension is unchanged by scaling the distances
/// @post   the correlation dimension finds the dimension of spheres
/// Source: Grassberger and Procaccia 1983; the rule for the radii is that of Johnsson's
///         intrinsicDimension.
template <DistanceMatrix D>
Dimension correlation_dimension(D const& d, CorrelationDimensionOptions options = {}) {
  if (!(options.inner >= 1 && options.inner < options.outer)) {
    throw std::invalid_argument("correlation_dimension: 1 <= inner < outer expected, got " +
                                std::to_string(options.inner) + " and " +
                                std::to_string(options.outer));
  }
  options.outer = std::max(2, std::min(options.outer, int(d.size()) - 1));
  options.inner = std::min(options.inner, options.outer - 1);
  NearestDistances const nearest = nearest_distances(d, options.outer);
  Dimension result{.outcome = nearest.outcome};
  if (result.outcome.status != Status::ok) return result;
  auto const radius = [&](int neighbour) {
    std::vector<double> distances;
    for (int i = 0; i < nearest.size(); ++i) {
      distances.push_back(nearest[i][std::size_t(neighbour - 1)]);
    }
    return median(std::move(distances));
  };
  double const inner = radius(options.inner);
  double const outer = radius(options.outer);
  if (!(inner < outer)) {
    result.outcome.status = Status::undefined;
    result.outcome.reason = "the range of radii has no width";
    return result;
  }
  std::int64_t within_inner = 0;
  std::int64_t within_outer = 0;
  for (int const i : nearest.tokens) {
    for (int j = 0; j < d.size(); ++j) {
      if (j == i) continue;
      within_inner += d(i, j) <= inner ? 1 : 0;
      within_outer += d(i, j) <= outer ? 1 : 0;
    }
  }
  result.value = std::log(double(within_outer) / double(within_inner)) / std::log(outer / inner);
  return result;
}

}  // namespace tailor
