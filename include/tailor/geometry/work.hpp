#pragma once
// The nine work statistics of one pair of clouds.

#include <tailor/device/device.hpp>       // tailor::Device
#include <tailor/geometry/dimension.hpp>  // tailor::two_nn_mle, tailor::participation_ratio
#include <tailor/geometry/distances.hpp>  // tailor::distances_bytes, tailor::within_limit
#include <tailor/geometry/gromov_wasserstein.hpp>  // tailor::gromov_wasserstein
#include <tailor/geometry/measure_options.hpp>     // tailor::WorkOptions
#include <tailor/geometry/metric.hpp>              // tailor::Euclidean, tailor::Spherical
#include <tailor/geometry/pair_geometry.hpp>       // tailor::pair_geometry
#include <tailor/geometry/points.hpp>              // tailor::token_faults
#include <tailor/geometry/rips_h1.hpp>             // tailor::rips_h1
#include <tailor/geometry/statistic_name.hpp>      // tailor::StatisticName
#include <tailor/geometry/wasserstein.hpp>         // tailor::wasserstein2

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

/// Memory that `work` of n tokens in d dimensions takes in all, roughly, where its parts are taken
/// one after another. The largest number there is for more than 2^24 tokens.
constexpr std::size_t work_bytes(int n, int d) {
  if (n > 1 << 24) return std::numeric_limits<std::size_t>::max();
  return 2 * distances_bytes(n, d) + 4 * DenseDistances::bytes(n) +
         std::max(gromov_wasserstein_bytes(n, n), rips_h1_bytes(n));
}

/// The same where all parts are taken at once.
constexpr std::size_t concurrent_work_bytes(int n, int d) {
  if (n > 1 << 24) return std::numeric_limits<std::size_t>::max();
  return 2 * distances_bytes(n, d) + 4 * DenseDistances::bytes(n) +
         3 * gromov_wasserstein_bytes(n, n) + 4 * rips_h1_bytes(n);
}

/// part(i) for i in [0, parts): at once where there is memory for it, otherwise in turn.
template <Device D, class Part>
void for_parts(D& dev, bool at_once, int parts, Part const& part) {
  if (at_once) return parallel(dev, std::int64_t(parts), part);
  for (int i = 0; i < parts; ++i) part(i);
}

/// The nine work statistics of a pair of clouds, row by row the same tokens, and the dimension of
/// the first. A token undefined in one cloud leaves both, for all three statistics of that
/// geometry. Shapes: before and after [n, d], float or double, in host memory.
/// Cost:   two products of 2 n^2 d flops, two H1 diagrams for each of raw and spherical (hyperbolic
///         maps those of the angle), three Gromov-Wasserstein and three W2 distances, spread over
///         the host threads of the device; memory from work_bytes(n, d) to
///         concurrent_work_bytes(n, d), as the limit allows.
/// Domain: a geometry without a defined token is undefined, with the reason.
/// Error:  std::invalid_argument for clouds of different shapes or a ball that is none;
///         std::length_error, which names the need, over options.limit_bytes.
/// @post   work of a cloud with itself is zero in all nine statistics
/// @post   the work is the same bits for every number of threads and every limit
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
  bool const at_once = concurrent_work_bytes(before.rows, before.cols) <= options.limit_bytes;
  auto const faults_of = [&](Measures measures) {
    auto faults = either_fault(token_faults(before, measures), token_faults(after, measures));
    return std::pair(sound_tokens(faults), defined_outcome(faults));
  };
  auto const [tokens, outcome] = faults_of(Measures::vectors);
  auto const [directed, directed_outcome] = faults_of(Measures::directions);
  std::array const outcomes{outcome, directed_outcome, directed_outcome};  // by Geometry
  PointsOfPair pair = points_of_pair(dev, before, after, tokens);
  std::array<PairGeometry, 3> geometries;
  geometries[0] = pair_geometry(dev, pair, Euclidean{});
  if (directed != tokens) pair = points_of_pair(dev, before, after, directed);
  geometries[1] = pair_geometry(dev, pair, Spherical{});
  auto const into_ball = [&](double angle) { return options.ball.at_angle(angle); };
  geometries[2] = mapped(dev, geometries[1], into_ball);
  pair = {};

  Work result;
  result.dimension = two_nn_mle(geometries[0].before);
  result.participation_ratio = participation_ratio(geometries[0].before);
  for (StatisticName const name : all_statistics) {
    result.statistics[name.index()].outcome = outcomes[std::size_t(name.geometry)];
  }
  auto const defined = [&](std::size_t g) { return outcomes[g].status == Status::ok; };
  auto const value = [&](Statistic statistic, std::size_t g) -> double& {
    return result.statistics[StatisticName{statistic, Geometry(g)}.index()].value;
  };

  std::array<std::array<std::vector<Bar>, 2>, 3> bars;  // by Geometry, before and after
  for_parts(dev, at_once, 7, [&](std::int64_t part) {
    if (part < 3) {
      std::size_t const g = std::size_t(part);
      result.lower_bounds[g].outcome = outcomes[g];
      if (!defined(g)) return;
      auto const coupling = gromov_wasserstein(dev, geometries[g].before, geometries[g].after,
                                               options.gromov_wasserstein);
      value(Statistic::distortion, g) = coupling.distortion;
      result.lower_bounds[g].value = coupling.lower_bound;
      result.starts[g] = coupling.start;
    } else {
      std::size_t const g = std::size_t(part - 3) / 2;
      bool const after_it = part % 2 == 0;
      bars[g][after_it] = rips_h1(after_it ? geometries[g].after : geometries[g].before).bars;
    }
  });
  // H1 of a filtration by diameter depends on the order of the distances alone: an increasing map
  // of all distances maps the diagrams.
  for (std::size_t side : {0, 1}) {
    for (Bar const& bar : bars[1][side]) {
      bars[2][side].push_back({into_ball(bar.birth), into_ball(bar.death)});
    }
  }
  for_parts(dev, at_once, 3, [&](std::int64_t part) {
    std::size_t const g = std::size_t(part);
    if (!defined(g)) return;
    std::vector<double> const& moved = geometries[g].moved;
    for (double const distance : moved) {
      value(Statistic::shift, g) += distance / double(moved.size());
    }
    value(Statistic::topological, g) =
        wasserstein2(std::span<Bar const>(bars[g][0]), std::span<Bar const>(bars[g][1])).value;
  });
  return result;
}

}  // namespace tailor
