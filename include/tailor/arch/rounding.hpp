#pragma once
// From real widths to integers on a grid under a budget: the one rounding that schedules and
// allocation share.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// Real widths to be rounded. All lists have one entry per layer; `prices` are parameters per unit
/// of width. Floors are rounded up to the grid of multiples of `grain`, caps down.
struct RoundingProblem {
  std::vector<double> wanted{};
  std::vector<std::int64_t> prices{};
  std::vector<int> floors{}, caps{};
  int grain = 1;
  std::int64_t budget = 0;
};

/// How the budget was met. `exact`: spent == budget. `within_one_quantum`: budget - spent <
/// quantum. `caps_bind`: every layer is at its cap and something is left. `infeasible_floors`: the
/// floors on the grid cost more than the budget, or exceed a cap on the grid; there are no widths
/// then.
enum class RoundingStatus { exact, within_one_quantum, caps_bind, infeasible_floors };

/// `quantum` is the grain times the price of the cheapest layer below its cap (0 where none is).
struct Rounding {
  std::vector<int> widths{};
  std::int64_t spent = 0;
  std::int64_t quantum = 0;
  RoundingStatus status = RoundingStatus::infeasible_floors;
};

namespace detail {

/// A layer on the grid: everything in steps of one grain, `wanted` in 2^-20 of a step so that ties
/// are ties whatever the last bits of the wanted widths are.
struct GridLayer {
  std::int64_t wanted = 0, price = 0, low = 0, high = 0, steps = 0;
  bool open = true;

  constexpr std::int64_t steps_at(std::int64_t shift) const {
    return open ? std::max(steps, std::clamp((wanted + shift) >> 20, low, high)) : steps;
  }
};

constexpr GridLayer grid_layer(RoundingProblem const& problem, std::size_t i) {
  auto const refuse = [i](char const* rule) {
    throw std::invalid_argument("round_to_budget: layer " + std::to_string(i) + ": " + rule);
  };
  double const wanted = problem.wanted[i];
  constexpr double limit = std::numeric_limits<int>::max();
  if (!(wanted >= -limit && wanted <= limit)) refuse("the wanted width must be a finite int");
  if (problem.prices[i] < 1) refuse("the price must be at least 1");
  if (problem.floors[i] < 0 || problem.caps[i] < 0) refuse("floor and cap must not be negative");
  std::int64_t const grain = problem.grain;
  std::int64_t const high = problem.caps[i] / grain;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  if (problem.prices[i] > most / grain / (high + 1)) refuse("price times cap is beyond 64 bits");
  double const fixed = wanted / problem.grain * (1 << 20);
  return {.wanted = static_cast<std::int64_t>(fixed < 0 ? fixed - .5 : fixed + .5),
          .price = problem.prices[i] * grain,
          .low = (problem.floors[i] + grain - 1) / grain,
          .high = high,
          .steps = (problem.floors[i] + grain - 1) / grain};
}

constexpr std::int64_t cost_at(std::vector<GridLayer> const& layers, std::int64_t shift) {
  std::int64_t cost = 0;
  for (auto const& layer : layers) cost += layer.price * layer.steps_at(shift);
  return cost;
}

}  // namespace detail

/// Widths on the grid, between floors and caps, that spend the budget as far as the grid allows.
///
/// One common shift is added to all wanted widths, each is cut down to the grid, and the shift is
/// raised as far as the budget allows: among neighbours this is the largest-remainder rule. Of
/// layers that reach their next step at the same shift the lower index goes first; a layer whose
/// step no longer fits drops out and the rest goes on. Wanted widths are read to 2^-20 of a grain.
///
/// Cost:   O(60 n) per layer that drops out; with equal prices none does before the end.
/// Throws std::invalid_argument where lists differ in length, grain < 1, a price < 1, a floor or
/// cap is negative, a wanted width is not finite, or a cost is beyond 64 bits.
/// @post   the price of the widths never exceeds the budget
/// @post   less than one quantum is unspent unless every layer is at its cap
/// @post   with equal prices and a budget on the grid the budget is spent exactly
/// @post   widths on the grid that spend the budget come back unchanged
constexpr Rounding round_to_budget(RoundingProblem const& problem) {
  auto const n = problem.wanted.size();
  if (problem.prices.size() != n || problem.floors.size() != n || problem.caps.size() != n) {
    throw std::invalid_argument(
        "round_to_budget: wanted, prices, floors and caps must have one entry per layer, got " +
        std::to_string(n) + ", " + std::to_string(problem.prices.size()) + ", " +
        std::to_string(problem.floors.size()) + ", " + std::to_string(problem.caps.size()));
  }
  if (problem.grain < 1) {
    throw std::invalid_argument("round_to_budget: grain must be at least 1, got " +
                                std::to_string(problem.grain));
  }

  std::vector<detail::GridLayer> layers(n);
  std::int64_t lowest = 0, highest = 0, most_expensive = 0;
  for (std::size_t i = 0; i < n; ++i) {
    layers[i] = detail::grid_layer(problem, i);
    if (layers[i].low > layers[i].high) return {};
    lowest = std::min(lowest, -layers[i].wanted);
    highest = std::max(highest, (layers[i].high << 20) - layers[i].wanted);
    auto const cost = layers[i].price * layers[i].high;
    if (cost > std::numeric_limits<std::int64_t>::max() - most_expensive) {
      throw std::invalid_argument("round_to_budget: the price of all caps is beyond 64 bits");
    }
    most_expensive += cost;
  }
  std::int64_t spent = detail::cost_at(layers, lowest);
  if (spent > problem.budget) return {};

  for (;;) {
    bool any_open = false;
    for (auto& layer : layers) {
      layer.open = layer.open && layer.steps < layer.high && layer.price <= problem.budget - spent;
      any_open = any_open || layer.open;
    }
    if (!any_open) break;

    auto fits = lowest, over = highest + 1;  // cost_at(fits) <= budget throughout
    while (over - fits > 1) {
      auto const middle = fits + (over - fits) / 2;
      (detail::cost_at(layers, middle) <= problem.budget ? fits : over) = middle;
    }
    for (auto& layer : layers) layer.steps = layer.steps_at(fits);
    spent = detail::cost_at(layers, fits);
    for (auto& layer : layers) {
      if (layer.steps_at(fits + 1) > layer.steps && layer.price <= problem.budget - spent) {
        ++layer.steps;
        spent += layer.price;
      }
    }
  }

  // Filled with a value: clang 14 cannot default-initialise a vector of int in a constant
  // expression.
  Rounding result{.widths = std::vector<int>(n, 0), .spent = spent};
  for (std::size_t i = 0; i < n; ++i) {
    result.widths[i] = static_cast<int>(layers[i].steps * problem.grain);
    if (layers[i].steps < layers[i].high &&
        (result.quantum == 0 || layers[i].price < result.quantum)) {
      result.quantum = layers[i].price;
    }
  }
  result.status = spent == problem.budget ? RoundingStatus::exact
                  : result.quantum == 0   ? RoundingStatus::caps_bind
                                          : RoundingStatus::within_one_quantum;
  return result;
}

}  // namespace tailor
