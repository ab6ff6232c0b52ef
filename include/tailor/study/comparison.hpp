#pragma once
// Several rules against one reference: what the paired seeds show, in numbers and in one sentence
// each.

#include <tailor/study/bca.hpp>        // bca_interval
#include <tailor/study/paired.hpp>     // paired_differences, t_interval, smallest_detectable
#include <tailor/study/sign_flip.hpp>  // sign_flip_p

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// With fewer pairs there is no verdict: an interval from four differences hides more than it
/// shows.
inline constexpr int verdict_fewest = 5;

/// A rule and the losses of its runs.
struct RuleLosses {
  std::string rule;
  std::vector<SeedValue> losses;
};

struct ComparisonOptions {
  double alpha = 0.05;  ///< the chance that any interval of the verdicts misses its true difference
  double power = 0.8;   ///< of the smallest detectable difference
  std::string unit = "nats";
  BootstrapOptions bootstrap = {};
};

/// `too_few`: below five pairs. `no_spread`: all differences are equal, so there is nothing to
/// judge their mean by.
enum class ComparisonStatus { ok, too_few, no_spread };

/// One rule against the reference; differences are rule minus reference, so lower is better. What
/// needs more pairs, or a spread, is empty.
struct Comparison {
  std::string rule;
  PairedDifferences differences;
  Spread spread;
  ComparisonStatus status = ComparisonStatus::too_few;
  std::optional<Interval> interval;           ///< t interval of this rule alone
  std::optional<Interval> simultaneous;       ///< t interval at alpha / family: Bonferroni
  std::optional<double> p;                    ///< two-sided paired t test
  std::optional<double> holm_p;               ///< the same, adjusted over the family by Holm
  std::optional<double> smallest_detectable;  ///< at alpha / family, the level of the verdict
  std::optional<double> sign_flip;            ///< exact p, from 6 pairs to 20
  std::optional<Interval> bootstrap;          ///< BCa, from 10 pairs
  int family = 1;  ///< rules that intervals and p values are simultaneous over
  std::string verdict;
};

/// p values adjusted so that rejecting those below alpha keeps the chance of any false rejection
/// below alpha.
/// @post   no adjusted value is below its p value or above 1, and the order is kept
/// Source: Holm, A simple sequentially rejective multiple test procedure (1979).
inline std::vector<double> holm(std::span<double const> p_values) {
  std::vector<std::size_t> order(p_values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    double const steps = static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, steps * p_values[order[rank]]));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

namespace detail {

/// `value` with as many decimals as two significant digits of `scale` have.
inline std::string rounded_like(double value, double scale) {
  int const decimals =
      scale > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(scale))), 0, 12) : 4;
  char text[400];  // a double has at most 309 digits before the point
  auto const end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
  return {text, end};
}

inline std::string verdict_of(Comparison const& c, ComparisonOptions const& options) {
  std::string const seeds = std::to_string(c.spread.pairs) + " seeds";
  if (c.status == ComparisonStatus::too_few)
    return "too few seeds for a verdict (" + std::to_string(c.spread.pairs) + " of at least " +
           std::to_string(verdict_fewest) + ")";
  if (c.status == ComparisonStatus::no_spread)
    return c.spread.mean == 0 ? "no difference: all " + seeds + " are equal"
                              : "all " + seeds + " differ by the same " +
                                    rounded_like(std::abs(c.spread.mean), std::abs(c.spread.mean)) +
                                    " " + options.unit + "; without a spread there is no interval";
  Interval const i = *c.simultaneous;
  double const half = (i.high - i.low) / 2;
  if (i.low <= 0 && i.high >= 0)
    return "no difference seen; effects above " +
           rounded_like(*c.smallest_detectable, *c.smallest_detectable) + " " + options.unit +
           " would have been (" + seeds + ")";
  bool const lower = i.high < 0;
  std::string const percent = rounded_like(100 * (1 - options.alpha), 10);
  return std::string(lower ? "lower" : "higher") + " by " +
         rounded_like(std::abs(c.spread.mean), half) + " " + options.unit + " (" + percent +
         " % interval " + rounded_like(lower ? -i.high : i.low, half) + " to " +
         rounded_like(lower ? -i.low : i.high, half) +
         (c.family > 1 ? ", simultaneous over " + std::to_string(c.family) + " rules" : "") + ", " +
         seeds + ")";
}

}  // namespace detail

/// Every rule against the reference. The family that levels are shared over is the rules with five
/// pairs or more and a spread: how many they are is known before any difference is.
/// Throws std::invalid_argument where a rule has a seed twice, or unless 0 < alpha < power < 1.
/// @post   the simultaneous intervals hold together in a share 1 - alpha of experiments
/// @post   below five pairs the verdict is that they are too few
inline std::vector<Comparison> compare(std::span<RuleLosses const> rules,
                                       std::span<SeedValue const> reference,
                                       ComparisonOptions const& options = {}) {
  if (!(options.alpha > 0 && options.alpha < options.power && options.power < 1))
    throw std::invalid_argument("compare: expected 0 < alpha < power < 1, got alpha " +
                                std::to_string(options.alpha) + " and power " +
                                std::to_string(options.power));
  std::vector<Comparison> result;
  std::vector<std::size_t> family;
  std::vector<double> p_values;
  for (auto const& rule : rules) {
    Comparison c;
    c.rule = rule.rule;
    c.differences = paired_differences(rule.losses, reference);
    c.spread = spread_of(c.differences.pairs);
    if (c.spread.pairs >= verdict_fewest)
      c.status = *c.spread.sd > 0 ? ComparisonStatus::ok : ComparisonStatus::no_spread;
    c.p = t_test_p(c.spread);
    if (c.status == ComparisonStatus::ok) {
      family.push_back(result.size());
      p_values.push_back(*c.p);
    }
    result.push_back(std::move(c));
  }
  auto const adjusted = holm(p_values);
  for (std::size_t i = 0; i < family.size(); ++i) result[family[i]].holm_p = adjusted[i];

  auto bootstrap = options.bootstrap;
  bootstrap.alpha = options.alpha;
  for (auto& c : result) {
    c.family = std::max(1, static_cast<int>(family.size()));
    c.interval = t_interval(c.spread, options.alpha);
    c.simultaneous = t_interval(c.spread, options.alpha / c.family);
    c.smallest_detectable = smallest_detectable(c.spread, options.alpha / c.family, options.power);
    c.sign_flip = sign_flip_p(c.differences.pairs);
    c.bootstrap = bca_interval(c.differences.pairs, bootstrap);
    c.verdict = detail::verdict_of(c, options);
  }
  return result;
}

}  // namespace tailor
