#include "allocation_text.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include <tailor/allocation/header.hpp>  // name_of(ExponentRule), name_of(RoundingStatus)

namespace tailor_program {
namespace {

std::string layers_text(std::vector<int> const& layers) {
  std::string text;
  for (int layer : layers) text += (text.empty() ? "" : ", ") + std::to_string(layer);
  return text.empty() ? "none" : text;
}

/// Widths under the other choice of exponents, or why there are none.
std::vector<std::string> other_widths(tailor::Profile const& profile, tailor::Plan const& reference,
                                      tailor::AllocationOptions options) {
  options.exponents = options.exponents == tailor::ExponentRule::common
                          ? tailor::ExponentRule::per_layer
                          : tailor::ExponentRule::common;
  std::vector<std::string> cells(profile.layers.size(), "-");
  try {
    auto const widths = tailor::allocate(profile, reference, options).widths;
    for (std::size_t l = 0; l < widths.size(); ++l) cells[l] = std::to_string(widths[l]);
  } catch (std::invalid_argument const&) {
  }
  return cells;
}

}  // namespace

std::string allocation_text(tailor::Allocation const& allocation, tailor::Profile const& profile,
                            tailor::Plan const& reference,
                            tailor::AllocationOptions const& options) {
  auto const statistic = tailor::parse_statistic(options.statistic);
  auto const others = other_widths(profile, reference, options);
  bool const common = options.exponents == tailor::ExponentRule::common;
  std::string text =
      fmt::format("{:<12} {:>12} {:>11} {:>12} {:>9} {:>8} {:>10} {:>6} {:>18}\n", "layer",
                  "statistic", "std error", "smoothed", "dimension", "exponent", "optimum", "width",
                  common ? "width (per-layer)" : "width (common)");
  for (std::size_t l = 0; l < profile.layers.size(); ++l) {
    tailor::LayerProfile const& layer = profile.layers[l];
    tailor::Estimate const& work = layer.at(statistic);
    text += fmt::format(
        "{:<12} {:>12.5g} {:>11} {:>12.5g} {:>9.2f} {:>8.3f} {:>10.2f} {:>6} {:>18}\n", layer.name,
        work.mean, work.standard_error ? fmt::format("{:.2g}", *work.standard_error) : "-",
        allocation.difficulty[l], layer.dimension.mean, allocation.exponents[l],
        allocation.continuous[l], allocation.widths[l], others[l]);
  }
  text += fmt::format(
      "budget {} FFN parameters, spent {} ({}); grain {}, smoothing sigma {:g}, power {:g}, "
      "exponents {}; KKT residual {:.1e}\nlayers at their floor: {}; at their cap: {}\n",
      allocation.budget, allocation.spent, tailor::name_of(allocation.status), allocation.grain,
      allocation.smoothing, allocation.power, tailor::name_of(allocation.exponent_rule),
      allocation.kkt_residual, layers_text(allocation.at_floor), layers_text(allocation.at_cap));
  return text;
}

std::vector<std::string> given_names(tailor::Profile const& profile) {
  std::vector<std::string> names;
  bool counted = true;
  for (std::size_t l = 0; l < profile.layers.size(); ++l) {
    names.push_back(profile.layers[l].name);
    counted = counted && names.back() == fmt::format("layer {:02}", l);
  }
  return counted ? std::vector<std::string>{} : names;
}

nlohmann::json allocation_json(tailor::Allocation const& allocation, std::string const& text) {
  return {{"widths", allocation.widths},
          {"continuous", allocation.continuous},
          {"difficulty", allocation.difficulty},
          {"exponents", allocation.exponents},
          {"exponent_rule", std::string(tailor::name_of(allocation.exponent_rule))},
          {"at_floor", allocation.at_floor},
          {"at_cap", allocation.at_cap},
          {"grain", allocation.grain},
          {"smoothing", allocation.smoothing},
          {"power", allocation.power},
          {"kkt_residual", allocation.kkt_residual},
          {"budget", allocation.budget},
          {"spent", allocation.spent},
          {"status", std::string(tailor::name_of(allocation.status))},
          {"text", text}};
}

}  // namespace tailor_program
