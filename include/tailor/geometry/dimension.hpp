#pragma once
// How many dimensions a cloud fills, from its distances.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DistanceMatrix
#include <tailor/geometry/status.hpp>           // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// A dimension, by the variant that the function's name says. The outcome counts tokens.
struct Dimension {
  double value = 0;  ///< not to be read where the outcome is undefined
  Outcome outcome;
};

/// ln(r2 / r1) of every token that has it, r1 and r2 the distances to its two nearest neighbours.
/// A token with a duplicate (r1 = 0) has none and is counted; two neighbours at one distance give
/// 0.
struct NeighbourRatios {
  std::vector<double> logs;  ///< ascending
  int duplicates = 0;
};

/// Cost:   O(n^2).
/// Domain: three points or more; fewer have no second neighbour and no ratio.
template <DistanceMatrix D>
NeighbourRatios neighbour_ratios(D const& d) {
  NeighbourRatios result;
  int const n = d.size();
  for (int i = 0; i < n && n >= 3; ++i) {
    double first = std::numeric_limits<double>::infinity();
    double second = first;
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      double const distance = d(i, j);
      second = std::min(second, std::max(first, distance));
      first = std::min(first, distance);
    }
    if (first > 0) {
      result.logs.push_back(std::log(second / first));
    } else {
      ++result.duplicates;
    }
  }
  std::sort(result.logs.begin(), result.logs.end());
  return result;
}

/// The outcome of an estimate from neighbour ratios, `informative` where they hold one.
inline Outcome ratio_outcome(NeighbourRatios const& ratios, int n, bool informative) {
  Outcome result{.n_used = int(ratios.logs.size()), .n_undefined = n - int(ratios.logs.size())};
  if (n < 3) {
    result.reason = "fewer than 3 tokens";
  } else if (ratios.logs.empty()) {
    result.reason = "every token has a duplicate";
  } else if (!informative) {
    result.reason = "every token has its two nearest neighbours at one distance";
  } else if (ratios.duplicates > 0) {
    result.reason = std::to_string(ratios.duplicates) + " tokens have a duplicate";
  }
  if (!informative) result.status = Status::undefined;
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
  Dimension result{.outcome = ratio_outcome(ratios, d.size(), sum > 0)};
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
  Dimension result{.outcome = ratio_outcome(ratios, d.size(), xx > 0)};
  if (xx > 0) result.value = xy / xx;
  return result;
}

/// The participation ratio (sum L)^2 / sum L^2 of the eigenvalues L of the covariance of a cloud.
/// They are those of B = -J D^2 J / 2, J the centring, so that distances are enough: the trace of B
/// and its Frobenius norm give both sums.
/// Cost:   O(n^2) time, O(n) memory.
/// Domain: Euclidean distances; undefined where all tokens coincide or there are fewer than two.
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
  if (!(total > 0)) {
    return {.outcome = {Status::undefined, 0, n,
                        n < 2 ? "fewer than 2 tokens" : "all tokens coincide"}};
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
