#pragma once
// One training run, step by step: forward, backward, clip, AdamW.

#include <tailor/device/device.hpp>       // tailor::Device, tailor::BufferOf
#include <tailor/nn/model.hpp>            // tailor::Model
#include <tailor/nn/transformer.hpp>      // tailor::loss_and_gradients, tailor::TokenBatch
#include <tailor/nn/workspace.hpp>        // tailor::Workspace, tailor::workspace_bytes
#include <tailor/train/adamw.hpp>         // tailor::adamw
#include <tailor/train/batches.hpp>       // tailor::Batches
#include <tailor/train/decay_ranges.hpp>  // tailor::decay_ranges
#include <tailor/train/options.hpp>       // tailor::TrainOptions
#include <tailor/train/step_scalars.hpp>  // tailor::RunState, tailor::PrepareUpdate
#include <tailor/train/token_file.hpp>    // tailor::check_ids

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// Bytes that training a plan takes on the device: parameters, gradients, both moments,
/// activations.
/// Error:  std::invalid_argument for options that do not fit the plan.
template <class T, Device D>
std::int64_t training_bytes(Plan const& plan, TrainOptions const& options = {}) {
  TrainOptions const o = resolved(options, plan);
  std::int64_t const per_token = 2 * std::int64_t(sizeof(std::int32_t));
  return 4 * layout_of(plan).size * std::int64_t(sizeof(T)) +
         std::int64_t(o.sequences) * o.length * per_token +
         tokens_per_step(o) * std::int64_t(sizeof(T)) +
         workspace_bytes<T, D>(plan, o.sequences, o.length, Purpose::training);
}

/// The moving parts of a training run. `train` drives one; use it directly for a loop of your own.
/// Domain: the model and the text outlive it.
/// @post inside step() nothing is allocated and nothing returns to the host
template <class T, Device D>
class Trainer {
 public:
  using Space = typename D::Space;

  /// Domain: `options` are resolved.
  /// Error: std::invalid_argument where the text has no window or ids outside the vocabulary.
  Trainer(D& dev, Model<T, D>& model, std::span<std::int32_t const> text,
          TrainOptions const& options)
      : options_(options),
        model_(model),
        batches_(text, options.length, options.seed),
        ranges_(decay_ranges(model.layout)),
        workspace_(dev, model.plan, options.sequences, options.length, Purpose::training),
        gradients_(buffer<T>(dev, model.layout.size)),
        first_moment_(buffer<T>(dev, model.layout.size)),
        second_moment_(buffer<T>(dev, model.layout.size)),
        ids_(buffer<std::int32_t>(dev, batch_tokens())),
        targets_(buffer<std::int32_t>(dev, batch_tokens())),
        losses_(buffer<T>(dev, tokens_per_step(options))),
        sums_(buffer<double>(dev, 2)),
        scalars_(buffer<AdamWScalars>(dev, 1)),
        state_(buffer<RunState>(dev, 1)),
        host_ids_(std::size_t(batch_tokens())),
        host_targets_(std::size_t(batch_tokens())) {
    check_ids(text, model.plan.vocab, "train");
  }

  TrainOptions const& options() const { return options_; }
  Model<T, D>& model() { return model_; }
  VectorView<T, Space> gradients() { return gradients_.view(); }
  VectorView<T, Space> first_moment() { return first_moment_.view(); }
  VectorView<T, Space> second_moment() { return second_moment_.view(); }
  Workspace<T, D>& workspace() { return workspace_; }

  /// The next update. Skipped by the device from the first loss or gradient on that is not finite;
  /// state() then says at which step that was.
  void step(D& dev) {
    accumulate_gradients(dev);
    reduce(dev, tokens_per_step(options_), PlainTerm<T>{losses_.view().data}, sum(0));
    reduce(dev, model_.layout.size, SquaredTerm<T>{gradients_.view().data}, sum(1));
    elements(dev, 1,
             PrepareUpdate{.state = state_.view().data,
                           .scalars = scalars_.view().data,
                           .loss_sum = sum(0).data,
                           .squared_norm = sum(1).data,
                           .rate = schedule_of(options_),
                           .tokens = double(tokens_per_step(options_)),
                           .clip = options_.clip,
                           .beta1 = options_.beta1,
                           .beta2 = options_.beta2});
    for (DecayRange const& range : ranges_) update(dev, range);
    ++next_step_;
  }

  /// gradients() = gradient of the mean loss of the next step, summed over its batches.
  void accumulate_gradients(D& dev) {
    fill(dev, gradients_.view(), T(0));
    for (int part = 0; part < options_.accumulate; ++part) {
      loss_and_gradients(dev, model_, load(dev, part), workspace_, gradients_.view(),
                         T(1.0 / double(tokens_per_step(options_))), losses(part));
    }
  }

  /// Puts batch `part` of the next step on the device.
  TokenBatch<Space> load(D& dev, int part) {
    std::int64_t const first = (next_step_ * options_.accumulate + part) * options_.sequences;
    batches_.fill(first, options_.sequences, host_ids_, host_targets_);
    upload(dev, std::span<std::int32_t const>(host_ids_), ids_.view());
    upload(dev, std::span<std::int32_t const>(host_targets_), targets_.view());
    return {.ids = ids_.view(),
            .targets = targets_.view(),
            .sequences = options_.sequences,
            .length = options_.length};
  }

  /// The losses of the tokens of batch `part`, as accumulate_gradients leaves them.
  VectorView<T, Space> losses(int part) {
    return {losses_.view().data + part * batch_tokens(), batch_tokens()};
  }

  /// What the device knows of the run. Waits for it.
  RunState state(D& dev) {
    RunState state;
    download(dev, VectorView<RunState const, Space>(state_.view()), std::span(&state, 1));
    return state;
  }

  /// Puts the run where `state` says; the next batch follows from it.
  void restore(D& dev, RunState const& state) {
    upload(dev, std::span(&state, 1), state_.view());
    next_step_ = state.step;
  }

 private:
  std::int64_t batch_tokens() const { return std::int64_t(options_.sequences) * options_.length; }
  VectorView<double, Space> sum(int which) { return {sums_.view().data + which, 1}; }

  void update(D& dev, DecayRange const& range) {
    auto const part = [&](BufferOf<T, D>& buffer) {
      return VectorView<T, Space>{buffer.view().data + range.first, range.size};
    };
    adamw(dev, AdamW<T, Space>{.parameters = part(model_.parameters),
                               .gradients = part(gradients_),
                               .first_moment = part(first_moment_),
                               .second_moment = part(second_moment_),
                               .scalars = scalars_.view(),
                               .beta1 = options_.beta1,
                               .beta2 = options_.beta2,
                               .eps = options_.eps,
                               .weight_decay = range.decayed ? options_.weight_decay : 0});
  }

  TrainOptions options_;
  Model<T, D>& model_;
  Batches batches_;
  std::vector<DecayRange> ranges_;
  Workspace<T, D> workspace_;
  BufferOf<T, D> gradients_, first_moment_, second_moment_;
  BufferOf<std::int32_t, D> ids_, targets_;
  BufferOf<T, D> losses_;
  BufferOf<double, D> sums_;
  BufferOf<AdamWScalars, D> scalars_;
  BufferOf<RunState, D> state_;
  std::vector<std::int32_t> host_ids_, host_targets_;
  std::int64_t next_step_ = 0;
};

}  // namespace tailor
