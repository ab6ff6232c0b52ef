#pragma once
// How many dimensions a cloud fills, from its distances.

#include <tailor/geometry/distance_matrix.hpp>    // tailor::DistanceMatrix
#include <tailor/geometry/nearest_distances.hpp>  // tailor::nearest_distances
#include <tailor/geometry/status.hpp>             // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// A dimension, by the variant that the function's name says. The outcome counts tokens.
struct Dimension {
  double value = 0;  ///< not to be read where the outcome is undefined
  Outcome outcome;
};

/// ln(r2 / r1) of every token without a duplicate, r1 and r2 the distances to its two nearest
/// neighbours. Two neighbours at one distance give 0.
struct NeighbourRatios {
  std::vector<double> logs;  ///< ascending
  Outcome outcome;           ///< undefined where there are no logs, or none above 0
};

/// Cost:   O(n^2).
template <DistanceMatrix D>
NeighbourRatios neighbour_ratios(D const& d) {
  NearestDistances const nearest = nearest_distances(d, 2);
  NeighbourRatios result{.logs = {}, .outcome = nearest.outcome};
  for (int i = 0; i < nearest.size(); ++i) {
    result.logs.push_back(std::log(nearest[i][1] / nearest[i][0]));
  }
  std::sort(result.logs.begin(), result.logs.end());
  if (!result.logs.empty() && result.logs.back() == 0) {
    result.outcome.status = Status::undefined;
    result.outcome.reason = "every token has its two nearest neighbours at one distance";
  }
  return result;
}

/// TwoNN by maximum likelihood: N / sum ln(r2 / r1).
/// Cost:   O(n^2).
/// Domain: undefined below 3 tokens, where all tokens have duplicates or all ratios are one. A
///         token with a duplicate is left out and counted; ties (r1 = r2 > 0) count with ln 1 = 0.
/// @post   both variants of TwoNN are unchanged by scaling the distances
/// Source: Facco et al. 2017, likelihood of the Pareto law of r2 / r1.
template <DistanceMatrix D>
Dimension two_nn_mle(D const& d) {
  auto const ratios = neighbour_ratios(d);
  double sum = 0;
  for (double const log : ratios.logs) sum += log;
  Dimension result{.outcome = ratios.outcome};
  if (sum > 0) result.value = double(ratios.logs.size()) / sum;
  return result;
}

struct TwoNnFitOptions {
  double kept = 0.9;  ///< share of the smallest ratios that enter the fit, in (0, 1]
};

/// TwoNN by the fit of Facco: the slope through the origin of -ln(1 - i / N) against the i-th
/// smallest ln(r2 / r1), over the smallest ratios: the largest are the noisiest, and the last has
/// no image.
/// Cost:   O(n^2).
/// Domain: as two_nn_mle.
/// Error:  std::invalid_argument for a share outside (0, 1].
/// @post   both variants of TwoNN are unchanged by scaling the distances
/// Source: Facco et al. 2017, section "Methods", which keeps 0.9.
template <DistanceMatrix D>
Dimension two_nn_fit(D const& d, TwoNnFitOptions options = {}) {
  if (!(options.kept > 0 && options.kept <= 1)) {
    throw std::invalid_argument("two_nn_fit: kept in (0, 1] expected, got " +
                                std::to_string(options.kept));
  }
  auto const ratios = neighbour_ratios(d);
  double const count = double(ratios.logs.size());
  double xy = 0;
  double xx = 0;
  for (std::size_t i = 0; i + 1 < ratios.logs.size() && double(i + 1) <= options.kept * count;
       ++i) {
    double const x = ratios.logs[i];
    xy -= x * std::log1p(-double(i + 1) / count);
    xx += x * x;
  }
  Dimension result{.outcome = ratios.outcome};
  if (xx > 0) {
    result.value = xy / xx;
  } else if (result.outcome.status == Status::ok) {
    result.outcome.status = Status::undefined;
    result.outcome.reason = "all ratios that enter the fit are one";
  }
  return result;
}

/// The participation ratio (sum L)^2 / sum L^2 of the eigenvalues L of the covariance of a cloud.
/// They are those of B = -J D^2 J / 2, J the centring, so that distances are enough: the trace of B
/// and its Frobenius norm give both sums.
/// Cost:   O(n^2) time, O(n) memory.
/// Domain: Euclidean distances; undefined where all tokens coincide, there are fewer than two, or
///         the squares of their distances leave the range of double.
/// @post the participation ratio is unchanged by rotating, shifting or scaling the cloud
template <DistanceMatrix D>
Dimension participation_ratio(D const& d) {
  int const n = d.size();
  std::vector<double> means(std::size_t(n), 0.0);  // of the squares in each row
  double total = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) means[std::size_t(i)] += d(i, j) * d(i, j) / n;
    total += means[std::size_t(i)] / n;
  }
  if (!(total > 0) || std::isinf(total)) {
    return {.outcome = {Status::undefined, 0, n,
                        n < 2        ? "fewer than 2 tokens"
                        : total == 0 ? "all tokens coincide"
                                     : "squared distances are out of range"}};
  }
  double trace = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double const centred =
          0.5 * (means[std::size_t(i)] + means[std::size_t(j)] - total - d(i, j) * d(i, j)) / total;
      squares += centred * centred;
      if (i == j) trace += centred;
    }
  }
  return {.value = trace * trace / squares, .outcome = {.n_used = n}};
}

}  // namespace tailor
