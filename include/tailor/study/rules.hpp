#pragma once
// From a rule and a measured reference to the plan that the rule would train, at the reference's
// budget.

#include <tailor/allocation/allocate.hpp>     // Allocation
#include <tailor/arch/budget.hpp>             // parameters
#include <tailor/arch/plan.hpp>               // Plan
#include <tailor/arch/plan_of.hpp>            // with_widths, widths_of
#include <tailor/arch/schedules.hpp>          // cosine_taper, reversed, permuted
#include <tailor/arch/validate.hpp>           // validate
#include <tailor/geometry/profile.hpp>        // Profile
#include <tailor/study/allocate_profile.hpp>  // allocate(Profile), AllocationOptions
#include <tailor/study/hourglass_rules.hpp>   // hourglass_of, reallocated_hourglass
#include <tailor/study/rule.hpp>              // Rule
#include <tailor/study/width_list.hpp>        // read_width_list

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The plan of a rule. Rules that come to the same plan compare equal by it, and run once.
struct RulePlan {
  Plan plan;
  std::optional<Allocation> allocation =
      {};                    ///< of the statistic, before a control moved its widths
  std::int64_t surplus = 0;  ///< Count::matrices above the reference; 0 = matched exactly
};

/// The one FFN width of a reference that has the same in every layer.
/// Throws std::invalid_argument, naming the first layer that differs.
inline int uniform_width(Plan const& plan) {
  for (std::size_t l = 0; l < plan.layers.size(); ++l)
    if (plan.layers[l].widths.size() != 1 || plan.layers[l].widths != plan.layers[0].widths)
      throw std::invalid_argument(
          "expected a reference with one FFN of the same width in every layer; layer " +
          std::to_string(l) + " differs");
  if (plan.layers.empty())
    throw std::invalid_argument("expected a reference with at least one layer, got 0");
  return plan.layers[0].widths[0];
}

/// The same widths, the largest where there is least work. Among equal work the shallower layer
/// counts as less.
/// @post   anti gives the largest width to the smallest work
inline std::vector<int> anti_widths(std::vector<int> widths, std::vector<double> const& work) {
  if (widths.size() != work.size())
    throw std::invalid_argument("anti: expected one width per layer, got " +
                                std::to_string(widths.size()) + " widths and work of " +
                                std::to_string(work.size()) + " layers");
  std::vector<std::size_t> order(work.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return work[a] < work[b]; });
  std::sort(widths.begin(), widths.end(), std::greater<>());
  std::vector<int> result(widths.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) result[order[rank]] = widths[rank];
  return result;
}

/// What a rule trains in the place of `reference`, matched to its Count::matrices: exactly, except
/// by `oracle:FILE`, whose surplus is told. The seed counts only where `depends_on_seed(rule)`.
/// Throws std::invalid_argument where the rule needs a profile and there is none, where floors
/// leave no widths, and as the parts do.
/// @post   every rule matches the reference's Count::matrices exactly, an oracle apart
/// @post   random is a new permutation per seed, and one seed gives one plan
/// @post   anti, mirrored and random keep every width of the rule they stand before
inline RulePlan plan_for(Rule const& rule, Plan const& reference, Profile const* profile = nullptr,
                         std::uint64_t seed = 0, AllocationOptions options = {}) {
  validate(reference);
  RulePlan result{.plan = reference};
  std::vector<int> widths;
  switch (rule.kind) {
    case RuleKind::uniform:
      uniform_width(reference);
      break;
    case RuleKind::hourglass:
      result.plan = hourglass_of(reference);
      break;
    case RuleKind::hourglass_reallocated:
      result.plan = reallocated_hourglass(reference);
      break;
    case RuleKind::cosine_taper: {
      int const width = uniform_width(reference);
      widths = cosine_taper(static_cast<int>(reference.layers.size()), width,
                            {.grain = options.grain.value_or(default_grain({&width, 1}))});
      break;
    }
    case RuleKind::oracle:
      widths = read_width_list(rule.file);
      if (widths.size() != reference.layers.size())
        throw std::invalid_argument(rule.name + ": expected " +
                                    std::to_string(reference.layers.size()) +
                                    " widths, one per layer, got " + std::to_string(widths.size()));
      break;
    case RuleKind::statistic: {
      if (profile == nullptr)
        throw std::invalid_argument("the rule " + rule.name +
                                    " needs a profile of the reference model");
      for (std::size_t l = 0; l < reference.layers.size(); ++l)
        if (reference.layers[l].widths.size() != 1)
          throw std::invalid_argument("the rule " + rule.name + " needs one FFN per layer, layer " +
                                      std::to_string(l) + " has " +
                                      std::to_string(reference.layers[l].widths.size()));
      options.statistic = rule.statistic.rule();
      if (rule.control == Control::inverse) options.power = -options.power;
      result.allocation = allocate(*profile, reference, options);
      widths = result.allocation->widths;
      if (widths.empty())
        throw std::invalid_argument("the rule " + rule.name +
                                    " has no widths: the floors cost more than the budget");
      if (rule.control == Control::anti)
        widths = anti_widths(std::move(widths), result.allocation->difficulty);
      break;
    }
  }
  // Orders must not share their random words with the initial values of the same seed.
  constexpr std::uint64_t order_of_widths = 0x7769647468730001;
  if (rule.control == Control::mirrored) widths = reversed(std::move(widths));
  if (rule.control == Control::random) widths = permuted(std::move(widths), seed ^ order_of_widths);
  if (!widths.empty()) result.plan = with_widths(std::move(result.plan), widths);
  validate(result.plan);
  result.surplus = parameters(result.plan) - parameters(reference);
  return result;
}

}  // namespace tailor
