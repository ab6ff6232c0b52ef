#pragma once
// The library at work on the CPU device. Models and trainers are instantiated in engine.cpp alone,
// so that the commands compile in seconds.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tailor/cpu.hpp>                      // tailor::cpu::Device
#include <tailor/geometry/profile.hpp>         // tailor::Profile
#include <tailor/geometry/statistic_name.hpp>  // tailor::StatisticName
#include <tailor/study/allocate_profile.hpp>   // tailor::AllocationOptions
#include <tailor/train/corpus.hpp>             // tailor::Corpus
#include <tailor/train/evaluate.hpp>           // tailor::Evaluation
#include <tailor/train/options.hpp>            // tailor::TrainOptions

#include "fit_results.hpp"

namespace tailor_program {

/// One model trained and evaluated in a folder of its own: checkpoint.tailor, log.jsonl, run.json.
struct Run {
  tailor::Plan plan;
  std::uint64_t seed = 1;  ///< of initial values and batches
  tailor::TrainOptions training;
  std::int64_t evaluation_windows = 0;  ///< of validation and test at the end; 0: all
  std::filesystem::path folder;
  bool may_diverge = false;  ///< its losses are infinite then, and no error
};

/// The training with so many validations and checkpoints, and about 200 records.
tailor::TrainOptions paced(tailor::TrainOptions training, int validations, int checkpoints);

/// The record of a run that is finished in its folder, if it is.
/// Throws std::invalid_argument where the folder holds another run, finished or not.
std::optional<RunRecord> finished(Run const& run, tailor::Corpus const& corpus);

/// Trains from where the folder's checkpoint stands, then evaluates; nothing where it was stopped.
/// Domain: finished(run, corpus) was asked before.
std::optional<RunRecord> perform(tailor::cpu::Device& device, Run const& run,
                                 tailor::Corpus const& corpus);

/// Bytes that training a plan takes, its optimizer and activations included.
std::int64_t training_memory(tailor::Plan const& plan, tailor::TrainOptions const& training);

/// Training tokens per second of a plan, timed over about `seconds`.
double training_speed(tailor::cpu::Device& device, tailor::Plan const& plan,
                      tailor::TrainOptions const& training, tailor::Corpus const& corpus,
                      double seconds);

/// How clouds are taken from a model and a text, and how many samples of them.
struct ProfileOptions {
  std::int64_t pool = 4096;  ///< tokens kept of every layer
  int per_window = 16;       ///< of them from one window
  tailor::MeasureOptions measure;
  std::optional<double> until;                    ///< reliability: see tailor::until_stable
  std::vector<tailor::StatisticName> statistics;  ///< that `until` asks about; empty: all nine
  tailor::AllocationOptions allocation;           ///< of the widths that `until` judges
};

/// A profile and, where massive tokens were kept and there are some, the one without them.
struct MeasuredProfile {
  tailor::Profile profile;
  std::optional<tailor::Profile> without_massive;
};

/// The profile of the model in a checkpoint on a text.
MeasuredProfile profile_checkpoint(tailor::cpu::Device& device,
                                   std::filesystem::path const& checkpoint,
                                   std::vector<std::int32_t> const& text,
                                   ProfileOptions const& options);

/// The profile of clouds that somebody else's model left as layer_NN_before.npy and
/// layer_NN_after.npy. `width` is the FFN width of that model, 0 where nobody said.
/// Throws std::invalid_argument where options.until needs the width.
MeasuredProfile profile_clouds(tailor::cpu::Device& device, std::filesystem::path const& folder,
                               int width, ProfileOptions const& options);

/// Seconds that `options` would take at most on a cloud of this many dimensions and layers, by
/// timing one layer of one sample.
double measuring_seconds(tailor::cpu::Device& device, int d_model, int layers,
                         ProfileOptions const& options);

tailor::Plan checkpoint_plan(std::filesystem::path const& checkpoint);

tailor::Evaluation evaluate_checkpoint(tailor::cpu::Device& device,
                                       std::filesystem::path const& checkpoint,
                                       std::vector<std::int32_t> const& text,
                                       tailor::EvaluateOptions const& options);

struct SampleOptions {
  int tokens = 200;
  double temperature = 0.8;
  int top_k = 0;  ///< 0: the whole vocabulary
  std::uint64_t seed = 1;
};

/// Ids that follow `prompt`.
std::vector<std::int32_t> sample_checkpoint(tailor::cpu::Device& device,
                                            std::filesystem::path const& checkpoint,
                                            std::vector<std::int32_t> const& prompt,
                                            SampleOptions const& options);

}  // namespace tailor_program
