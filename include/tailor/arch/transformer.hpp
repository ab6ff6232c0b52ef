#pragma once
// The architecture as a type: a shape and sizes, checked where the type is named.

#include <tailor/arch/dims.hpp>      // tailor::Dims
#include <tailor/arch/plan.hpp>      // tailor::Plan
#include <tailor/arch/plan_of.hpp>   // tailor::plan_of, for one list of widths per layer
#include <tailor/arch/shape.hpp>     // tailor::Shape
#include <tailor/arch/validate.hpp>  // tailor::find_fault

#include <concepts>
#include <utility>
#include <vector>

namespace tailor {

namespace detail {

template <Shape S>
constexpr Plan plan_of_shape(Dims const& dims) {
  std::vector<std::vector<int>> widths;
  for (int layer = 0; layer < dims.layers; ++layer) {
    std::vector<int> sub_blocks;
    for (int i = 0; i < S::sub_blocks(layer, dims); ++i)
      sub_blocks.push_back(S::width(layer, i, dims));
    widths.push_back(std::move(sub_blocks));
  }
  return plan_of(dims, std::move(widths));
}

/// Instantiates the rules that a shape brings along; a shape without any passes.
template <class S, Dims D>
constexpr bool shape_rules_hold() {
  if constexpr (requires { typename S::template Rules<D>; }) {
    return sizeof(typename S::template Rules<D>) > 0;
  } else {
    return true;
  }
}

/// Whether the shape may be asked for widths: it fits, and the number of layers is sane.
template <class S>
constexpr bool has_plan(Dims const& dims) {
  return dims.layers >= 1 && dims.layers <= PlanLimits::layers && S::fits(dims);
}

/// A plan can be written down: the numbers of sub-blocks and the widths are counts.
template <class S>
constexpr bool gives_counts(Dims const& dims) {
  for (int layer = 0; layer < dims.layers; ++layer) {
    int const sub_blocks = S::sub_blocks(layer, dims);
    if (sub_blocks < 0 || sub_blocks > PlanLimits::sub_blocks) return false;
    for (int i = 0; i < sub_blocks; ++i) {
      if (S::width(layer, i, dims) < 0) return false;
    }
  }
  return true;
}

/// The shape gives counts, or an earlier rule already says why it cannot be asked.
template <class S, Dims D>
inline constexpr bool shape_gives_counts = [] {
  if constexpr (has_plan<S>(D)) return gives_counts<S>(D);
  return true;
}();

/// The plan meets every rule, or an earlier rule already says why there is none.
template <class S, Dims D>
inline constexpr bool plan_is_valid = [] {
  if constexpr (has_plan<S>(D) && shape_gives_counts<S, D>) return !find_fault(plan_of_shape<S>(D));
  return true;
}();

}  // namespace detail

/// A Transformer language model with the FFN shape S and the sizes D. It has no members to run: it
/// is a checked name for a plan.
/// @post   every Transformer that compiles has a plan that validate accepts
template <Shape S, Dims D>
struct Transformer {
  static_assert(D.d_model >= 1, "Transformer: d_model must be at least 1");
  static_assert(D.layers >= 1 && D.layers <= PlanLimits::layers,
                "Transformer: layers must be from 1 to 4096");
  static_assert(D.vocab >= 1, "Transformer: vocab must be at least 1");
  static_assert(D.context >= 1, "Transformer: context must be at least 1");
  static_assert(D.heads >= 0, "Transformer: heads must not be negative; 0 means no attention");
  static_assert(D.kv_heads >= 0,
                "Transformer: kv_heads must not be negative; 0 means as many as heads");
  static_assert(D.kv_heads == 0 || D.heads % (D.kv_heads > 0 ? D.kv_heads : 1) == 0,
                "Transformer: heads must be a multiple of kv_heads");
  static_assert(D.heads != 0 || (D.kv_heads == 0 && D.head_dim == 0),
                "Transformer: without attention (heads 0), kv_heads and head_dim must be 0");
  static_assert(D.head_dim != 0 || D.heads <= 0 || D.d_model % (D.heads > 0 ? D.heads : 1) == 0,
                "Transformer: d_model must be a multiple of heads where head_dim is not given");
  static_assert(D.heads <= 0 || head_dim_of(D) % 2 == 0,
                "Transformer: head_dim must be even, for rotary positions");
  static_assert(D.norm_eps > 0, "Transformer: norm_eps must be positive");
  static_assert(D.rope_base > 0, "Transformer: rope_base must be positive");
  static_assert(D.layer_norm_scaling == LayerNormScaling::none || D.norms != NormPlacement::post,
                "Transformer: layer_norm_scaling needs pre-norms (norms pre or both)");
  static_assert(detail::shape_rules_hold<S, D>());
  static_assert(S::fits(D), "Transformer: this shape does not fit these Dims; see fits");
  static_assert(
      detail::shape_gives_counts<S, D>,
      "Transformer: a shape must give 0 to 256 sub-blocks per layer and no negative width");
  static_assert(detail::plan_is_valid<S, D>,
                "Transformer: its plan must pass validate; see find_fault and PlanLimits");

  using shape = S;
  static constexpr Dims dims = D;
};

/// A type that names a shape and sizes, as `Transformer` does.
template <class A>
concept Architecture = Shape<typename A::shape> && requires {
  { A::dims } -> std::convertible_to<Dims>;
};

/// The plan of an architecture: what every count, kernel and file reads.
template <Architecture A>
constexpr Plan plan_of() {
  return detail::plan_of_shape<typename A::shape>(A::dims);
}

}  // namespace tailor
