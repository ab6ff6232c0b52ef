#pragma once
// The training loop: steps, records, validation, checkpoints, and continuing from one.

#include <tailor/device/device.hpp>     // tailor::Device
#include <tailor/nn/model.hpp>          // tailor::Model
#include <tailor/train/checkpoint.hpp>  // tailor::save_checkpoint, tailor::load_checkpoint
#include <tailor/train/corpus.hpp>      // tailor::Corpus
#include <tailor/train/divergence.hpp>  // tailor::first_non_finite
#include <tailor/train/evaluate.hpp>    // tailor::Evaluator
#include <tailor/train/history.hpp>     // tailor::History, tailor::TrainingDiverged
#include <tailor/train/options.hpp>     // tailor::TrainOptions
#include <tailor/train/trainer.hpp>     // tailor::Trainer

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace tailor {

/// Throws std::invalid_argument for the first thing in which a stored run is another than the one
/// that `plan`, resolved `options` and the text with `fingerprint` make.
inline void require_same_run(CheckpointInfo const& stored, Plan const& plan,
                             TrainOptions const& options, std::string const& fingerprint) {
  std::string const name = "train: " + options.checkpoint.string();
  if (!(stored.plan == plan)) {
    throw std::invalid_argument(name + " holds a model of another plan");
  }
  nlohmann::json before;
  detail::visit_trajectory(stored.options,
                           [&](char const* field, auto value) { before[field] = value; });
  detail::visit_trajectory(options, [&](char const* field, auto value) {
    if (before[field] != nlohmann::json(value)) {
      throw std::invalid_argument(name + " was trained with " + field + " " + before[field].dump() +
                                  " and cannot be continued with " + nlohmann::json(value).dump());
    }
  });
  if (stored.corpus_hash != fingerprint) {
    throw std::invalid_argument(name + " was trained on another text or another part of it: " +
                                stored.corpus_hash + ", not " + fingerprint);
  }
}

namespace detail {

/// The device's instruction set, which decides the last bits of a run; empty where it has none.
template <class D>
std::string arithmetic_of(D& dev) {
  if constexpr (requires { name(dev.instruction_set()); }) {
    return name(dev.instruction_set());
  } else {
    return {};
  }
}

/// One call of train().
template <class T, Device D>
class TrainingRun {
 public:
  TrainingRun(D& dev, Model<T, D>& model, Corpus const& corpus, TrainOptions const& options)
      : dev_(dev), corpus_(corpus), trainer_(dev, model, corpus.train, options) {
    history_.arithmetic = arithmetic_of(dev);
    if (corpus.validation.size() >= 2) {
      check_ids(corpus.validation, model.plan.vocab, "train, validation text");
      windows_.emplace(std::int64_t(corpus.validation.size()), options.length, 0);
      evaluator_.emplace(dev, model.plan,
                         int(std::min<std::int64_t>(options.sequences, windows_->count())),
                         windows_->length());
    }
  }

  History run() {
    TrainOptions const& options = trainer_.options();
    std::error_code error;
    if (options.resume && std::filesystem::exists(options.checkpoint, error)) resume();
    if (history_.finished) return history_;
    if (history_.step == 0 && options.evaluate_every > 0) validate();
    restart_interval(0);
    for (bool stopped = false; !stopped && history_.step < options.steps;) {
      trainer_.step(dev_);
      std::int64_t const step = ++history_.step;
      bool const last = step == options.steps;
      if (last || step % options.log_every == 0) record();
      if (last || (options.evaluate_every > 0 && step % options.evaluate_every == 0)) validate();
      stopped = !last && options.stop && options.stop(step);
      history_.finished = last;
      if (last || stopped ||
          (options.checkpoint_every > 0 && step % options.checkpoint_every == 0)) {
        save();
      }
    }
    pause();
    history_.seconds += seconds_;
    return history_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void record() {
    RunState state = state_now();
    double const seconds = seconds_ + since_start();
    TrainOptions const& options = trainer_.options();
    std::int64_t const steps = state.step - state.recorded;
    TrainRecord const record{
        .step = state.step,
        .tokens = state.step * tokens_per_step(options),
        .loss = state.loss_sum / double(steps),
        .rate = schedule_of(options).at(state.step),
        .gradient_norm = state.gradient_norm,
        .tokens_per_second =
            seconds > 0 ? double(interval_steps()) * double(tokens_per_step(options)) / seconds
                        : 0};
    history_.records.push_back(record);
    state.recorded = state.step;
    state.loss_sum = 0;
    trainer_.restore(dev_, state);
    restart_interval(seconds);
    if (options.progress) {
      double const left = double((options.steps - state.step) * tokens_per_step(options));
      options.progress(
          {.step = state.step,
           .steps = options.steps,
           .tokens = record.tokens,
           .loss = record.loss,
           .rate = record.rate,
           .tokens_per_second = record.tokens_per_second,
           .seconds_left = record.tokens_per_second > 0 ? left / record.tokens_per_second : 0});
    }
  }

  // What validation and checkpoints take is no part of the speed of training.
  double since_start() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  void pause() { seconds_ += since_start(); }
  void go_on() { start_ = Clock::now(); }
  std::int64_t interval_steps() const { return history_.step - interval_from_; }
  void restart_interval(double seconds) {
    history_.seconds += seconds;
    seconds_ = 0;
    interval_from_ = history_.step;
    start_ = Clock::now();
  }

  void validate() {
    if (!evaluator_) return;
    pause();
    Evaluation const evaluation = (*evaluator_)(dev_, trainer_.model(), corpus_.validation,
                                                *windows_, trainer_.options().evaluate_windows);
    if (evaluation.undefined > 0) {
      history_.notes.push_back("validation at step " + std::to_string(history_.step) + ": " +
                               std::to_string(evaluation.undefined) + " of " +
                               std::to_string(evaluation.tokens) + " tokens have no finite loss");
    }
    if (evaluation.defined()) {
      history_.validation.push_back({.step = history_.step,
                                     .tokens = history_.step * tokens_per_step(trainer_.options()),
                                     .loss = evaluation.loss});
    }
    go_on();
  }

  void save() {
    TrainOptions const& options = trainer_.options();
    if (options.checkpoint.empty()) return;
    RunState const state = state_now();
    pause();
    Model<T, D>& model = trainer_.model();
    History history = history_;
    history.seconds += seconds_;
    CheckpointInfo const info{.plan = model.plan,
                              .scalar = scalar_name<T>(),
                              .options = options,
                              .state = state,
                              .corpus_hash = corpus_.fingerprint(),
                              .history = history};
    save_checkpoint<T>(dev_, options.checkpoint, info, model.layout, model.parameters.view(),
                       trainer_.first_moment(), trainer_.second_moment());
    go_on();
  }

  void resume() {
    TrainOptions const& options = trainer_.options();
    require_same_run(read_checkpoint(options.checkpoint), trainer_.model().plan, options,
                     corpus_.fingerprint());
    CheckpointInfo info = load_checkpoint<T>(dev_, options.checkpoint, trainer_.model(),
                                             trainer_.first_moment(), trainer_.second_moment());
    trainer_.restore(dev_, info.state);
    std::string const arithmetic = std::exchange(history_, info.history).arithmetic;
    if (history_.arithmetic != arithmetic) {
      history_.notes.push_back("continued at step " + std::to_string(history_.step) + " on " +
                               arithmetic + " after " + history_.arithmetic +
                               ": the last bits may differ from a run in one piece");
      history_.arithmetic = arithmetic;
    }
    interval_from_ = history_.step;
  }

  /// The device's state. Throws where the run has diverged.
  RunState state_now() {
    RunState state = trainer_.state(dev_);
    if (state.diverged_at == 0) return state;
    TrainOptions const& options = trainer_.options();
    trainer_.restore(dev_, state);  // the batches of the step that failed
    std::string const place = first_non_finite(dev_, trainer_);
    std::string message = "train: step " + std::to_string(state.diverged_at) +
                          " diverged: " + place + " is not finite (learning rate " +
                          std::to_string(schedule_of(options).at(state.diverged_at)) + ")";
    std::error_code error;
    if (!options.checkpoint.empty() && std::filesystem::exists(options.checkpoint, error)) {
      message += "; the last good checkpoint is " + options.checkpoint.string();
    }
    throw TrainingDiverged(state.diverged_at, place, message);
  }

  D& dev_;
  Corpus const& corpus_;
  Trainer<T, D> trainer_;
  std::optional<EvaluationWindows> windows_;
  std::optional<Evaluator<T, D>> evaluator_;
  History history_;
  Clock::time_point start_ = Clock::now();
  double seconds_ = 0;              // of training since the last record
  std::int64_t interval_from_ = 0;  // the step at which they began
};

}  // namespace detail

/// Trains a model on the training part of a corpus and validates on its validation part.
/// Cost:  training_bytes on the device and the activations of one validation batch.
/// Error: std::invalid_argument for options out of range, ids outside the plan's vocabulary, too
/// little text, or a checkpoint of another run; CheckpointError for a damaged one; TrainingDiverged
/// where a loss or gradient is not finite.
/// @post   a run that was stopped and continued has the bits of an uninterrupted one
/// @post   the bits do not depend on the number of threads
template <class T, Device D>
History train(D& dev, Model<T, D>& model, Corpus const& corpus, TrainOptions options = {}) {
  return detail::TrainingRun<T, D>(dev, model, corpus, resolved(options, model.plan)).run();
}

}  // namespace tailor
