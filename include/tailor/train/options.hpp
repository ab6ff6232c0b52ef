#pragma once
// What a training run is told, and the rules it has to meet.

#include <tailor/arch/budget.hpp>          // tailor::parameters
#include <tailor/arch/plan.hpp>            // tailor::Plan
#include <tailor/train/learning_rate.hpp>  // tailor::default_learning_rate, tailor::default_warmup

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace tailor {

/// Where a run stands, told at every record.
struct Progress {
  std::int64_t step = 0;
  std::int64_t steps = 0;
  std::int64_t tokens = 0;  ///< trained on so far
  double loss = 0;          ///< mean over the steps since the last record
  double rate = 0;
  double tokens_per_second = 0;
  double seconds_left = 0;  ///< at the speed since the last record
};

/// Options of a training run; a zero stands for the default named beside it.
struct TrainOptions {
  std::int64_t steps = 500;
  int sequences = 16;              ///< windows per batch
  int accumulate = 1;              ///< batches per step, their gradients added
  int length = 0;                  ///< tokens per window; 0: the plan's context
  double learning_rate = 0;        ///< peak; 0: default_learning_rate of the matrix parameters
  std::int64_t warmup = 0;         ///< steps; 0: default_warmup
  double min_rate_fraction = 0.1;  ///< of the peak, at the last step
  double weight_decay = 0.1;       ///< on matrices and embeddings, not on gains
  double clip = 1;                 ///< largest norm of the whole gradient; 0: not clipped
  double beta1 = 0.9;
  double beta2 = 0.95;
  double eps = 1e-8;
  std::uint64_t seed = 1;  ///< of the order of batches

  int log_every = 10;                  ///< steps per record
  int evaluate_every = 0;              ///< steps per validation; 0: at the end only
  int evaluate_windows = 0;            ///< of the validation text, evenly spread; 0: all
  int checkpoint_every = 0;            ///< steps; 0: at the end and when stopped only
  std::filesystem::path checkpoint{};  ///< where to; empty: none
  bool resume = false;                 ///< continue from `checkpoint` where it exists
  std::function<void(Progress const&)> progress{};  ///< called at every record
  std::function<bool(std::int64_t step)> stop{};    ///< asked after every step; true ends the run
};

namespace detail {

/// Calls visit(name, field) for every option that decides which numbers come out.
template <class Options, class Visit>
void visit_trajectory(Options& o, Visit&& visit) {
  visit("steps", o.steps);
  visit("sequences", o.sequences);
  visit("accumulate", o.accumulate);
  visit("length", o.length);
  visit("learning_rate", o.learning_rate);
  visit("warmup", o.warmup);
  visit("min_rate_fraction", o.min_rate_fraction);
  visit("weight_decay", o.weight_decay);
  visit("clip", o.clip);
  visit("beta1", o.beta1);
  visit("beta2", o.beta2);
  visit("eps", o.eps);
  visit("seed", o.seed);
}

}  // namespace detail

/// The options with every default filled in for a plan.
/// Error: std::invalid_argument naming the first option out of its range, the range and the value.
inline TrainOptions resolved(TrainOptions options, Plan const& plan) {
  auto const require = [](bool holds, char const* option, char const* range, auto got) {
    if (!holds) {
      throw std::invalid_argument(std::string("train: ") + option + " must be " + range + ", got " +
                                  std::to_string(got));
    }
  };
  auto const finite = [](double x) { return x - x == 0; };
  if (options.length == 0) options.length = plan.context;
  if (options.learning_rate == 0) {
    options.learning_rate = default_learning_rate(parameters(plan, Count::matrices));
  }
  require(options.steps >= 1, "steps", "at least 1", options.steps);
  if (options.warmup == 0) options.warmup = default_warmup(options.steps);
  require(options.sequences >= 1, "sequences", "at least 1", options.sequences);
  require(options.accumulate >= 1, "accumulate", "at least 1", options.accumulate);
  require(options.length >= 1 && options.length <= plan.context, "length",
          "from 1 to the plan's context", options.length);
  std::int64_t const most = std::numeric_limits<std::int32_t>::max();
  require(most / options.sequences / options.accumulate >= options.length,
          "sequences * accumulate * length", "below 2^31",
          double(options.sequences) * options.accumulate * options.length);
  require(options.learning_rate > 0 && finite(options.learning_rate), "learning_rate", "positive",
          options.learning_rate);
  require(options.warmup >= 0 && options.warmup <= options.steps, "warmup", "from 0 to steps",
          options.warmup);
  require(options.min_rate_fraction >= 0 && options.min_rate_fraction <= 1, "min_rate_fraction",
          "from 0 to 1", options.min_rate_fraction);
  require(options.weight_decay >= 0 && finite(options.weight_decay), "weight_decay",
          "zero or positive", options.weight_decay);
  require(options.clip >= 0 && finite(options.clip), "clip", "zero or positive", options.clip);
  require(options.beta1 >= 0 && options.beta1 < 1, "beta1", "from 0 to below 1", options.beta1);
  require(options.beta2 >= 0 && options.beta2 < 1, "beta2", "from 0 to below 1", options.beta2);
  require(options.eps > 0 && finite(options.eps), "eps", "positive", options.eps);
  require(options.log_every >= 1, "log_every", "at least 1", options.log_every);
  require(options.evaluate_every >= 0, "evaluate_every", "zero or positive",
          options.evaluate_every);
  require(options.evaluate_windows >= 0, "evaluate_windows", "zero or positive",
          options.evaluate_windows);
  require(options.checkpoint_every >= 0, "checkpoint_every", "zero or positive",
          options.checkpoint_every);
  if (options.checkpoint.empty() && (options.resume || options.checkpoint_every > 0)) {
    throw std::invalid_argument("train: resume and checkpoint_every need a checkpoint path");
  }
  return options;
}

/// The schedule of resolved options.
inline LearningRate schedule_of(TrainOptions const& options) {
  return {.peak = options.learning_rate,
          .floor = options.learning_rate * options.min_rate_fraction,
          .warmup = options.warmup,
          .steps = options.steps};
}

/// Tokens of one step.
inline std::int64_t tokens_per_step(TrainOptions const& options) {
  return std::int64_t(options.sequences) * options.accumulate * options.length;
}

}  // namespace tailor
