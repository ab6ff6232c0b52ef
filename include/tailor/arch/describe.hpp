#pragma once
// A plan as text a person can read.

#include <tailor/arch/budget.hpp>   // tailor::parameters
#include <tailor/arch/compute.hpp>  // tailor::sequential_depth
#include <tailor/arch/names.hpp>    // tailor::name_of
#include <tailor/arch/plan.hpp>     // tailor::Plan
#include <tailor/arch/text_of.hpp>  // detail::text_of

#include <ostream>
#include <string>

namespace tailor {

/// One layer in one line: attention, norms, sub-block widths.
inline std::string describe(LayerPlan const& layer) {
  std::string text = "no attention";
  if (layer.heads > 0) {
    text = "attention " + std::to_string(layer.heads) + " heads x " +
           std::to_string(layer.head_dim) + ", " + std::to_string(layer.kv_heads) + " kv";
    if (layer.window > 0) text += ", window " + std::to_string(layer.window);
    text += ", rope " + detail::text_of(layer.rope_base);
    if (layer.qk_norm != QkNorm::none) text += ", qk-norm " + std::string(name_of(layer.qk_norm));
  }
  text += "; " + std::string(name_of(layer.norms)) + "-norm; ";
  if (layer.widths.empty()) return text + "no FFN";
  text += "FFN";
  for (std::size_t i = 0; i < layer.widths.size(); ++i)
    text += (i == 0 ? " " : " + ") + std::to_string(layer.widths[i]);
  return text;
}

/// The plan in a few lines: sizes, counts by name, one line per run of equal layers.
inline std::string describe(Plan const& plan) {
  std::string text = "d_model " + std::to_string(plan.d_model) + ", layers " +
                     std::to_string(plan.layers.size()) + ", vocab " + std::to_string(plan.vocab) +
                     ", context " + std::to_string(plan.context) + ", " +
                     std::string(name_of(plan.activation)) +
                     (plan.tied ? ", tied embedding" : ", separate output head");
  if (plan.embedding_scale != 1) text += ", embedding x " + detail::text_of(plan.embedding_scale);
  if (plan.attention_soft_cap > 0)
    text += ", attention cap " + detail::text_of(plan.attention_soft_cap);
  if (plan.logit_soft_cap > 0) text += ", logit cap " + detail::text_of(plan.logit_soft_cap);
  if (plan.unit_offset_gains) text += ", gains 1 + g";
  if (plan.rope_scaling.kind != RopeScaling::Kind::none) {
    text += ", rope " + std::string(name_of(plan.rope_scaling.kind)) + " x " +
            detail::text_of(plan.rope_scaling.factor);
  }
  if (plan.layer_norm_scaling != LayerNormScaling::none)
    text += ", layer-norm scaling " + std::string(name_of(plan.layer_norm_scaling));
  text += "\nparameters:";
  for (auto const count : {Count::matrices, Count::attention, Count::ffn, Count::embedding,
                           Count::norms, Count::all}) {
    text += " " + std::string(name_of(count)) + " " + std::to_string(parameters(plan, count)) +
            (count == Count::all ? "" : ",");
  }
  text += "\nsequential depth " + std::to_string(sequential_depth(plan)) + "\n";
  for (std::size_t first = 0; first < plan.layers.size();) {
    auto last = first;
    while (last + 1 < plan.layers.size() && plan.layers[last + 1] == plan.layers[first]) ++last;
    text += (first == last ? "layer " : "layers ") + std::to_string(first) +
            (first == last ? "" : "-" + std::to_string(last)) + ": " +
            describe(plan.layers[first]) + "\n";
    first = last + 1;
  }
  return text;
}

inline std::ostream& operator<<(std::ostream& out, Plan const& plan) {
  return out << describe(plan);
}

}  // namespace tailor
