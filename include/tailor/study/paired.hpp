#pragma once
// Paired differences over seeds: two models of one seed share everything but what is compared, so
// the spread between seeds cancels and only differences are judged.

#include <tailor/study/student_t.hpp>  // critical_t, detectable_shift

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// A number that belongs to a seed: the loss of its run, or a difference of two losses.
struct SeedValue {
  std::uint64_t seed = 0;
  double value = 0;

  bool operator==(SeedValue const&) const = default;
};

/// Differences, rule minus reference, in ascending order of seed, and what could not be paired.
struct PairedDifferences {
  std::vector<SeedValue> pairs;
  std::vector<std::uint64_t> unpaired;   ///< seeds that only one of the two has
  std::vector<std::uint64_t> undefined;  ///< seeds of which a loss is not finite
};

/// The differences of the seeds that both have.
/// Throws std::invalid_argument where one side has a seed twice.
/// @post   swapping the sides changes the sign of every difference
inline PairedDifferences paired_differences(std::span<SeedValue const> rule,
                                            std::span<SeedValue const> reference) {
  auto const by_seed = [](std::span<SeedValue const> values, std::string_view side) {
    std::map<std::uint64_t, double> result;
    for (auto const& [seed, value] : values)
      if (!result.emplace(seed, value).second)
        throw std::invalid_argument("paired_differences: the " + std::string(side) + " has seed " +
                                    std::to_string(seed) + " twice");
    return result;
  };
  auto const ours = by_seed(rule, "rule"), theirs = by_seed(reference, "reference");
  PairedDifferences result;
  for (auto const& [seed, value] : ours) {
    auto const other = theirs.find(seed);
    if (other == theirs.end())
      result.unpaired.push_back(seed);
    else if (!std::isfinite(value) || !std::isfinite(other->second))
      result.undefined.push_back(seed);
    else
      result.pairs.push_back({seed, value - other->second});
  }
  for (auto const& [seed, value] : theirs)
    if (!ours.contains(seed)) result.unpaired.push_back(seed);
  return result;
}

struct Interval {
  double low = 0, high = 0;
};

/// Mean and standard deviation (n - 1 in the denominator; nothing below two values) of differences.
struct Spread {
  int pairs = 0;
  double mean = 0;  ///< no meaning with 0 pairs
  std::optional<double> sd = {};
};

inline Spread spread_of(std::span<SeedValue const> differences) {
  Spread spread{.pairs = static_cast<int>(differences.size())};
  for (auto const& difference : differences) spread.mean += difference.value / spread.pairs;
  if (spread.pairs < 2) return spread;
  double const first = differences.front().value;
  if (std::all_of(differences.begin(), differences.end(),
                  [first](SeedValue const& d) { return d.value == first; }))
    return {.pairs = spread.pairs, .mean = first, .sd = 0.0};  // rounding must not look like spread
  double squares = 0;
  for (auto const& difference : differences)
    squares += (difference.value - spread.mean) * (difference.value - spread.mean);
  spread.sd = std::sqrt(squares / (spread.pairs - 1));
  return spread;
}

/// The t interval that covers the true mean difference with probability 1 - alpha, where
/// differences are normal.
/// Domain: two pairs or more and a spread; nothing otherwise.
inline std::optional<Interval> t_interval(Spread const& spread, double alpha) {
  if (!spread.sd || *spread.sd == 0) return std::nullopt;
  double const half = critical_t(alpha, spread.pairs - 1) * *spread.sd / std::sqrt(spread.pairs);
  return Interval{spread.mean - half, spread.mean + half};
}

/// The p value of the two-sided paired t test.
/// Domain: as `t_interval`.
inline std::optional<double> t_test_p(Spread const& spread) {
  if (!spread.sd || *spread.sd == 0) return std::nullopt;
  return two_sided_p(spread.mean / (*spread.sd / std::sqrt(spread.pairs)), spread.pairs - 1);
}

/// The smallest true difference that a two-sided paired t test at level `alpha` detects with
/// probability `power`, with this many pairs and this spread (taken as the true one): from the
/// noncentral t distribution.
/// Domain: as `t_interval`.
inline std::optional<double> smallest_detectable(Spread const& spread, double alpha,
                                                 double power = 0.8) {
  if (!spread.sd || *spread.sd == 0) return std::nullopt;
  return detectable_shift(alpha, power, spread.pairs - 1) * *spread.sd / std::sqrt(spread.pairs);
}

}  // namespace tailor
