#pragma once
// One uniform architecture as seven integers: what the search lists.

#include <tailor/arch/dims.hpp>     // tailor::Dims, tailor::matrices_of
#include <tailor/arch/plan.hpp>     // tailor::Plan
#include <tailor/arch/plan_of.hpp>  // tailor::plan_of, for one list of widths per layer

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailor {

/// Every layer has the same attention and `sub_blocks` sub-MLPs of the same width.
struct Configuration {
  int sub_blocks = 1;
  int layers = 1;
  int d_model = 1;
  int width = 1;
  int heads = 1;
  int kv_heads = 1;
  int head_dim = 1;

  constexpr bool operator==(Configuration const&) const = default;
  constexpr auto operator<=>(Configuration const&) const = default;
};

/// Count::attention of a configuration.
constexpr std::int64_t attention_parameters(Configuration const& c) {
  return 2 * std::int64_t{c.layers} * c.d_model * (std::int64_t{c.heads} + c.kv_heads) * c.head_dim;
}

/// Count::ffn of a configuration.
constexpr std::int64_t ffn_parameters(Configuration const& c, Activation activation) {
  return std::int64_t{matrices_of(activation)} * c.layers * c.sub_blocks * c.d_model * c.width;
}

/// Count::matrices of a configuration.
constexpr std::int64_t parameters(Configuration const& c, Activation activation) {
  return attention_parameters(c) + ffn_parameters(c, activation);
}

/// The configuration as a plan; what it does not say (vocab, context, norms ...) comes from `dims`.
/// @post   a configuration and its plan have the same counts
constexpr Plan plan_of(Configuration const& c, Dims dims) {
  dims.layers = c.layers;
  dims.d_model = c.d_model;
  dims.heads = c.heads;
  dims.kv_heads = c.kv_heads;
  dims.head_dim = c.head_dim;
  return plan_of(dims, std::vector<std::vector<int>>(
                           static_cast<std::size_t>(c.layers),
                           std::vector<int>(static_cast<std::size_t>(c.sub_blocks), c.width)));
}

}  // namespace tailor
