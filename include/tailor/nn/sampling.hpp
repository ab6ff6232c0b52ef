#pragma once
// The choice of a token from its logits.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace tailor {

/// How a token is chosen.
struct SamplingOptions {
  double temperature = 1;  ///< logits are divided by it; 0 takes the largest
  int top_k = 0;           ///< only the k largest logits are candidates; 0 = all
};

/// The token that `uniform` in [0, 1) falls on, candidates in order of falling logits and, among
/// equal ones, rising ids.
/// Throws std::invalid_argument for options that make no sense or no logits, std::domain_error
/// where a logit is not finite.
/// @post temperature 0 and top_k 1 both give the largest logit, the lowest id among equal ones
template <class T>
std::int32_t sample_token(std::span<T const> logits, SamplingOptions options, double uniform) {
  if (!(options.temperature >= 0) || !std::isfinite(options.temperature) || options.top_k < 0) {
    throw std::invalid_argument(
        "sample_token: temperature must be finite and, like top_k, not negative");
  }
  if (logits.empty()) throw std::invalid_argument("sample_token: there are no logits");
  for (T logit : logits) {
    if (!std::isfinite(logit)) throw std::domain_error("sample_token: a logit is not finite");
  }
  bool const greedy = options.temperature == 0;
  std::size_t const candidates =
      greedy
          ? 1
          : (options.top_k == 0 ? logits.size()
                                : std::min(static_cast<std::size_t>(options.top_k), logits.size()));
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  auto const at = [&](std::int32_t id) { return logits[static_cast<std::size_t>(id)]; };
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(candidates), order.end(),
      [&](std::int32_t a, std::int32_t b) { return at(a) != at(b) ? at(a) > at(b) : a < b; });
  if (candidates == 1) return order.front();

  std::vector<double> below(candidates);
  double sum = 0;
  for (std::size_t i = 0; i < candidates; ++i) {
    sum += std::exp((double(at(order[i])) - double(at(order.front()))) / options.temperature);
    below[i] = sum;
  }
  auto const found = std::upper_bound(below.begin(), below.end(), uniform * sum);
  auto const last = static_cast<std::ptrdiff_t>(candidates) - 1;
  return order[static_cast<std::size_t>(std::min(found - below.begin(), last))];
}

}  // namespace tailor
