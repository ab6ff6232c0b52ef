#pragma once
// What FFN widths may cost, and the widths of the model that was measured.

#include <tailor/arch/budget.hpp>  // price_of_width
#include <tailor/arch/plan.hpp>    // Plan

#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// The FFN budget of a model in Count::ffn (matrices of the FFNs only, no norms), one entry per
/// layer: the widths of the measured reference, what one unit of width costs in parameters, and the
/// total that may be spent. A total of 0 means what the reference widths cost.
struct WidthBudget {
  std::vector<int> reference_widths;
  std::vector<std::int64_t> prices;
  std::int64_t total = 0;

  bool operator==(WidthBudget const&) const = default;
};

/// sum_l prices_l * widths_l.
/// Throws std::invalid_argument where the lists differ in length or the sum is beyond 64 bits.
inline std::int64_t price_of(std::span<std::int64_t const> prices, std::span<int const> widths) {
  if (prices.size() != widths.size())
    throw std::invalid_argument("price_of: expected one width per price, got " +
                                std::to_string(widths.size()) + " widths and " +
                                std::to_string(prices.size()) + " prices");
  std::int64_t sum = 0;
  for (std::size_t l = 0; l < prices.size(); ++l) {
    if (prices[l] < 0 || widths[l] < 0)
      throw std::invalid_argument("price_of: layer " + std::to_string(l) +
                                  " has a negative price or width");
    if (widths[l] > 0 && prices[l] > (std::numeric_limits<std::int64_t>::max() - sum) / widths[l])
      throw std::invalid_argument("price_of: the sum is beyond 64 bits at layer " +
                                  std::to_string(l));
    sum += prices[l] * widths[l];
  }
  return sum;
}

/// The FFN budget of a plan. A layer with several sub-blocks counts with the sum of their widths.
/// Throws std::invalid_argument where such a sum does not fit an int.
/// @post   the total of a plan is budget(plan), its Count::ffn
inline WidthBudget width_budget(Plan const& plan) {
  WidthBudget result;
  for (auto const& layer : plan.layers) {
    auto const width = std::accumulate(layer.widths.begin(), layer.widths.end(), std::int64_t{0});
    if (width < 0 || width > std::numeric_limits<int>::max())
      throw std::invalid_argument("width_budget: the widths of layer " +
                                  std::to_string(result.prices.size()) + " add up to " +
                                  std::to_string(width));
    result.reference_widths.push_back(static_cast<int>(width));
    result.prices.push_back(price_of_width(plan));
  }
  result.total = price_of(result.prices, result.reference_widths);
  return result;
}

}  // namespace tailor
