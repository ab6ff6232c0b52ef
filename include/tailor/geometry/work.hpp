#pragma once
// The nine work statistics of one pair of clouds.

#include <tailor/device/device.hpp>       // tailor::Device
#include <tailor/geometry/dimension.hpp>  // tailor::two_nn_mle, tailor::participation_ratio
#include <tailor/geometry/distances.hpp>  // tailor::distances_from, tailor::inner_products
#include <tailor/geometry/gromov_wasserstein.hpp>  // tailor::gromov_wasserstein
#include <tailor/geometry/measure_options.hpp>     // tailor::WorkOptions
#include <tailor/geometry/metric.hpp>              // tailor::Euclidean, tailor::Spherical
#include <tailor/geometry/points.hpp>              // tailor::points_of, tailor::token_faults
#include <tailor/geometry/rips_h1.hpp>             // tailor::rips_h1
#include <tailor/geometry/shift.hpp>               // tailor::distances_across
#include <tailor/geometry/statistic_name.hpp>      // tailor::StatisticName
#include <tailor/geometry/wasserstein2.hpp>        // tailor::wasserstein2

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// One number with what it was made of. The outcome counts tokens.
struct WorkValue {
  double value = 0;  ///< not to be read where the outcome is undefined
  Outcome outcome = {};
};

/// What a pair of clouds says. Each value is in the unit of its metric: the mean distance moved,
/// half the root of gw_sq, W2 (not squared, ground norm l2) between the H1 diagrams.
struct Work {
  std::array<WorkValue, 9> statistics;    ///< by StatisticName::index()
  Dimension dimension;                    ///< TwoNN by maximum likelihood, of the raw cloud before
  Dimension participation_ratio;          ///< of the same cloud
  std::array<WorkValue, 3> lower_bounds;  ///< Memoli's first, of the distortion, by Geometry
  std::array<std::optional<GromovWassersteinStart>, 3> starts;  ///< of the distortion, by Geometry

  WorkValue const& at(StatisticName name) const { return statistics[name.index()]; }
};

/// Memory that `work` of n tokens in d dimensions takes in all, roughly. The largest number there
/// is for more than 2^24 tokens.
constexpr std::size_t work_bytes(int n, int d) {
  if (n > 1 << 24) return std::numeric_limits<std::size_t>::max();
  return 2 * distances_bytes(n, d) + 2 * DenseDistances::bytes(n) +
         std::max(gromov_wasserstein_bytes(n, n), rips_h1_bytes(n));
}

/// Distances before and after in one geometry, how far each token moves, and both H1 diagrams.
struct GeometryOfPair {
  DenseDistances before;
  DenseDistances after;
  std::vector<double> moved;
  std::vector<Bar> bars_before;
  std::vector<Bar> bars_after;
};

/// The same tokens before and after, with their inner products.
struct PointsOfPair {
  Points before;
  Points after;
  DenseDistances products_before;
  DenseDistances products_after;
};

template <Device D, Scalar T, Scalar U>
PointsOfPair points_of_pair(D& dev, MatrixView<T> before, MatrixView<U> after,
                            std::vector<int> const& tokens) {
  PointsOfPair pair{points_of(before, tokens), points_of(after, tokens), {}, {}};
  pair.products_before = inner_products(dev, pair.before);
  pair.products_after = inner_products(dev, pair.after);
  return pair;
}

template <NormMetric M, Device D>
GeometryOfPair geometry_of_pair(D& dev, PointsOfPair const& pair, M const& metric) {
  GeometryOfPair result{.before = distances_from(dev, pair.products_before, pair.before, metric),
                        .after = distances_from(dev, pair.products_after, pair.after, metric),
                        .moved = distances_across(dev, pair.before, pair.after, metric),
                        .bars_before = {},
                        .bars_after = {}};
  result.bars_before = rips_h1(result.before).bars;
  result.bars_after = rips_h1(result.after).bars;
  return result;
}

/// An increasing map of all distances maps the diagrams too: H1 of a filtration by diameter depends
/// on the order of the distances alone.
/// Domain: map(0) == 0.
template <class Map>
GeometryOfPair mapped(GeometryOfPair geometry, Map const& map) {
  for (DenseDistances* distances : {&geometry.before, &geometry.after}) {
    for (int i = 0; i < distances->size(); ++i) {
      for (int j = i + 1; j < distances->size(); ++j) {
        distances->at(i, j) = distances->at(j, i) = map(distances->at(i, j));
      }
    }
  }
  for (double& distance : geometry.moved) distance = map(distance);
  for (std::vector<Bar>* bars : {&geometry.bars_before, &geometry.bars_after}) {
    for (Bar& bar : *bars) bar = {map(bar.birth), map(bar.death)};
  }
  return geometry;
}

/// Fills in the three statistics of one geometry.
template <Device D>
void add_statistics(D& dev, Work& work, Geometry geometry, GeometryOfPair const& pair,
                    Outcome const& outcome, GromovWassersteinOptions const& options) {
  auto const set = [&](Statistic statistic, double value) {
    work.statistics[StatisticName{statistic, geometry}.index()] = {value, outcome};
  };
  WorkValue& lower_bound = work.lower_bounds[std::size_t(geometry)];
  lower_bound.outcome = outcome;
  if (outcome.status != Status::ok) {
    for (Statistic const s : {Statistic::shift, Statistic::distortion, Statistic::topological}) {
      set(s, 0);
    }
    return;
  }
  double shift = 0;
  for (double const distance : pair.moved) shift += distance / double(pair.moved.size());
  set(Statistic::shift, shift);
  auto const coupling = gromov_wasserstein(dev, pair.before, pair.after, options);
  set(Statistic::distortion, coupling.distortion);
  lower_bound.value = coupling.lower_bound;
  work.starts[std::size_t(geometry)] = coupling.start;
  set(Statistic::topological,
      wasserstein2(std::span<Bar const>(pair.bars_before), std::span<Bar const>(pair.bars_after))
          .value);
}

/// The nine work statistics of a pair of clouds, row by row the same tokens, and the dimension of
/// the first. A token undefined in one cloud leaves both, for all three statistics of that
/// geometry. Shapes: before and after [n, d], float or double, in host memory.
/// Cost:   two products of 2 n^2 d flops, two H1 diagrams for each of raw and spherical (hyperbolic
///         maps those of the angle), three Gromov-Wasserstein distances; about work_bytes(n, d).
/// Domain: a geometry without a defined token is undefined, with the reason.
/// Error:  std::invalid_argument for clouds of different shapes or a ball that is none;
///         std::length_error, which names the need, over options.limit_bytes.
/// @post   work of a cloud with itself is zero in all nine statistics
/// Source: Geometry-Guided Layerwise FFN Width Allocation.
template <Device D, Scalar T, Scalar U>
Work work(D& dev, MatrixView<T> before, MatrixView<U> after, WorkOptions const& options = {}) {
  if (before.rows != after.rows || before.cols != after.cols) {
    throw std::invalid_argument("work: clouds of one shape expected, got [" +
                                std::to_string(before.rows) + ", " + std::to_string(before.cols) +
                                "] and [" + std::to_string(after.rows) + ", " +
                                std::to_string(after.cols) + "]");
  }
  options.ball.check();
  within_limit("work: a pair of clouds of " + std::to_string(before.rows) + " tokens in " +
                   std::to_string(before.cols) + " dimensions",
               work_bytes(before.rows, before.cols), options.limit_bytes);
  auto const faults_of = [&](Measures measures) {
    auto faults = either_fault(token_faults(before, measures), token_faults(after, measures));
    return std::pair(sound_tokens(faults), defined_outcome(faults));
  };
  Work result;
  auto const [tokens, outcome] = faults_of(Measures::vectors);
  PointsOfPair pair = points_of_pair(dev, before, after, tokens);
  {
    auto const raw = geometry_of_pair(dev, pair, Euclidean{});
    result.dimension = two_nn_mle(raw.before);
    result.participation_ratio = participation_ratio(raw.before);
    add_statistics(dev, result, Geometry::raw, raw, outcome, options.gromov_wasserstein);
  }
  auto const [directed, directed_outcome] = faults_of(Measures::directions);
  if (directed != tokens) pair = points_of_pair(dev, before, after, directed);
  auto geometry = geometry_of_pair(dev, pair, Spherical{});
  add_statistics(dev, result, Geometry::spherical, geometry, directed_outcome,
                 options.gromov_wasserstein);
  geometry =
      mapped(std::move(geometry), [&](double angle) { return options.ball.at_angle(angle); });
  add_statistics(dev, result, Geometry::hyperbolic, geometry, directed_outcome,
                 options.gromov_wasserstein);
  return result;
}

}  // namespace tailor
