#pragma once
// The names of rules: how widths are chosen, as a command line and a results file spell it.

#include <tailor/geometry/statistic_name.hpp>  // StatisticName, all_statistics
#include <tailor/study/nearest_name.hpp>       // nearest_name

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// Where widths come from.
enum class RuleKind { uniform, cosine_taper, statistic, hourglass, hourglass_reallocated, oracle };

/// What is done to them: `anti` gives the largest width to the least work, `mirrored` reverses the
/// depth, `inverse` replaces the difficulty C by 1 / C, `random` is a new permutation per seed.
enum class Control { none, anti, mirrored, inverse, random };

/// A rule. `statistic` counts where the kind is statistic, `file` where it is oracle.
struct Rule {
  std::string name = "uniform";
  RuleKind kind = RuleKind::uniform;
  Control control = Control::none;
  StatisticName statistic = {};
  std::string file = {};

  bool operator==(Rule const&) const = default;
};

/// The rule needs a profile of the reference model.
constexpr bool needs_profile(Rule const& rule) {
  return rule.kind == RuleKind::statistic;
}

/// The rule makes another plan for every seed.
constexpr bool depends_on_seed(Rule const& rule) {
  return rule.control == Control::random;
}

namespace detail {

inline constexpr std::array<std::string_view, 5> control_names{"", "anti", "mirrored", "inverse",
                                                               "random"};

struct NamedKind {
  std::string_view name;
  RuleKind kind;
};
inline constexpr std::array<NamedKind, 4> plain_rules{
    {{"uniform", RuleKind::uniform},
     {"cosine-taper", RuleKind::cosine_taper},
     {"hourglass", RuleKind::hourglass},
     {"hourglass-reallocated", RuleKind::hourglass_reallocated}}};

inline std::optional<Rule> rule_without_control(std::string_view text) {
  for (auto const& [name, kind] : plain_rules)
    if (text == name) return Rule{.name = std::string(name), .kind = kind};
  for (auto const statistic : all_statistics)
    if (text == statistic.rule() || text == statistic.key())
      return Rule{.name = statistic.rule(), .kind = RuleKind::statistic, .statistic = statistic};
  constexpr std::string_view oracle = "oracle:";
  if (text.starts_with(oracle) && text.size() > oracle.size())
    return Rule{.name = std::string(text),
                .kind = RuleKind::oracle,
                .file = std::string(text.substr(oracle.size()))};
  return std::nullopt;
}

}  // namespace detail

/// Every rule that has a name of its own; before the nine statistics a control and a colon may
/// stand.
inline std::vector<std::string> rule_names() {
  std::vector<std::string> names{"uniform", "cosine-taper"};
  for (auto const statistic : all_statistics) names.push_back(statistic.rule());
  for (auto const* name : {"random", "hourglass", "hourglass-reallocated", "oracle:FILE"})
    names.push_back(name);
  return names;
}

/// The rule of a name: one of `rule_names`, or `anti:`, `mirrored:`, `inverse:`, `random:` before a
/// statistic; `mirrored:` and `random:` also before `cosine-taper` and `oracle:FILE`. `random`
/// alone permutes the widths of topological/hyperbolic. Throws std::invalid_argument that suggests
/// the nearest name and lists all.
/// @post   every rule is parsed from its own name
inline Rule parse_rule(std::string_view text) {
  if (auto const rule = detail::rule_without_control(text)) return *rule;
  StatisticName const topological{Statistic::topological, Geometry::hyperbolic};
  if (text == "random")
    return {.name = "random",
            .kind = RuleKind::statistic,
            .control = Control::random,
            .statistic = topological};

  std::string prefix;
  if (auto const colon = text.find(':'); colon != std::string_view::npos) {
    auto const found = std::find(detail::control_names.begin() + 1, detail::control_names.end(),
                                 text.substr(0, colon));
    auto const rest = text.substr(colon + 1);
    if (found != detail::control_names.end()) {
      prefix = std::string(*found) + ":";
      if (auto rule = detail::rule_without_control(rest)) {
        rule->control = static_cast<Control>(found - detail::control_names.begin());
        rule->name = prefix + rule->name;
        bool const order = rule->control == Control::mirrored || rule->control == Control::random;
        if (rule->kind == RuleKind::statistic ||
            (order && (rule->kind == RuleKind::cosine_taper || rule->kind == RuleKind::oracle)))
          return *rule;
        throw std::invalid_argument(
            "no rule \"" + rule->name + "\": " + prefix +
            (order ? " needs widths that differ between layers"
                   : " needs a work statistic, which " + std::string(rest) + " has not"));
      }
      text = rest;
    }
  }
  std::string list;
  for (auto const& name : rule_names()) list += (list.empty() ? "" : ", ") + name;
  std::vector<std::string> names;  // that could have been meant
  for (auto const statistic : all_statistics) names.push_back(statistic.rule());
  if (prefix.empty()) names = rule_names();
  throw std::invalid_argument("no rule \"" + prefix + std::string(text.substr(0, 64)) +
                              "\": did you mean " + prefix + nearest_name(text, names) +
                              "? The rules are " + list +
                              ", and anti:, mirrored:, inverse: or random: before a statistic");
}

}  // namespace tailor
