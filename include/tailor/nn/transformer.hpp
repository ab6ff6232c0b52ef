#pragma once
// A Transformer language model on any device: token losses, logits, and losses with gradients.

#include <tailor/device/device.hpp>  // tailor::Device
#include <tailor/nn/backward.hpp>    // tailor::backward
#include <tailor/nn/forward.hpp>     // tailor::forward, tailor::NoObserver
#include <tailor/nn/head.hpp>        // tailor::head
#include <tailor/nn/model.hpp>       // tailor::Model
#include <tailor/nn/workspace.hpp>   // tailor::Workspace

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailor {

/// `sequences` sequences of `length` tokens, one after another, and the token that follows each.
/// Shapes: ids, targets [sequences * length], within the vocabulary.
template <class Space = Host>
struct TokenBatch {
  VectorView<std::int32_t const, Space> ids, targets;
  int sequences = 0;
  int length = 0;

  std::int64_t tokens() const { return std::int64_t{sequences} * length; }
};

namespace detail {

/// Throws std::invalid_argument where model, workspace and batch do not belong together.
template <class T, Device D>
Pass<T, typename D::Space> checked_pass(char const* what, Model<T, D> const& model,
                                        Workspace<T, D> const& workspace,
                                        VectorView<std::int32_t const, typename D::Space> ids,
                                        int sequences, int length) {
  auto const& room = workspace.sizes();
  check_rule(what, model.plan == workspace.plan(), "the workspace was made for another plan");
  if (sequences < 1 || sequences > room.sequences || length < 1 || length > room.length) {
    throw std::invalid_argument(std::string(what) + ": the workspace has room for 1 to " +
                                std::to_string(room.sequences) + " sequences of 1 to " +
                                std::to_string(room.length) + " tokens, got " +
                                std::to_string(sequences) + " of " + std::to_string(length));
  }
  check_shape(what, "ids", ids, std::int64_t{sequences} * length);
  return {.ids = ids, .sequences = sequences, .length = length};
}

/// The head over the last stream of a pass.
template <class T, Device D>
Head<T, typename D::Space> head_of(Model<T, D> const& model, Workspace<T, D> const& workspace,
                                   MatrixView<T const, typename D::Space> x,
                                   TokenBatch<typename D::Space> const& batch,
                                   VectorView<T, typename D::Space> losses) {
  auto const parameters = model.parameters.view();
  return {.x = x,
          .gain = workspace.table().final_norm(parameters),
          .table = workspace.table().head(parameters),
          .targets = batch.targets,
          .losses = losses,
          .normed = rows_of(workspace.views().normed, 0, x.rows),
          .logits = workspace.views().logits,
          .eps = T(model.plan.norm_eps),
          .offset = T(model.plan.unit_offset_gains ? 1 : 0),
          .soft_cap = T(model.plan.logit_soft_cap)};
}

}  // namespace detail

/// losses[i] = cross-entropy, in nats, of the token that follows token i.
/// The observer, if any, is called as observer(layer, before, after) with the residual stream
/// entering and leaving the FFN branch of every layer that has one; both are [tokens, d] and valid
/// during the call.
/// Throws std::invalid_argument where model, workspace, batch and losses do not fit together.
/// @post does not depend on the other sequences of the batch
/// @post does not depend on later tokens
template <class T, Device D, class Observer = NoObserver>
void token_losses(D& dev, Model<T, D> const& model, TokenBatch<typename D::Space> const& batch,
                  Workspace<T, D>& workspace, VectorView<T, typename D::Space> losses,
                  Observer const& observer = {}) {
  auto const pass = detail::checked_pass("token_losses", model, workspace, batch.ids,
                                         batch.sequences, batch.length);
  check_shape("token_losses", "targets", batch.targets, pass.ids.size);
  check_shape("token_losses", "losses", losses, pass.ids.size);
  auto const x = forward(dev, model, workspace, pass, observer);
  head<T>(dev, detail::head_of<T, D>(model, workspace, x, batch, losses));
}

/// token_losses, and gradients += scale times the gradient of the sum of the token losses.
/// Cost: three forward passes, and the gate and up products once more. Allocates nothing and
/// returns nothing to the host.
/// Throws std::invalid_argument where the arguments do not fit together or the workspace is for
/// inference.
/// @post agrees with central differences of token_losses
/// @post the same bits for every number of threads
template <class T, Device D>
void loss_and_gradients(D& dev, Model<T, D> const& model,
                        TokenBatch<typename D::Space> const& batch, Workspace<T, D>& workspace,
                        VectorView<T, typename D::Space> gradients, std::type_identity_t<T> scale,
                        VectorView<T, typename D::Space> losses) {
  using Space = typename D::Space;
  char const* const what = "loss_and_gradients";
  auto const pass =
      detail::checked_pass(what, model, workspace, batch.ids, batch.sequences, batch.length);
  check_rule(what, workspace.sizes().purpose == Purpose::training,
             "the workspace is for inference, not for training");
  check_shape(what, "targets", batch.targets, pass.ids.size);
  check_shape(what, "losses", losses, pass.ids.size);
  check_shape(what, "gradients", gradients, model.layout.size);
  auto const x = forward(dev, model, workspace, pass);
  auto const& views = workspace.views();
  HeadGradients<T, Space> const into{.x = rows_of(views.gradient, 0, pass.tokens()),
                                     .gain = workspace.table().final_norm(gradients),
                                     .table = workspace.table().head(gradients),
                                     .terms = rows_of(views.terms, 0, pass.tokens()),
                                     .scale = scale};
  head<T>(dev, detail::head_of<T, D>(model, workspace, x, batch, losses), &into);
  backward(dev, model, workspace, pass, gradients);
}

/// out = logits after every token, soft cap included. Shapes: ids as in TokenBatch, whose targets
/// may be empty; out [sequences * length, vocab].
/// Throws std::invalid_argument where the arguments do not fit together.
template <class T, Device D>
void logits(D& dev, Model<T, D> const& model, TokenBatch<typename D::Space> const& batch,
            Workspace<T, D>& workspace, MatrixView<T, typename D::Space> out) {
  auto const pass =
      detail::checked_pass("logits", model, workspace, batch.ids, batch.sequences, batch.length);
  check_shape("logits", "out", out, pass.ids.size, model.plan.vocab);
  auto const x = forward(dev, model, workspace, pass);
  head_logits<T>(dev, detail::head_of<T, D>(model, workspace, x, batch, {}), 0, x.rows, out);
}

}  // namespace tailor
