#pragma once
// The bias-corrected and accelerated bootstrap interval of a mean difference.

#include <tailor/arch/philox.hpp>      // philox, philox_key
#include <tailor/study/paired.hpp>     // SeedValue, Interval, spread_of
#include <tailor/study/student_t.hpp>  // normal_cdf, normal_quantile

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tailor {

/// With fewer pairs the bootstrap covers far less than it promises.
inline constexpr int bootstrap_fewest = 10;

struct BootstrapOptions {
  double alpha = 0.05;
  int resamples = 9999;  ///< so that alpha / 2 times one more is whole
  std::uint64_t seed = 1;
};

/// The BCa interval of the mean of the differences.
/// Cost:   resamples * n draws.
/// Domain: 10 pairs or more and a spread; nothing otherwise.
/// @post   the same seed gives the same interval, and another seed nearly the same
/// Source: Efron, Better bootstrap confidence intervals (JASA 1987).
inline std::optional<Interval> bca_interval(std::span<SeedValue const> differences,
                                            BootstrapOptions const& options = {}) {
  Spread const spread = spread_of(differences);
  if (spread.pairs < bootstrap_fewest || *spread.sd == 0 || options.resamples < 1)
    return std::nullopt;
  auto const n = static_cast<std::uint32_t>(spread.pairs);
  std::vector<double> means(static_cast<std::size_t>(options.resamples), 0.0);
  auto const key = philox_key(options.seed);
  for (std::uint32_t resample = 0; resample < means.size(); ++resample) {
    double sum = 0;
    PhiloxCounter words{};
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i % 4 == 0) words = philox({i / 4, resample, 0, 0}, key);
      sum += differences[std::uint64_t{words[i % 4]} * n >> 32].value;
    }
    means[resample] = sum / n;
  }
  std::sort(means.begin(), means.end());

  auto const below = std::lower_bound(means.begin(), means.end(), spread.mean) - means.begin();
  auto const up_to = std::upper_bound(means.begin(), means.end(), spread.mean) - means.begin();
  double const count = options.resamples;
  double const bias =
      normal_quantile(std::clamp((below + up_to) / 2.0 / count, 0.5 / count, 1 - 0.5 / count));
  double squares = 0, cubes = 0;
  for (auto const& difference : differences) {
    double const centred = (difference.value - spread.mean) / *spread.sd;
    squares += centred * centred;
    cubes += centred * centred * centred;
  }
  double const acceleration = cubes / (6 * std::pow(squares, 1.5));
  auto const quantile = [&](double p) {
    double const z = bias + normal_quantile(p);
    double const adjusted = normal_cdf(bias + z / (1 - acceleration * z));
    double const rank = std::clamp(adjusted * (count + 1), 1.0, count);
    return means[static_cast<std::size_t>(std::lround(rank)) - 1];
  };
  return Interval{quantile(options.alpha / 2), quantile(1 - options.alpha / 2)};
}

}  // namespace tailor
