#pragma once
// Width schedules that need no profile: what allocated widths are compared with. Each spends
// exactly the FFN budget of a uniform reference width.

#include <tailor/arch/elementary.hpp>  // tailor::cos_pi, tailor::exp_series
#include <tailor/arch/philox.hpp>      // tailor::philox
#include <tailor/arch/rounding.hpp>    // tailor::round_to_budget
#include <tailor/arch/validate.hpp>    // tailor::PlanLimits

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// A taper from `start` to `end`, both in multiples of the reference width; only their ratio
/// counts, because the mean is made to be the reference. Widths are multiples of `grain`.
/// `steepness` is the sigmoid's: its argument runs from -steepness to steepness over the depth.
/// Source: start, end and grain as in Tapered Language Models (arXiv 2606.23670); the paper leaves
/// the steepness open, 5 is our choice.
struct Taper {
  double start = 1.5;
  double end = 0.5;
  int grain = 16;
  double steepness = 5;
};

/// Which third of the depth is wider than the others.
enum class Third { early, middle, late };

/// The wide third is `wide` times the reference; the other layers share what is left.
struct WiderThird {
  double wide = 1.5;
  int grain = 16;
};

/// Integer widths in the proportions of `wanted` that spend exactly wanted.size() * reference:
/// scaled to that sum, then rounded by round_to_budget. A wanted width above 0 becomes at least one
/// grain, so that no layer loses its FFN by rounding. Throws std::invalid_argument where there is
/// no layer, a wanted width is negative or not finite or all are 0, or the reference is not a
/// positive multiple of the grain.
/// @post   the widths are multiples of grain and their sum is layers times reference
constexpr std::vector<int> repaired_widths(std::vector<double> wanted, int reference, int grain) {
  auto const layers = static_cast<std::int64_t>(wanted.size());
  if (layers < 1 || layers > PlanLimits::layers) {
    throw std::invalid_argument("schedule: layers must be from 1 to 4096, got " +
                                std::to_string(layers));
  }
  if (grain < 1 || reference < grain || reference > PlanLimits::width || reference % grain != 0) {
    int const step = grain < 1 ? 1 : grain;
    int const below = reference / step * step;
    throw std::invalid_argument(
        "schedule: the reference width must be a positive multiple of the grain " +
        std::to_string(grain) + ", got " + std::to_string(reference) + "; the nearest are " +
        std::to_string(below < step ? step : below) + " and " + std::to_string(below + step));
  }
  double sum = 0;
  for (double width : wanted) {
    if (!(width >= 0 && width <= 1e9))
      throw std::invalid_argument("schedule: a wanted width must be from 0 to 1e9");
    sum += width;
  }
  if (!(sum > 0)) throw std::invalid_argument("schedule: every wanted width is 0");

  RoundingProblem problem{.grain = grain, .budget = layers * reference};
  for (double width : wanted) {
    problem.wanted.push_back(width / sum * static_cast<double>(problem.budget));
    problem.prices.push_back(1);
    problem.floors.push_back(width > 0 ? grain : 0);
    problem.caps.push_back(
        static_cast<int>(layers > (1 << 30) / reference ? 1 << 30 : layers * reference));
  }
  return round_to_budget(problem).widths;
}

namespace detail {

/// Depth of a layer from 0 (first) to 1 (last); a single layer stands in the middle.
constexpr double depth_of(int layer, int layers) {
  return layers == 1 ? .5 : static_cast<double>(layer) / (layers - 1);
}

/// The taper whose curve falls from 1 at depth 0 to 0 at depth 1.
template <class Curve>
constexpr std::vector<int> taper(int layers, int reference, Taper const& options, Curve curve) {
  if (!(options.start >= 0 && options.end >= 0))
    throw std::invalid_argument("schedule: start and end of a taper must not be negative");
  std::vector<double> wanted;
  for (int layer = 0; layer < layers && layer <= PlanLimits::layers; ++layer) {
    wanted.push_back(options.end + (options.start - options.end) * curve(depth_of(layer, layers)));
  }
  return repaired_widths(std::move(wanted), reference, options.grain);
}

}  // namespace detail

/// Half a cosine wave from start to end.
/// Throws std::invalid_argument as repaired_widths does.
/// @post   the widths are multiples of grain and their sum is layers times reference
/// Source: arXiv 2606.23670: end + (start - end) / 2 (1 + cos(pi l / (L - 1))), repaired.
constexpr std::vector<int> cosine_taper(int layers, int reference, Taper const& options = {}) {
  return detail::taper(layers, reference, options,
                       [](double depth) { return (1 + cos_pi(depth)) / 2; });
}

/// A straight line from start to end; OpenELM's multipliers are start 0.5, end 4.
constexpr std::vector<int> linear_taper(int layers, int reference, Taper const& options = {}) {
  return detail::taper(layers, reference, options, [](double depth) { return 1 - depth; });
}

/// A logistic curve, stretched so that it reaches start and end exactly.
/// Throws std::invalid_argument where the steepness is not in (0, 100].
constexpr std::vector<int> sigmoid_taper(int layers, int reference, Taper const& options = {}) {
  if (!(options.steepness > 0 && options.steepness <= 100))
    throw std::invalid_argument("sigmoid_taper: steepness must be in (0, 100]");
  auto const logistic = [&options](double depth) {
    return 1 / (1 + exp_series(options.steepness * (2 * depth - 1)));
  };
  double const first = logistic(0), last = logistic(1);
  return detail::taper(layers, reference, options,
                       [&](double depth) { return (logistic(depth) - last) / (first - last); });
}

/// One third of the layers wider, by the middle of each layer.
/// Throws std::invalid_argument for fewer than 3 layers, or where nothing would be left for the
/// others.
constexpr std::vector<int> wider_third(Third third, int layers, int reference,
                                       WiderThird const& options = {}) {
  if (layers < 3) {
    throw std::invalid_argument("wider_third: layers must be at least 3, got " +
                                std::to_string(layers));
  }
  auto const is_wide = [=](int layer) {
    return (2 * std::int64_t{layer} + 1) * 3 / (2 * std::int64_t{layers}) ==
           static_cast<int>(third);
  };
  int count = 0;
  for (int layer = 0; layer < layers; ++layer) count += is_wide(layer) ? 1 : 0;
  double const rest = (layers - options.wide * count) / (layers - count);
  if (!(options.wide > 0 && rest > 0)) {
    throw std::invalid_argument(
        "wider_third: wide must be positive and leave something to the other layers");
  }
  std::vector<double> wanted;
  for (int layer = 0; layer < layers; ++layer)
    wanted.push_back(is_wide(layer) ? options.wide : rest);
  return repaired_widths(std::move(wanted), reference, options.grain);
}

/// The same widths in reverse depth.
/// @post   reversed(reversed(widths)) == widths
constexpr std::vector<int> reversed(std::vector<int> widths) {
  for (std::size_t i = 0; i < widths.size() / 2; ++i)
    std::swap(widths[i], widths[widths.size() - 1 - i]);
  return widths;
}

/// The same widths in a random order: Fisher-Yates with one Philox draw per place. An order is
/// chosen with probability 1/n! up to n / 2^32 per draw.
/// @post   a permutation keeps every width and depends on the seed alone
constexpr std::vector<int> permuted(std::vector<int> widths, std::uint64_t seed) {
  for (std::size_t left = widths.size(); left > 1; --left) {
    std::uint64_t const word =
        philox({static_cast<std::uint32_t>(left), 0, 0, 0}, philox_key(seed))[0];
    std::swap(widths[left - 1], widths[static_cast<std::size_t>(word * left >> 32)]);
  }
  return widths;
}

}  // namespace tailor
