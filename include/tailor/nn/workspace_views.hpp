#pragma once
// How the arena of a workspace is cut: what a pass keeps, and scratch that its phases share.

#include <tailor/arch/plan.hpp>            // tailor::Plan
#include <tailor/nn/attention_branch.hpp>  // tailor::AttentionState
#include <tailor/nn/sub_blocks.hpp>        // tailor::SubBlock

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tailor {

/// What a workspace is for.
enum class Purpose { inference, training };

/// Sizes of a workspace.
struct WorkspaceSizes {
  int sequences = 0;
  int length = 0;
  int keys = 0;
  Purpose purpose = Purpose::inference;

  std::int64_t tokens() const { return std::int64_t{sequences} * length; }
};

/// Tokens whose logits are computed at once: the vocabulary alone decides, so that a loss does not
/// depend on what else is in the batch.
constexpr int head_block(int vocab) {
  return std::clamp((1 << 22) / vocab, 128, 1024);
}

/// The parts of a workspace. `stream` holds the residual stream before every sub-block and after
/// the last in training, and one for all in inference; `attention` has one state per sub-block,
/// empty where that is an FFN. The scratch of attention, of the FFN and of the head overlap.
template <class T, class Space = Host>
struct WorkspaceViews {
  std::vector<MatrixView<T, Space>> stream;
  std::vector<AttentionState<T, Space>> attention;
  MatrixView<T, Space> held;                                         ///< for an observer
  MatrixView<T, Space> normed, branch, branch_gradient, terms;       ///< [tokens, d]
  MatrixView<T, Space> gradient;                                     ///< of the stream
  VectorView<T, Space> attention_scratch, dq, dk, dv, dy, qk_terms;  ///< by the widest layer
  VectorView<T, Space> hidden, hidden_gradient;                      ///< by the widest sub-MLP
  MatrixView<T, Space> logits;                                       ///< [head_block, vocab]
  std::int64_t elements = 0;                                         ///< of the whole arena
};

namespace detail {

/// Takes pieces at offsets of 16 elements; with an empty arena it only counts.
template <class T, class Space>
struct Carver {
  VectorView<T, Space> arena{};
  std::int64_t used = 0;
  std::int64_t most = 0;

  VectorView<T, Space> vector(std::int64_t size) {
    T* const data = arena.data == nullptr ? nullptr : arena.data + used;
    used += (size + 15) / 16 * 16;
    most = std::max(most, used);
    return {data, size};
  }
  MatrixView<T, Space> matrix(std::int64_t rows, int cols) {
    return {vector(rows * cols).data, static_cast<int>(rows), cols, cols, false};
  }
};

/// What attention keeps; q and k are the given scratch where they can be computed from raw ones.
template <class T, class Space>
AttentionState<T, Space> carve_state(Carver<T, Space>& take, LayerPlan const& layer,
                                     std::int64_t tokens, VectorView<T, Space> q,
                                     VectorView<T, Space> k) {
  AttentionState<T, Space> state;
  int const width = layer.attention_width(), kv_width = layer.kv_width();
  state.raw_q = state.q = take.matrix(tokens, width);
  state.raw_k = state.k = take.matrix(tokens, kv_width);
  state.v = take.matrix(tokens, kv_width);
  if (layer.qk_norm != QkNorm::none) {
    state.q.data = q.data;
    state.k.data = k.data;
  }
  state.y = take.matrix(tokens, width);
  state.log_sum_exp = take.matrix(tokens, layer.heads);
  return state;
}

}  // namespace detail

/// Cuts an arena for a plan; an empty arena gives the sizes alone.
template <class T, class Space>
WorkspaceViews<T, Space> carve(Plan const& plan, std::vector<SubBlock> const& blocks,
                               WorkspaceSizes const& sizes, VectorView<T, Space> arena) {
  detail::Carver<T, Space> take{arena};
  WorkspaceViews<T, Space> views;
  std::int64_t const tokens = sizes.tokens();
  int const d = plan.d_model;
  bool const training = sizes.purpose == Purpose::training;

  std::int64_t width = 0, kv_width = 0, normed_q = 0, normed_k = 0, scratch = 0, hidden = 0;
  for (auto const& layer : plan.layers) {
    for (int w : layer.widths) hidden = std::max<std::int64_t>(hidden, w);
    if (layer.heads == 0) continue;
    width = std::max<std::int64_t>(width, layer.attention_width());
    kv_width = std::max<std::int64_t>(kv_width, layer.kv_width());
    if (layer.qk_norm != QkNorm::none) {
      normed_q = std::max<std::int64_t>(normed_q, layer.attention_width());
      normed_k = std::max<std::int64_t>(normed_k, layer.kv_width());
    }
    scratch = std::max(scratch, attention_scratch(AttentionSizes<T>{.sequences = sizes.sequences,
                                                                    .length = sizes.length,
                                                                    .keys = sizes.keys,
                                                                    .heads = layer.heads,
                                                                    .kv_heads = layer.kv_heads,
                                                                    .head_dim = layer.head_dim}));
  }

  views.normed = take.matrix(tokens, d);
  views.branch = take.matrix(tokens, d);
  if (training) {
    views.branch_gradient = take.matrix(tokens, d);
    views.terms = take.matrix(tokens, d);
    views.gradient = take.matrix(tokens, d);
  } else {
    views.held = take.matrix(tokens, d);
  }
  auto const q = take.vector(tokens * normed_q), k = take.vector(tokens * normed_k);

  views.stream.push_back(take.matrix(tokens, d));
  detail::Carver<T, Space> const shared = take;  // where one state serves all layers
  for (auto const& block : blocks) {
    if (!training) take.used = shared.used;
    auto const& layer = plan.layers[static_cast<std::size_t>(block.layer)];
    views.attention.push_back(block.is_attention() ? detail::carve_state(take, layer, tokens, q, k)
                                                   : AttentionState<T, Space>{});
    views.stream.push_back(training ? take.matrix(tokens, d) : views.stream.front());
  }
  take.used = take.most;

  auto const phase = take;
  views.attention_scratch = take.vector(scratch);
  if (training) {
    views.dq = take.vector(tokens * width);
    views.dk = take.vector(tokens * kv_width);
    views.dv = take.vector(tokens * kv_width);
    views.dy = take.vector(tokens * width);
    views.qk_terms = take.vector(tokens * normed_q);
  }
  take.used = phase.used;
  views.hidden = take.vector(tokens * 2 * hidden);
  if (training) views.hidden_gradient = take.vector(tokens * 2 * hidden);
  take.used = phase.used;
  views.logits = take.matrix(std::min<std::int64_t>(tokens, head_block(plan.vocab)), plan.vocab);
  views.elements = take.most;
  return views;
}

}  // namespace tailor
