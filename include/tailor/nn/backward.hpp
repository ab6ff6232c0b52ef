#pragma once
// The backward pass through every sub-block, last to first. A sub-block computes again, from the
// stream that entered it, everything but what attention kept.

#include <tailor/device/device.hpp>        // tailor::Device
#include <tailor/nn/attention_branch.hpp>  // tailor::attention_backward
#include <tailor/nn/ffn.hpp>               // tailor::ffn
#include <tailor/nn/forward.hpp>           // tailor::Pass, tailor::attention_branch
#include <tailor/nn/residual.hpp>          // tailor::residual_backward

#include <cstddef>

namespace tailor {

namespace detail {

/// What all sub-blocks of a backward pass share.
template <class T, class Space>
ResidualBackward<T, Space> residual_backward_views(WorkspaceViews<T, Space> const& views,
                                                   std::size_t index, int tokens) {
  auto const of_pass = [&](MatrixView<T, Space> m) { return rows_of(m, 0, tokens); };
  return {.norms = {},
          .x = of_pass(views.stream[index]),
          .gradient = of_pass(views.gradient),
          .pre_gradient = {},
          .post_gradient = {},
          .normed = of_pass(views.normed),
          .branch = of_pass(views.branch),
          .branch_gradient = of_pass(views.branch_gradient),
          .terms = of_pass(views.terms)};
}

template <class T, Device D>
void attention_block_backward(D& dev, Model<T, D> const& model, Workspace<T, D> const& workspace,
                              std::size_t index, Pass<T, typename D::Space> const& pass,
                              VectorView<T, typename D::Space> gradients) {
  using Space = typename D::Space;
  using In = MatrixView<T const, Space>;
  using Out = MatrixView<T, Space>;
  auto const& views = workspace.views();
  auto const branch = attention_branch(model, workspace, index, pass);
  int const tokens = pass.tokens();
  int const width = branch.sizes.heads * branch.sizes.head_dim;
  int const kv_width = branch.sizes.kv_heads * branch.sizes.head_dim;
  AttentionGradients<T, Space> const into{
      .weights = workspace.table().attention(gradients, index),
      .dq = matrix<Space>(views.dq.data, tokens, width),
      .dk = matrix<Space>(views.dk.data, tokens, kv_width),
      .dv = matrix<Space>(views.dv.data, tokens, kv_width),
      .dy = matrix<Space>(views.dy.data, tokens, width),
      .terms = matrix<Space>(views.qk_terms.data, tokens, width)};
  auto args = residual_backward_views(views, index, tokens);
  args.norms = residual_norms<T, Space>(model.plan, workspace.blocks()[index], branch.weights);
  args.pre_gradient = into.weights.norm;
  args.post_gradient = into.weights.post_norm;
  residual_backward(
      dev, args,
      [&](In, Out y) {
        gemm(dev, Gemm<T, Space>{.a = branch.state.y, .b = transposed(branch.weights.o), .c = y});
      },
      [&](In in, In dy, Out dx, T beta) {
        attention_backward(dev, branch, into, in, dy, dx, beta);
      });
}

template <class T, Device D>
void ffn_block_backward(D& dev, Model<T, D> const& model, Workspace<T, D> const& workspace,
                        std::size_t index, int tokens, VectorView<T, typename D::Space> gradients) {
  using Space = typename D::Space;
  using In = MatrixView<T const, Space>;
  using Out = MatrixView<T, Space>;
  auto const& views = workspace.views();
  auto const weights = workspace.table().ffn(model.parameters.view(), index);
  auto const into = workspace.table().ffn(gradients, index);
  auto const kind = ffn_kind(model.plan.activation);
  auto const hidden = matrix<Space>(views.hidden.data, tokens, 2 * weights.up.rows);
  auto args = residual_backward_views(views, index, tokens);
  args.norms = residual_norms<T, Space>(model.plan, workspace.blocks()[index], weights);
  args.pre_gradient = into.norm;
  args.post_gradient = into.post_norm;
  residual_backward(
      dev, args,
      [&](In in, Out y) {
        ffn(dev, FfnForward<T, Space>{.kind = kind,
                                      .x = in,
                                      .gate = weights.gate,
                                      .up = weights.up,
                                      .down = weights.down,
                                      .hidden = hidden,
                                      .y = y});
      },
      [&](In in, In dy, Out dx, T beta) {
        ffn(dev, FfnBackward<T, Space>{.kind = kind,
                                       .x = in,
                                       .gate = weights.gate,
                                       .up = weights.up,
                                       .down = weights.down,
                                       .dy = dy,
                                       .dx = dx,
                                       .gate_gradient = into.gate,
                                       .up_gradient = into.up,
                                       .down_gradient = into.down,
                                       .hidden = hidden,
                                       .hidden_gradient = matrix<Space>(
                                           views.hidden_gradient.data, tokens, 2 * weights.up.rows),
                                       .beta = beta});
      });
}

}  // namespace detail

/// Turns the gradient of the last stream, in the workspace, into that of the embedded tokens, and
/// adds the gradients of all weights of the sub-blocks and of the embedding as an input.
template <class T, Device D>
void backward(D& dev, Model<T, D> const& model, Workspace<T, D>& workspace,
              Pass<T, typename D::Space> const& pass, VectorView<T, typename D::Space> gradients) {
  using Space = typename D::Space;
  int const tokens = pass.tokens();
  for (std::size_t i = workspace.blocks().size(); i-- > 0;) {
    if (workspace.blocks()[i].is_attention()) {
      detail::attention_block_backward(dev, model, workspace, i, pass, gradients);
    } else {
      detail::ffn_block_backward(dev, model, workspace, i, tokens, gradients);
    }
  }
  embedding(dev,
            EmbeddingBackward<T, Space>{.ids = pass.ids,
                                        .order = {workspace.order().data, tokens},
                                        .dx = rows_of(workspace.views().gradient, 0, tokens),
                                        .table_gradient = workspace.table().embedding(gradients),
                                        .scale = T(model.plan.embedding_scale)});
}

}  // namespace tailor
