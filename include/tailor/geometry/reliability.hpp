#pragma once
// How much of a profile would come out again from other samples.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// The ranks 1 .. n of some values; equal values share the mean of their ranks.
inline std::vector<double> ranks(std::span<double const> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) result[order[i]] = double(first + last + 1) / 2;
    first = last;
  }
  return result;
}

/// Spearman's rank correlation; nothing where one side is constant or has fewer than three values.
/// Error: std::invalid_argument for lists of different sizes.
inline std::optional<double> rank_correlation(std::span<double const> x,
                                              std::span<double const> y) {
  if (x.size() != y.size()) {
    throw std::invalid_argument("rank_correlation: two lists of one size expected, got " +
                                std::to_string(x.size()) + " and " + std::to_string(y.size()));
  }
  if (x.size() < 3) return {};
  std::vector<double> const a = ranks(x);
  std::vector<double> const b = ranks(y);
  double const centre = double(x.size() + 1) / 2;
  double aa = 0;
  double bb = 0;
  double ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - centre) * (a[i] - centre);
    bb += (b[i] - centre) * (b[i] - centre);
    ab += (a[i] - centre) * (b[i] - centre);
  }
  if (aa == 0 || bb == 0) return {};
  return ab / std::sqrt(aa * bb);
}

/// The mean rank correlation over all pairs of profiles.
/// Domain: every profile has the same layers; nothing below two profiles or three layers, or where
///         a profile is constant.
/// Cost:   O(k^2 layers log layers).
inline std::optional<double> mean_rank_correlation(std::span<std::vector<double> const> profiles) {
  double sum = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    for (std::size_t j = i + 1; j < profiles.size(); ++j) {
      auto const r = rank_correlation(profiles[i], profiles[j]);
      if (!r) return {};
      sum += *r;
      ++pairs;
    }
  }
  if (pairs == 0) return {};
  return sum / pairs;
}

/// The reliability of the mean of k profiles whose mean rank correlation is r, by Spearman and
/// Brown: k r / (1 + (k - 1) r). Where r is not positive the samples agree no better than chance
/// and the reliability is 0.
constexpr double reliability_of_mean(double r, int k) {
  return r > 0 ? k * r / (1 + (k - 1) * r) : 0;
}

}  // namespace tailor
