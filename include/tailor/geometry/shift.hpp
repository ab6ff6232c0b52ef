#pragma once
// How far the tokens of a cloud move.

#include <tailor/device/device.hpp>        // tailor::Device
#include <tailor/geometry/metric.hpp>      // tailor::Metric
#include <tailor/geometry/pair_norms.hpp>  // tailor::pair_norms, tailor::inner_product
#include <tailor/geometry/points.hpp>      // tailor::points_of, tailor::token_faults

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The distance between two points by a metric; nothing where it is not defined on one of them.
/// Domain: x and y of one size, else std::invalid_argument.
/// Error:  std::invalid_argument from the metric's own check, which calls x token 0 and y token 1.
template <Metric M>
std::optional<double> distance_between(M const& metric, std::span<double const> x,
                                       std::span<double const> y);

/// The mean distance that tokens move from one cloud to the other.
struct Shift {
  double mean = 0;            ///< not to be read where the outcome is undefined
  std::vector<int> tokens;    ///< the tokens defined in both clouds
  std::vector<double> moved;  ///< how far each of them moves
  Outcome outcome;            ///< counts tokens
};

/// The distances between points of the same place in two lists.
template <Metric M, Device D>
std::vector<double> distances_across(D& dev, Points const& x, Points const& y, M const& metric) {
  std::vector<double> result(std::size_t(x.size()));
  parallel(dev, std::int64_t(x.size()), [&](std::int64_t row) {
    int const i = int(row);
    double& distance = result[std::size_t(row)];
    if constexpr (NormMetric<M>) {
      distance =
          metric.distance(pair_norms(M::measures, x[i], y[i], x.squared_norms[std::size_t(i)],
                                     y.squared_norms[std::size_t(i)], inner_product(x[i], y[i])));
    } else {
      distance = metric.distance(x[i], y[i]);
    }
  });
  return result;
}

/// mean_i d(x_i, y_i) over the tokens that the metric is defined on in both host clouds; the others
/// are counted and named in the outcome.
/// Shapes: x and y [n, d], float or double.
/// Cost:   O(n d).
/// Error:  std::invalid_argument for clouds of different shapes, and from the metric's own check.
/// @post shift(x, x) is exactly zero
template <Metric M, Device D, Scalar T, Scalar U>
Shift shift(D& dev, MatrixView<T> x, MatrixView<U> y, M const& metric = {}) {
  if (x.rows != y.rows || x.cols != y.cols) {
    throw std::invalid_argument("shift: clouds of one shape expected, got [" +
                                std::to_string(x.rows) + ", " + std::to_string(x.cols) + "] and [" +
                                std::to_string(y.rows) + ", " + std::to_string(y.cols) + "]");
  }
  auto const found = either_fault(token_faults(x, M::measures), token_faults(y, M::measures));
  Points before = points_of(x, sound_tokens(found));
  Points after = points_of(y, before.tokens);
  check_points(metric, before);
  check_points(metric, after);
  if constexpr (!NormMetric<M> && M::measures == Measures::directions) {
    before = at_unit_length(std::move(before));
    after = at_unit_length(std::move(after));
  }
  Shift result{.tokens = before.tokens,
               .moved = distances_across(dev, before, after, metric),
               .outcome = defined_outcome(found)};
  for (double const distance : result.moved) result.mean += distance / double(result.moved.size());
  return result;
}

template <Metric M>
std::optional<double> distance_between(M const& metric, std::span<double const> x,
                                       std::span<double const> y) {
  if (x.size() != y.size()) {
    throw std::invalid_argument("distance_between: points of one size expected, got " +
                                std::to_string(x.size()) + " and " + std::to_string(y.size()));
  }
  std::vector<double> rows(x.begin(), x.end());
  rows.insert(rows.end(), y.begin(), y.end());
  auto const both = matrix(rows.data(), 2, int(x.size()));
  if (sound_tokens(token_faults(both, M::measures)).size() < 2) return {};
  Points pair = points_of(both, {0, 1});
  check_points(metric, pair);
  if constexpr (NormMetric<M>) {
    return metric.distance(pair_norms(M::measures, pair[0], pair[1], pair.squared_norms[0],
                                      pair.squared_norms[1], inner_product(pair[0], pair[1])));
  } else {
    if constexpr (M::measures == Measures::directions) pair = at_unit_length(std::move(pair));
    return metric.distance(pair[0], pair[1]);
  }
}

}  // namespace tailor
