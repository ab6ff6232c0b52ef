#pragma once
// The rules a plan has to meet before anything is counted, allocated or built from it.

#include <tailor/arch/plan.hpp>     // tailor::Plan
#include <tailor/arch/text_of.hpp>  // detail::text_of

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace tailor {

/// The largest sizes a plan may name. They are far above any model and low enough that no count of
/// a valid plan overflows 64 bits.
struct PlanLimits {
  static constexpr int d_model = 1 << 20;
  static constexpr int width = 1 << 22;  ///< of attention and of a sub-block
  static constexpr int vocab = 1 << 26;
  static constexpr int context = 1 << 24;
  static constexpr int layers = 1 << 12;
  static constexpr int sub_blocks = 1 << 8;
  static constexpr std::int64_t matrices = std::int64_t{1} << 48;  ///< parameters of all layers
};

/// The first rule a plan breaks. `field` is null where it breaks none; `layer` and `sub_block` are
/// -1 where the rule is not about one.
struct PlanFault {
  char const* field = nullptr;
  char const* rule = "";
  std::optional<double> got{};
  int layer = -1;
  int sub_block = -1;

  constexpr explicit operator bool() const { return field != nullptr; }
};

namespace detail {

constexpr bool positive_and_finite(double value) {
  return value > 0 && value <= std::numeric_limits<double>::max();
}

template <class Enum>
constexpr bool is_one_of(Enum value, Enum last) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(last);
}

constexpr PlanFault find_model_fault(Plan const& plan) {
  constexpr double most = std::numeric_limits<double>::max();
  auto const& rope = plan.rope_scaling;
  if (plan.d_model < 1 || plan.d_model > PlanLimits::d_model)
    return {.field = "d_model", .rule = "must be from 1 to 2^20", .got = 1. * plan.d_model};
  if (plan.vocab < 1 || plan.vocab > PlanLimits::vocab)
    return {.field = "vocab", .rule = "must be from 1 to 2^26", .got = 1. * plan.vocab};
  if (plan.context < 1 || plan.context > PlanLimits::context)
    return {.field = "context", .rule = "must be from 1 to 2^24", .got = 1. * plan.context};
  if (!is_one_of(plan.activation, Activation::relu2))
    return {.field = "activation", .rule = "is not a known activation"};
  if (!positive_and_finite(plan.norm_eps))
    return {.field = "norm_eps", .rule = "must be positive", .got = plan.norm_eps};
  if (!positive_and_finite(plan.embedding_scale))
    return {.field = "embedding_scale", .rule = "must be positive", .got = plan.embedding_scale};
  if (!(plan.attention_soft_cap >= 0 && plan.attention_soft_cap <= most))
    return {.field = "attention_soft_cap",
            .rule = "must be 0 (off) or positive",
            .got = plan.attention_soft_cap};
  if (!(plan.logit_soft_cap >= 0 && plan.logit_soft_cap <= most))
    return {.field = "logit_soft_cap",
            .rule = "must be 0 (off) or positive",
            .got = plan.logit_soft_cap};
  if (!is_one_of(rope.kind, RopeScaling::Kind::llama3))
    return {.field = "rope_scaling.kind", .rule = "is not a known scaling"};
  if (!(rope.factor >= 1 && rope.factor <= most))
    return {.field = "rope_scaling.factor", .rule = "must be at least 1", .got = rope.factor};
  if (!positive_and_finite(rope.low_frequency_factor))
    return {.field = "rope_scaling.low_frequency_factor",
            .rule = "must be positive",
            .got = rope.low_frequency_factor};
  if (!(rope.high_frequency_factor > rope.low_frequency_factor &&
        rope.high_frequency_factor <= most))
    return {.field = "rope_scaling.high_frequency_factor",
            .rule = "must exceed low_frequency_factor",
            .got = rope.high_frequency_factor};
  if (rope.original_context < (rope.kind == RopeScaling::Kind::llama3 ? 1 : 0))
    return {.field = "rope_scaling.original_context",
            .rule = "must be positive for llama3 and never negative",
            .got = 1. * rope.original_context};
  if (!is_one_of(plan.layer_norm_scaling, LayerNormScaling::by_sub_block))
    return {.field = "layer_norm_scaling", .rule = "is not a known scaling"};
  if (plan.layers.empty() || plan.layers.size() > PlanLimits::layers)
    return {.field = "layers", .rule = "must be from 1 to 2^12", .got = 1. * plan.layers.size()};
  return {};
}

constexpr PlanFault find_attention_fault(LayerPlan const& layer) {
  std::int64_t const width = std::int64_t{layer.heads} * layer.head_dim;
  if (layer.heads < 0)
    return {.field = "heads", .rule = "must not be negative", .got = 1. * layer.heads};
  if (layer.window < 0)
    return {.field = "window", .rule = "must be 0 (all) or positive", .got = 1. * layer.window};
  if (!positive_and_finite(layer.rope_base))
    return {.field = "rope_base", .rule = "must be positive", .got = layer.rope_base};
  if (!is_one_of(layer.norms, NormPlacement::both))
    return {.field = "norms", .rule = "is not a known placement"};
  if (!is_one_of(layer.qk_norm, QkNorm::per_head))
    return {.field = "qk_norm", .rule = "is not a known norm"};
  if (layer.heads == 0) {
    if (layer.kv_heads != 0)
      return {.field = "kv_heads",
              .rule = "must be 0 in a layer without attention",
              .got = 1. * layer.kv_heads};
    if (layer.head_dim != 0)
      return {.field = "head_dim",
              .rule = "must be 0 in a layer without attention",
              .got = 1. * layer.head_dim};
    return {};
  }
  if (layer.kv_heads < 1 || layer.heads % layer.kv_heads != 0)
    return {.field = "kv_heads", .rule = "must divide heads", .got = 1. * layer.kv_heads};
  if (layer.head_dim < 2 || layer.head_dim % 2 != 0)
    return {.field = "head_dim",
            .rule = "must be positive and even, for rotary positions",
            .got = 1. * layer.head_dim};
  if (width > PlanLimits::width)
    return {.field = "heads", .rule = "times head_dim must be at most 2^22", .got = 1. * width};
  return {};
}

constexpr PlanFault find_ffn_fault(LayerPlan const& layer) {
  if (layer.widths.size() > PlanLimits::sub_blocks)
    return {.field = "widths",
            .rule = "must be at most 2^8 sub-blocks",
            .got = 1. * layer.widths.size()};
  for (std::size_t i = 0; i < layer.widths.size(); ++i) {
    if (layer.widths[i] < 0 || layer.widths[i] > PlanLimits::width)
      return {.field = "widths",
              .rule = "must be from 0 to 2^22",
              .got = 1. * layer.widths[i],
              .sub_block = static_cast<int>(i)};
  }
  return {};
}

}  // namespace detail

/// The first rule the plan breaks, if any.
constexpr PlanFault find_fault(Plan const& plan) {
  if (auto const fault = detail::find_model_fault(plan)) return fault;
  std::int64_t matrices = 0;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    auto const& layer = plan.layers[l];
    auto fault = detail::find_attention_fault(layer);
    if (!fault) fault = detail::find_ffn_fault(layer);
    if (!fault && plan.layer_norm_scaling != LayerNormScaling::none &&
        layer.norms == NormPlacement::post) {
      fault = {.field = "norms", .rule = "must have a pre-norm, which layer_norm_scaling scales"};
    }
    if (!fault) {
      for (int width : layer.widths)
        matrices += std::int64_t{matrices_of(plan.activation)} * plan.d_model * width;
      matrices += 2 * std::int64_t{plan.d_model} * (layer.attention_width() + layer.kv_width());
      if (matrices > PlanLimits::matrices)
        fault = {.field = "widths",
                 .rule = "the matrices up to here must be at most 2^48 parameters",
                 .got = 1. * matrices};
    }
    if (fault) {
      fault.layer = static_cast<int>(l);
      return fault;
    }
  }
  return {};
}

/// The path of the field, the rule, and the value that was found.
inline std::string describe(PlanFault const& fault) {
  std::string text = "plan.";
  if (fault.layer >= 0) text += "layers[" + std::to_string(fault.layer) + "].";
  text += fault.field;
  if (fault.sub_block >= 0) text.append("[").append(std::to_string(fault.sub_block)).append("]");
  text += std::string(": ") + fault.rule;
  if (!fault.got) return text;
  return text + ", got " + detail::text_of(*fault.got);
}

/// Accepts a plan that meets every rule. Throws std::invalid_argument naming layer and field
/// otherwise.
inline void validate(Plan const& plan) {
  if (auto const fault = find_fault(plan)) throw std::invalid_argument(describe(fault));
}

}  // namespace tailor
