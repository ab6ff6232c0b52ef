#pragma once
// What a training run leaves behind.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// One line of a log: the steps since the record before.
struct TrainRecord {
  std::int64_t step = 0;
  std::int64_t tokens = 0;       ///< trained on so far
  double loss = 0;               ///< nats per token, mean over those steps
  double rate = 0;               ///< of the last of them
  double gradient_norm = 0;      ///< of the last of them, before clipping
  double tokens_per_second = 0;  ///< wall clock, validation and checkpoints left out
};

struct ValidationRecord {
  std::int64_t step = 0;
  std::int64_t tokens = 0;
  double loss = 0;  ///< nats per token
};

/// @post a resumed run's history equals the uninterrupted one but for speeds, seconds and notes
struct History {
  std::vector<TrainRecord> records{};
  std::vector<ValidationRecord> validation{};
  std::int64_t step = 0;             ///< the last one made
  bool finished = false;             ///< false where it was stopped before its last step
  double seconds = 0;                ///< of training, over all parts of a resumed run
  std::string arithmetic{};          ///< the device's instruction set, where it has one
  std::vector<std::string> notes{};  ///< what a reader of the numbers should know
};

/// A loss or gradient that is not finite. The model keeps the parameters from before that step, and
/// the last checkpoint stays as it is.
struct TrainingDiverged : std::runtime_error {
  TrainingDiverged(std::int64_t at_step, std::string at, std::string const& message)
      : std::runtime_error(message), step(at_step), place(std::move(at)) {}

  std::int64_t step;  ///< the first step whose loss or gradient was not finite
  std::string place;  ///< the first tensor or layer that is not finite
};

}  // namespace tailor
