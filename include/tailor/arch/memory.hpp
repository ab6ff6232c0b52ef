#pragma once
// Bytes that training and generation need beside the parameters themselves.

#include <tailor/arch/budget.hpp>       // tailor::parameters, tailor::Count
#include <tailor/arch/plan.hpp>         // tailor::Plan
#include <tailor/arch/transformer.hpp>  // tailor::Architecture, tailor::plan_of

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace tailor {

/// Numbers per token that a training step keeps from the forward to the backward pass. Per layer
/// with attention: the residual stream at its start, queries, keys and values after the rotation,
/// the attention output and one log-sum-exp per head. Per sub-MLP: the residual stream before it;
/// its hidden activations are recomputed. Last: the residual stream before the output norm.
constexpr std::int64_t kept_per_token(Plan const& plan) {
  std::int64_t kept = plan.d_model;
  for (auto const& layer : plan.layers) {
    if (layer.heads > 0) {
      kept += std::int64_t{plan.d_model} + 2 * std::int64_t{layer.attention_width()} +
              2 * std::int64_t{layer.kv_width()} + layer.heads;
    }
    for (int width : layer.widths) kept += width > 0 ? plan.d_model : 0;
  }
  return kept;
}

/// Bytes of the activations that one step over `tokens` tokens keeps: an estimate of the large
/// part. Scratch (hidden activations of one panel, logits) is not in it. Throws
/// std::invalid_argument where tokens or bytes_per_number is not positive, or the result does not
/// fit 64 bits.
constexpr std::int64_t activation_bytes(Plan const& plan, std::int64_t tokens,
                                        int bytes_per_number = 4) {
  if (tokens < 1 || bytes_per_number < 1) {
    throw std::invalid_argument(
        "activation_bytes: tokens and bytes_per_number must be positive, got " +
        std::to_string(tokens) + " and " + std::to_string(bytes_per_number));
  }
  std::int64_t const per_token = kept_per_token(plan);
  if (tokens > std::numeric_limits<std::int64_t>::max() / bytes_per_number / per_token) {
    throw std::invalid_argument("activation_bytes: the bytes of " + std::to_string(tokens) +
                                " tokens do not fit 64 bits");
  }
  return per_token * tokens * bytes_per_number;
}

/// Bytes of the optimizer state: AdamW keeps two moments of every parameter (Count::all).
constexpr std::int64_t optimizer_bytes(Plan const& plan, int bytes_per_number = 4) {
  return 2 * parameters(plan, Count::all) * bytes_per_number;
}

/// Bytes that one more token adds to the key-value cache, in layers whose window is not yet full.
constexpr std::int64_t kv_cache_bytes_per_token(Plan const& plan, int bytes_per_number = 4) {
  std::int64_t numbers = 0;
  for (auto const& layer : plan.layers) numbers += 2 * std::int64_t{layer.kv_width()};
  return numbers * bytes_per_number;
}

template <Architecture A>
constexpr std::int64_t kept_per_token() {
  return kept_per_token(plan_of<A>());
}

template <Architecture A>
constexpr std::int64_t activation_bytes(std::int64_t tokens, int bytes_per_number = 4) {
  return activation_bytes(plan_of<A>(), tokens, bytes_per_number);
}

template <Architecture A>
constexpr std::int64_t optimizer_bytes(int bytes_per_number = 4) {
  return optimizer_bytes(plan_of<A>(), bytes_per_number);
}

template <Architecture A>
constexpr std::int64_t kv_cache_bytes_per_token(int bytes_per_number = 4) {
  return kv_cache_bytes_per_token(plan_of<A>(), bytes_per_number);
}

}  // namespace tailor
