#pragma once
// Parameter counts of a plan and of a type. Every count names what it counts.

#include <tailor/arch/plan.hpp>         // tailor::Plan
#include <tailor/arch/transformer.hpp>  // tailor::Architecture, tailor::plan_of

#include <cstdint>

namespace tailor {

/// What a count of parameters includes. `attention`: the four projections. `ffn`: the matrices of
/// all sub-MLPs. `matrices`: both, the papers' label and the default. `embedding`: the table, and
/// the output head where it is not tied. `norms`: every gain. `all`: everything. There are no
/// biases.
enum class Count { embedding, attention, ffn, norms, matrices, all };

/// Attention matrices of one layer: d -> a for queries, d -> kv for keys and values, a -> d out.
constexpr std::int64_t attention_parameters(LayerPlan const& layer, int d_model) {
  return 2 * std::int64_t{d_model} * (layer.attention_width() + layer.kv_width());
}

/// Parameters that one unit of FFN width costs: one row or column of every matrix of the sub-MLP.
constexpr std::int64_t price_of_width(Plan const& plan) {
  return std::int64_t{matrices_of(plan.activation)} * plan.d_model;
}

/// Gains of one layer: one norm per branch of width d_model (two where `norms` is `both`), for
/// attention and for every sub-MLP that is there, and those of queries and keys.
constexpr std::int64_t norm_parameters(LayerPlan const& layer, int d_model) {
  std::int64_t branches = layer.heads > 0 ? 1 : 0;
  for (int width : layer.widths) branches += width > 0 ? 1 : 0;
  std::int64_t const gains =
      branches * d_model * (layer.norms == NormPlacement::both ? std::int64_t{2} : 1);
  if (layer.heads == 0 || layer.qk_norm == QkNorm::none) return gains;
  return gains + (layer.qk_norm == QkNorm::whole
                      ? std::int64_t{layer.attention_width()} + layer.kv_width()
                      : 2 * std::int64_t{layer.head_dim});
}

/// Parameters of a plan.
/// Domain: a plan that validate accepts; no count of such a plan overflows.
/// @post   the matrices are attention plus FFN, and all is embedding plus matrices plus norms
/// @post   FFN parameters are matrices_of(activation) times d_model per unit of width
/// Source: the label of arXiv 2602.06471 is Count::matrices.
constexpr std::int64_t parameters(Plan const& plan, Count count = Count::matrices) {
  std::int64_t const table = std::int64_t{plan.vocab} * plan.d_model;
  std::int64_t const embedding = plan.tied ? table : 2 * table;
  std::int64_t attention = 0, width = 0, norms = plan.d_model;  // the norm before the output head
  for (auto const& layer : plan.layers) {
    attention += attention_parameters(layer, plan.d_model);
    norms += norm_parameters(layer, plan.d_model);
    for (int sub_block : layer.widths) width += sub_block;
  }
  std::int64_t const ffn = price_of_width(plan) * width;
  switch (count) {
    case Count::embedding:
      return embedding;
    case Count::attention:
      return attention;
    case Count::ffn:
      return ffn;
    case Count::norms:
      return norms;
    case Count::matrices:
      return attention + ffn;
    case Count::all:
      break;
  }
  return embedding + attention + ffn + norms;
}

/// Parameters of an architecture.
/// @post   a type and its plan have the same counts
template <Architecture A>
constexpr std::int64_t parameters(Count count = Count::matrices) {
  return parameters(plan_of<A>(), count);
}

/// The budget that an allocation of FFN widths has to spend: Count::ffn.
constexpr std::int64_t budget(Plan const& plan) {
  return parameters(plan, Count::ffn);
}

/// Two architectures have equally many parameters of the named count.
template <Architecture A, Architecture B, Count C = Count::matrices>
inline constexpr bool same_budget = parameters<A>(C) == parameters<B>(C);

}  // namespace tailor
