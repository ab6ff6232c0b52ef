#pragma once
// From a measured profile to integer widths: smooth, minimise the surrogate, round to the budget.

#include <tailor/allocation/optimizer.hpp>     // optimize_widths
#include <tailor/allocation/smoothing.hpp>     // smooth, default_smoothing
#include <tailor/allocation/surrogate.hpp>     // Surrogate, ExponentRule
#include <tailor/allocation/width_budget.hpp>  // WidthBudget, price_of
#include <tailor/arch/rounding.hpp>            // round_to_budget

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// What is allocated by. Lists have one entry per layer, in depth order.
struct AllocationProblem {
  std::vector<double> difficulty;      ///< the work statistic as measured
  std::vector<double> dimension = {};  ///< intrinsic dimension of each cloud, for the exponents
  WidthBudget budget = {};             ///< reference widths, prices and the total
  std::vector<double> exponents = {};  ///< given outright instead of `dimension`
  ExponentRule exponent_rule = ExponentRule::per_layer;
  std::vector<double> sensitivity = {};     ///< loss sensitivity; empty = 1 for all
  double power = 1;                         ///< the surrogate's difficulty is statistic^power
  std::optional<double> smoothing = {};     ///< sigma in layers; default 0 below 8 layers, else 0.5
  std::vector<int> floors = {}, caps = {};  ///< default a quarter of and four times the reference
  std::optional<int> grain = {};            ///< widths are multiples of it; see `default_grain`
};

/// Widths and everything that decided them.
struct Allocation {
  std::vector<int> widths;            ///< empty where the status is infeasible_floors
  std::vector<double> continuous;     ///< the optimum before rounding
  std::vector<double> difficulty;     ///< after smoothing, before the power
  std::vector<double> exponents;      ///< as used
  std::vector<int> floors, caps;      ///< on the grid, as used
  std::vector<int> at_floor, at_cap;  ///< layers where a bound holds the continuous optimum
  ExponentRule exponent_rule = ExponentRule::per_layer;
  double smoothing = 0, power = 1;
  int grain = 1;
  double log_mu = 0, kkt_residual = 0;  ///< of the continuous optimum
  std::int64_t budget = 0, spent = 0;   ///< in Count::ffn
  std::int64_t quantum = 0;  ///< the grain times the price of the cheapest layer below its cap
  RoundingStatus status = RoundingStatus::infeasible_floors;
};

/// The coarsest grain of 16, 8, 4, 2, 1 that divides every reference width and leaves each at least
/// 8 steps: multiples of 16 suit hardware, and steps above an eighth of a width would drown the
/// profile.
constexpr int default_grain(std::span<int const> reference_widths) {
  for (int grain : {16, 8, 4, 2})
    if (std::all_of(reference_widths.begin(), reference_widths.end(),
                    [grain](int width) { return width % grain == 0 && width / grain >= 8; }))
      return grain;
  return 1;
}

/// Throws std::invalid_argument that names the nearest reference width on the grid, unless all are
/// on it: the reference itself must be among the models the budget can buy.
inline void require_on_grid(std::span<int const> reference_widths, int grain) {
  if (grain < 1)
    throw std::invalid_argument("allocate: the grain must be at least 1, got " +
                                std::to_string(grain));
  for (std::size_t l = 0; l < reference_widths.size(); ++l) {
    std::int64_t const width = reference_widths[l];
    if (width < 1)
      throw std::invalid_argument("allocate: the reference width of layer " + std::to_string(l) +
                                  " must be positive, got " + std::to_string(width));
    if (width % grain == 0) continue;
    auto const nearest = std::max<std::int64_t>(1, (width + grain / 2) / grain) * grain;
    throw std::invalid_argument("allocate: the reference width " + std::to_string(width) +
                                " of layer " + std::to_string(l) +
                                " is not a multiple of the grain " + std::to_string(grain) +
                                "; the nearest is " + std::to_string(nearest));
  }
}

namespace detail {

/// Floors up to the grid, caps down; the defaults where the caller gave none.
inline std::vector<int> bounds_on_grid(std::vector<int> const& given,
                                       AllocationProblem const& problem, int grain, bool floor) {
  auto const& reference = problem.budget.reference_widths;
  if (!given.empty() && given.size() != reference.size())
    throw std::invalid_argument("allocate: expected " + std::to_string(reference.size()) +
                                (floor ? " floors" : " caps") + ", one per layer, got " +
                                std::to_string(given.size()));
  std::vector<int> bounds;
  for (std::size_t l = 0; l < reference.size(); ++l) {
    std::int64_t const wide = reference[l];
    std::int64_t const bound = !given.empty() ? given[l] : floor ? (wide + 3) / 4 : 4 * wide;
    std::int64_t const on_grid = (bound + (floor ? grain - 1 : 0)) / grain * grain;
    if (bound < 0 || on_grid > std::numeric_limits<int>::max())
      throw std::invalid_argument("allocate: the " + std::string(floor ? "floor" : "cap") +
                                  " of layer " + std::to_string(l) +
                                  " is out of range: " + std::to_string(bound));
    bounds.push_back(static_cast<int>(on_grid));
  }
  return bounds;
}

inline std::vector<double> exponents_of(AllocationProblem const& problem) {
  if (problem.exponents.empty() == problem.dimension.empty())
    throw std::invalid_argument("allocate: give either the intrinsic dimensions or the exponents");
  auto exponents = problem.exponents;
  for (double d : problem.dimension) {
    if (!(d > 0) || !std::isfinite(d))
      throw std::invalid_argument("allocate: the intrinsic dimension of layer " +
                                  std::to_string(exponents.size()) +
                                  " must be positive and finite, got " + detail::text_of(d));
    exponents.push_back(exponent_from_dimension(d));
  }
  return problem.exponent_rule == ExponentRule::common ? common_exponent(std::move(exponents))
                                                       : exponents;
}

}  // namespace detail

/// The integer widths that minimise the surrogate of a profile under a budget.
/// Cost:   O(L^2) for the smoothing, O(L) per step of the optimizer and the rounding.
/// Domain: throws std::invalid_argument, naming the layer, where a difficulty is negative,
/// undefined, or
///         zero after smoothing, a dimension is undefined, or a reference width is not on the grid.
/// @post   the budget is never exceeded and less than one quantum is left, or the status says why
/// @post   with equal prices and the budget of the reference the budget is spent exactly
/// @post   a constant profile with one common exponent gives a uniform reference back
inline Allocation allocate(AllocationProblem const& problem) {
  auto const& reference = problem.budget.reference_widths;
  std::size_t const layers = reference.size();
  for (std::size_t l = 0; l < problem.difficulty.size(); ++l)
    if (!(problem.difficulty[l] >= 0))
      throw std::invalid_argument("allocate: the difficulty of layer " + std::to_string(l) +
                                  " must not be negative or undefined, got " +
                                  detail::text_of(problem.difficulty[l]));
  if (problem.difficulty.size() != layers)
    throw std::invalid_argument("allocate: expected " + std::to_string(layers) +
                                " difficulties, one per reference width, got " +
                                std::to_string(problem.difficulty.size()));

  Allocation result;
  result.grain = problem.grain.value_or(default_grain(reference));
  require_on_grid(reference, result.grain);
  result.smoothing = problem.smoothing.value_or(default_smoothing(static_cast<int>(layers)));
  result.difficulty = smooth(problem.difficulty, result.smoothing);
  result.exponent_rule = problem.exponent_rule;
  result.exponents = detail::exponents_of(problem);
  result.power = problem.power;
  result.floors = detail::bounds_on_grid(problem.floors, problem, result.grain, true);
  result.caps = detail::bounds_on_grid(problem.caps, problem, result.grain, false);
  result.budget =
      problem.budget.total != 0 ? problem.budget.total : price_of(problem.budget.prices, reference);

  auto const real = [](auto const& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  auto const optimum = optimize_widths({.surrogate = {.difficulty = result.difficulty,
                                                      .exponents = result.exponents,
                                                      .reference_widths = real(reference),
                                                      .sensitivity = problem.sensitivity,
                                                      .power = problem.power},
                                        .prices = real(problem.budget.prices),
                                        .budget = static_cast<double>(result.budget),
                                        .floors = real(result.floors),
                                        .caps = real(result.caps)});
  auto const rounded = round_to_budget({.wanted = optimum.widths,
                                        .prices = problem.budget.prices,
                                        .floors = result.floors,
                                        .caps = result.caps,
                                        .grain = result.grain,
                                        .budget = result.budget});
  result.continuous = optimum.widths;
  result.at_floor = optimum.at_floor;
  result.at_cap = optimum.at_cap;
  result.log_mu = optimum.log_mu;
  result.kkt_residual = optimum.kkt_residual;
  result.widths = rounded.widths;
  result.spent = rounded.spent;
  result.quantum = rounded.quantum;
  result.status = rounded.status;
  return result;
}

}  // namespace tailor
