#pragma once
// From a measured Profile to widths: which statistic is the difficulty, which model was measured.

#include <tailor/allocation/allocate.hpp>      // allocate, Allocation
#include <tailor/allocation/width_budget.hpp>  // width_budget
#include <tailor/arch/plan.hpp>                // Plan
#include <tailor/arch/text_of.hpp>             // detail::text_of, for the messages
#include <tailor/arch/validate.hpp>            // PlanLimits
#include <tailor/geometry/profile.hpp>         // Profile, values, dimensions
#include <tailor/geometry/statistic_name.hpp>  // parse_statistic

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// Everything that the papers leave open about turning a profile into widths, with our defaults.
struct AllocationOptions {
  std::string statistic = "topological/hyperbolic";
  std::int64_t budget = 0;  ///< in Count::ffn; 0 = what the reference spends
  ExponentRule exponents = ExponentRule::per_layer;
  double power = 1;                      ///< difficulty = statistic^power
  std::optional<double> smoothing = {};  ///< sigma in layers; default 0 below 8 layers, else 0.5
  std::optional<int> grain = {};         ///< default `default_grain`
  double floor = 0.25;                   ///< of each reference width
  double cap = 4;                        ///< of each reference width
  std::vector<double> sensitivity = {};  ///< loss sensitivity per layer; empty = 1
};

/// The widths that a profile gives, where `reference` is the plan of the model that was measured.
/// Throws std::invalid_argument where the statistic or a dimension is undefined in some layer, and
/// as `allocate(AllocationProblem)` does.
inline Allocation allocate(Profile const& profile, Plan const& reference,
                           AllocationOptions const& options = {}) {
  auto const statistic = parse_statistic(options.statistic);
  if (profile.layers.size() != reference.layers.size())
    throw std::invalid_argument("allocate: the profile has " +
                                std::to_string(profile.layers.size()) + " layers, the plan " +
                                std::to_string(reference.layers.size()));
  if (!(options.floor >= 0 && options.floor <= 1 && options.cap >= 1 && options.cap <= 1e4))
    throw std::invalid_argument(
        "allocate: expected 0 <= floor <= 1 <= cap <= 10000, in reference widths, got floor " +
        detail::text_of(options.floor) + " and cap " + detail::text_of(options.cap));
  AllocationProblem problem{.difficulty = values(profile, statistic),
                            .dimension = dimensions(profile),
                            .budget = width_budget(reference),
                            .exponent_rule = options.exponents,
                            .sensitivity = options.sensitivity,
                            .power = options.power,
                            .smoothing = options.smoothing,
                            .grain = options.grain};
  if (options.budget != 0) problem.budget.total = options.budget;
  for (int width : problem.budget.reference_widths) {
    if (width > PlanLimits::width)
      throw std::invalid_argument("allocate: a reference width is above " +
                                  std::to_string(PlanLimits::width));
    problem.floors.push_back(static_cast<int>(std::ceil(options.floor * width)));
    problem.caps.push_back(static_cast<int>(std::min(options.cap * width, 1. * PlanLimits::width)));
  }
  return allocate(problem);
}

}  // namespace tailor
