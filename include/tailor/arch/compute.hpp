#pragma once
// Floating-point operations per token, and how many sub-blocks run one after another.

#include <tailor/arch/budget.hpp>       // tailor::parameters, tailor::Count
#include <tailor/arch/plan.hpp>         // tailor::Plan
#include <tailor/arch/transformer.hpp>  // tailor::Architecture, tailor::plan_of

#include <algorithm>
#include <cstdint>

namespace tailor {

/// How many keys a query is counted to meet. `mean_causal`: the mean over the positions of one full
/// context, (T + 1) / 2, less where a window is shorter: what training computes. `full_context`:
/// all T or the window: generation at the last position, and the convention of many papers.
enum class Attended { mean_causal, full_context };

namespace detail {

/// Multiply-adds of scores and weighted values, summed over the queries of one whole context.
constexpr double score_multiply_adds(Plan const& plan, Attended attended) {
  double sum = 0;
  for (auto const& layer : plan.layers) {
    double const context = plan.context;
    double const reach = layer.window > 0 ? std::min(layer.window, plan.context) : plan.context;
    double const pairs = attended == Attended::full_context
                             ? context * reach
                             : reach * (reach + 1) / 2 + (context - reach) * reach;
    sum += 2 * pairs * layer.attention_width();
  }
  return sum;
}

}  // namespace detail

/// Floating-point operations of one forward pass per token of a full context. A multiply-add counts
/// as two; counted are all matrices, the output head and the attention products. Norms, softmax,
/// activations and the embedding look-up are not. Rounded down to a whole number.
constexpr std::int64_t forward_flops_per_token(Plan const& plan,
                                               Attended attended = Attended::mean_causal) {
  std::int64_t const head = std::int64_t{plan.vocab} * plan.d_model;
  return 2 * (parameters(plan, Count::matrices) + head) +
         static_cast<std::int64_t>(2 * detail::score_multiply_adds(plan, attended) / plan.context);
}

/// Operations of one training step per token: three times the forward pass (the backward pass has
/// two products for each one). What a trainer recomputes comes on top: recompute_flops_per_token.
/// @post   training costs three times the forward pass
constexpr std::int64_t training_flops_per_token(Plan const& plan,
                                                Attended attended = Attended::mean_causal) {
  return 3 * forward_flops_per_token(plan, attended);
}

/// Operations per token that the backward pass spends on computing the hidden activations of every
/// sub-MLP once more from its input: all its matrices but the last.
constexpr std::int64_t recompute_flops_per_token(Plan const& plan) {
  int const matrices = matrices_of(plan.activation);
  return 2 * parameters(plan, Count::ffn) / matrices * (matrices - 1);
}

/// Residual sub-blocks that run one after another: attention, and every sub-MLP that is there.
constexpr int sequential_depth(Plan const& plan) {
  int depth = 0;
  for (auto const& layer : plan.layers) {
    depth += layer.heads > 0 ? 1 : 0;
    for (int width : layer.widths) depth += width > 0 ? 1 : 0;
  }
  return depth;
}

template <Architecture A>
constexpr std::int64_t forward_flops_per_token(Attended attended = Attended::mean_causal) {
  return forward_flops_per_token(plan_of<A>(), attended);
}

template <Architecture A>
constexpr std::int64_t training_flops_per_token(Attended attended = Attended::mean_causal) {
  return training_flops_per_token(plan_of<A>(), attended);
}

template <Architecture A>
constexpr std::int64_t recompute_flops_per_token() {
  return recompute_flops_per_token(plan_of<A>());
}

template <Architecture A>
constexpr int sequential_depth() {
  return sequential_depth(plan_of<A>());
}

}  // namespace tailor
