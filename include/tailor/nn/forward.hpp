#pragma once
// The forward pass up to the last residual stream: embedding, then every sub-block in turn.

#include <tailor/device/device.hpp>        // tailor::Device
#include <tailor/nn/attention_branch.hpp>  // tailor::AttentionBranch, tailor::attention_forward
#include <tailor/nn/embedding.hpp>         // tailor::embedding
#include <tailor/nn/ffn.hpp>               // tailor::ffn, tailor::ffn_kind
#include <tailor/nn/model.hpp>             // tailor::Model
#include <tailor/nn/residual.hpp>          // tailor::residual
#include <tailor/nn/workspace.hpp>         // tailor::Workspace

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tailor {

/// Keys and values of the tokens before a pass, one matrix [capacity, kv_heads * head_dim] of each
/// per sub-block (empty where that is an FFN), for one sequence. A pass appends its own.
template <class T, class Space = Host>
struct CachedKeys {
  std::vector<MatrixView<T, Space>> keys, values;
};

/// The tokens of a pass: `ids` of `sequences` sequences of `length` tokens, the first of each at
/// `first_position`, which is 0 where there is no cache.
template <class T, class Space = Host>
struct Pass {
  VectorView<std::int32_t const, Space> ids;
  int sequences = 0;
  int length = 0;
  int first_position = 0;
  CachedKeys<T, Space> const* cache = nullptr;

  int tokens() const { return sequences * length; }
};

/// An observer that looks away.
struct NoObserver {
  template <class View>
  void operator()(int, View, View) const {}
};

/// The norms around a sub-block.
template <class T, class Space, class Weights>
ResidualNorms<T, Space> residual_norms(Plan const& plan, SubBlock const& block,
                                       Weights const& weights) {
  return {.pre = weights.norm,
          .post = weights.post_norm,
          .eps = T(plan.norm_eps),
          .pre_scale = T(block.pre_scale),
          .offset = T(plan.unit_offset_gains ? 1 : 0)};
}

/// Attention sub-block `index` of a pass, as views.
template <class T, Device D>
AttentionBranch<T, typename D::Space> attention_branch(Model<T, D> const& model,
                                                       Workspace<T, D> const& workspace,
                                                       std::size_t index,
                                                       Pass<T, typename D::Space> const& pass) {
  int const layer_index = workspace.blocks()[index].layer;
  auto const& layer = model.plan.layers[static_cast<std::size_t>(layer_index)];
  auto state = workspace.views().attention[index];
  for (auto* part :
       {&state.raw_q, &state.raw_k, &state.q, &state.k, &state.v, &state.y, &state.log_sum_exp}) {
    *part = rows_of(*part, 0, pass.tokens());
  }
  int const keys_in_sight = pass.first_position + pass.length;
  MatrixView<T const, typename D::Space> keys = state.k, values = state.v;
  if (pass.cache != nullptr) {
    auto const& cached_keys = pass.cache->keys[index];
    auto const& cached_values = pass.cache->values[index];
    state.k = rows_of(cached_keys, pass.first_position, pass.length);
    state.v = rows_of(cached_values, pass.first_position, pass.length);
    if (layer.qk_norm == QkNorm::none) state.raw_k = state.k;
    keys = rows_of(cached_keys, 0, keys_in_sight);
    values = rows_of(cached_values, 0, keys_in_sight);
  }
  return {.sizes = {.sequences = pass.sequences,
                    .length = pass.length,
                    .keys = keys_in_sight,
                    .heads = layer.heads,
                    .kv_heads = layer.kv_heads,
                    .head_dim = layer.head_dim,
                    .window = layer.window,
                    .scale = T(1 / std::sqrt(static_cast<double>(layer.head_dim))),
                    .soft_cap = T(model.plan.attention_soft_cap)},
          .qk_norm = layer.qk_norm,
          .eps = T(model.plan.norm_eps),
          .offset = T(model.plan.unit_offset_gains ? 1 : 0),
          .weights = workspace.table().attention(model.parameters.view(), index),
          .angles = workspace.rope().layer(layer_index),
          .first_position = pass.first_position,
          .state = state,
          .keys = keys,
          .values = values,
          .scratch = workspace.views().attention_scratch};
}

/// Runs every sub-block and returns the last residual stream, [tokens, d]. For every layer with an
/// FFN the observer is called with the stream before its first sub-MLP and after its last.
template <class T, Device D, class Observer = NoObserver>
MatrixView<T, typename D::Space> forward(D& dev, Model<T, D> const& model,
                                         Workspace<T, D>& workspace,
                                         Pass<T, typename D::Space> const& pass,
                                         Observer const& observer = {}) {
  using Space = typename D::Space;
  constexpr bool observed = !std::is_same_v<Observer, NoObserver>;
  auto const& views = workspace.views();
  auto const parameters = model.parameters.view();
  int const tokens = pass.tokens();
  auto const of_pass = [&](MatrixView<T, Space> m) { return rows_of(m, 0, tokens); };
  auto stream = of_pass(views.stream.front());
  embedding(dev, EmbeddingForward<T, Space>{.ids = pass.ids,
                                            .table = workspace.table().embedding(parameters),
                                            .x = stream,
                                            .scale = T(model.plan.embedding_scale)});

  MatrixView<T const, Space> before;
  for (std::size_t i = 0; i < workspace.blocks().size(); ++i) {
    auto const& block = workspace.blocks()[i];
    auto const next = of_pass(views.stream[i + 1]);
    ResidualForward<T, Space> residual_args{.norms = {},
                                            .x = stream,
                                            .out = next,
                                            .normed = of_pass(views.normed),
                                            .branch = of_pass(views.branch)};
    using In = MatrixView<T const, Space>;
    using Out = MatrixView<T, Space>;
    if (block.is_attention()) {
      auto const branch = attention_branch(model, workspace, i, pass);
      residual_args.norms = residual_norms<T, Space>(model.plan, block, branch.weights);
      residual(dev, residual_args,
               [&](In in, Out y, T beta) { attention_forward(dev, branch, in, y, beta); });
    } else {
      if (observed && block.first_of_ffn) {
        before = stream;
        if (next.data == stream.data) {
          auto const held = of_pass(views.held);
          rows(dev, tokens, CopyRow<T, Space>{.in = stream, .out = held});
          before = held;
        }
      }
      auto const weights = workspace.table().ffn(parameters, i);
      residual_args.norms = residual_norms<T, Space>(model.plan, block, weights);
      residual(dev, residual_args, [&](In in, Out y, T beta) {
        ffn(dev, FfnForward<T, Space>{
                     .kind = ffn_kind(model.plan.activation),
                     .x = in,
                     .gate = weights.gate,
                     .up = weights.up,
                     .down = weights.down,
                     .hidden = matrix<Space>(views.hidden.data, tokens, 2 * weights.up.rows),
                     .y = y,
                     .beta = beta});
      });
      if (observed && block.last_of_ffn) observer(block.layer, before, In(next));
    }
    stream = next;
  }
  return stream;
}

}  // namespace tailor
