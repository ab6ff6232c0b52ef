#include "engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include <tailor/arch/plan_of.hpp>       // tailor::uniform_plan
#include <tailor/geometry/measure.hpp>   // tailor::measure
#include <tailor/io/atomic_file.hpp>     // tailor::write_file
#include <tailor/nn/generate.hpp>        // tailor::generate
#include <tailor/nn/model.hpp>           // tailor::build
#include <tailor/study/cloud_files.hpp>  // tailor::read_clouds
#include <tailor/study/observe.hpp>      // tailor::observe
#include <tailor/study/stability.hpp>    // tailor::until_stable
#include <tailor/train/checkpoint.hpp>   // tailor::load_model, tailor::read_checkpoint
#include <tailor/train/train.hpp>        // tailor::train

#include "commands.hpp"
#include "files.hpp"

namespace tailor_program {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tailor::cpu::Device;

std::string log_line(std::int64_t step, std::int64_t tokens, double loss, double rate,
                     double speed) {
  return json{{"step", step},
              {"tokens", tokens},
              {"loss", loss},
              {"rate", rate},
              {"tokens_per_second", speed}}
             .dump() +
         "\n";
}

/// The log of a history: its records and, between them, its validations.
std::string log_text(tailor::History const& history) {
  std::string text;
  auto validation = history.validation.begin();
  auto const up_to = [&](std::int64_t step) {
    for (; validation != history.validation.end() && validation->step <= step; ++validation) {
      text += json{{"step", validation->step},
                   {"tokens", validation->tokens},
                   {"validation_loss", validation->loss}}
                  .dump() +
              "\n";
    }
  };
  for (auto const& record : history.records) {
    up_to(record.step - 1);
    text +=
        log_line(record.step, record.tokens, record.loss, record.rate, record.tokens_per_second);
  }
  up_to(history.step);
  return text;
}

/// The same training for a measurement: nothing is saved.
tailor::TrainOptions unsaved(tailor::TrainOptions training) {
  training.checkpoint_every = 0;
  return training;
}

/// Measures what `options` asks for of the clouds of a model with this plan.
MeasuredProfile measured(Device& device, std::vector<tailor::Cloud> const& clouds,
                         tailor::Plan const& plan, ProfileOptions const& options) {
  tailor::MeasureOptions measure = options.measure;
  if (options.until) {
    measure.until = tailor::until_stable(
        *options.until, plan,
        options.statistics.empty() ? tailor::every_statistic() : options.statistics,
        options.allocation);
  }
  MeasuredProfile result{.profile = tailor::measure(device, clouds, measure),
                         .without_massive = {}};
  bool const massive =
      std::any_of(result.profile.layers.begin(), result.profile.layers.end(),
                  [](tailor::LayerProfile const& layer) { return layer.massive > 0; });
  if (!options.measure.keep_massive || !massive) return result;
  measure.keep_massive = false;
  if (measure.progress) {
    measure.progress = [show = measure.progress,
                        before = result.profile.samples * int(clouds.size())](int done, int total) {
      show(before + done, before + total);
    };
  }
  result.without_massive = tailor::measure(device, clouds, measure);
  return result;
}

double evaluated(Device& device, tailor::Model<float, Device> const& model,
                 std::vector<std::int32_t> const& text, std::int64_t windows) {
  return tailor::evaluate(device, model, text, {.windows = windows}).loss;
}

}  // namespace

tailor::TrainOptions paced(tailor::TrainOptions training, int validations, int checkpoints) {
  auto const every = [&](int times) {
    return int(std::clamp<std::int64_t>(training.steps / times, 1, 1 << 30));
  };
  training.log_every = std::min(100, every(200));
  training.evaluate_every = every(validations);
  training.checkpoint_every = every(checkpoints);
  return training;
}

std::optional<RunRecord> finished(Run const& run, tailor::Corpus const& corpus) {
  fs::path const file = run.folder / "run.json", checkpoint = run.folder / "checkpoint.tailor";
  if (fs::exists(checkpoint)) {
    tailor::TrainOptions options = run.training;
    options.checkpoint = checkpoint;
    tailor::require_same_run(tailor::read_checkpoint(checkpoint), run.plan,
                             tailor::resolved(options, run.plan), corpus.fingerprint());
  }
  if (!fs::exists(file)) return std::nullopt;
  return run_record(read_json(file), file.string());
}

std::optional<RunRecord> perform(Device& device, Run const& run, tailor::Corpus const& corpus) {
  make_folder(run.folder);
  sweep_partial_files(run.folder);
  fs::path const log_file = run.folder / "log.jsonl";
  tailor::TrainOptions options = run.training;
  options.checkpoint = run.folder / "checkpoint.tailor";
  options.resume = true;

  // The log grows with the run; what a stopped run wrote after its checkpoint is made again.
  tailor::write_file(log_file, fs::exists(options.checkpoint)
                                   ? log_text(tailor::read_checkpoint(options.checkpoint).history)
                                   : "");
  std::ofstream log(log_file, std::ios::app);
  options.progress = [&](tailor::Progress const& p) {
    log << log_line(p.step, p.tokens, p.loss, p.rate, p.tokens_per_second) << std::flush;
    if (run.training.progress) run.training.progress(p);
  };

  auto model = tailor::build<float>(device, run.plan, {.seed = run.seed});
  tailor::History history;
  try {
    history = tailor::train(device, model, corpus, options);
  } catch (tailor::TrainingDiverged const&) {
    if (!run.may_diverge) throw;
    double const infinite = std::numeric_limits<double>::infinity();
    return RunRecord{.seed = run.seed, .validation_loss = infinite, .test_loss = infinite};
  }
  log.close();
  tailor::write_file(log_file, log_text(history));
  if (!history.finished) return std::nullopt;

  RunRecord record{
      .seed = run.seed,
      .validation_loss = evaluated(device, model, corpus.validation, run.evaluation_windows),
      .test_loss = evaluated(device, model, corpus.test, run.evaluation_windows),
      .tokens = history.step * tailor::tokens_per_step(tailor::resolved(options, run.plan))};
  record.tokens_per_second = history.seconds > 0 ? double(record.tokens) / history.seconds : 0;
  for (auto const& point : history.validation) record.curve.emplace_back(point.tokens, point.loss);
  write_json(run.folder / "run.json", to_json(record));
  return record;
}

std::int64_t training_memory(tailor::Plan const& plan, tailor::TrainOptions const& training) {
  return tailor::training_bytes<float, Device>(plan, unsaved(training));
}

double training_speed(Device& device, tailor::Plan const& plan,
                      tailor::TrainOptions const& training, tailor::Corpus const& corpus,
                      double seconds) {
  using Clock = std::chrono::steady_clock;
  auto model = tailor::build<float>(device, plan);
  tailor::Trainer<float, Device> trainer(device, model, corpus.train,
                                         tailor::resolved(unsaved(training), plan));
  trainer.step(device);  // the first touches all memory
  auto const start = Clock::now();
  double spent = 0;
  std::int64_t steps = 0;
  while (spent < seconds || steps < 2) {
    stop_if_interrupted();
    trainer.step(device);
    ++steps;
    spent = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return double(steps * tailor::tokens_per_step(trainer.options())) / spent;
}

MeasuredProfile profile_checkpoint(Device& device, fs::path const& checkpoint,
                                   std::vector<std::int32_t> const& text,
                                   ProfileOptions const& options) {
  auto const model = tailor::load_model<float>(device, checkpoint);
  auto const clouds = tailor::observe(
      device, model, text,
      {.tokens = options.pool, .per_window = options.per_window, .seed = options.measure.seed});
  return measured(device, clouds, model.plan, options);
}

MeasuredProfile profile_clouds(Device& device, fs::path const& folder, int width,
                               ProfileOptions const& options) {
  auto const clouds = tailor::read_clouds(folder);
  tailor::Dims const dims{.d_model = clouds[0].d_model(), .layers = int(clouds.size()), .heads = 0};
  if (options.until && dims.layers < tailor::layers_for_reliability && width < 1) {
    throw std::invalid_argument(fmt::format(
        "--until: with fewer than {} layers the widths are judged: --width of the measured model "
        "expected",
        tailor::layers_for_reliability));
  }
  return measured(device, clouds, tailor::uniform_plan(dims, std::max(width, 1)), options);
}

double measuring_seconds(Device& device, int d_model, int layers, ProfileOptions const& profile) {
  tailor::MeasureOptions const& options = profile.measure;
  std::mt19937 random(1);  // any cloud without symmetry will do for a timing
  std::normal_distribution<float> normal;
  tailor::Cloud cloud{.layer = "timing",
                      .before = tailor::HostMatrix(options.tokens, d_model),
                      .after = tailor::HostMatrix(options.tokens, d_model)};
  for (int i = 0; i < options.tokens; ++i) {
    for (int j = 0; j < d_model; ++j) {
      float const x = normal(random);
      cloud.before.view()(i, j) = x;
      cloud.after.view()(i, j) = x + 0.3f * normal(random);
    }
  }
  tailor::MeasureOptions one = options;
  one.samples = 1;
  one.progress = {};
  auto const start = std::chrono::steady_clock::now();
  tailor::measure(device, std::vector<tailor::Cloud>{cloud}, one);
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  int const samples =
      profile.until ? std::max(options.samples, options.most_samples) : options.samples;
  return seconds * layers * samples * (options.keep_massive ? 2 : 1) / device.threads();
}

tailor::Plan checkpoint_plan(fs::path const& checkpoint) {
  return tailor::read_checkpoint(checkpoint).plan;
}

tailor::Evaluation evaluate_checkpoint(Device& device, fs::path const& checkpoint,
                                       std::vector<std::int32_t> const& text,
                                       tailor::EvaluateOptions const& options) {
  return tailor::evaluate(device, tailor::load_model<float>(device, checkpoint), text, options);
}

std::vector<std::int32_t> sample_checkpoint(Device& device, fs::path const& checkpoint,
                                            std::vector<std::int32_t> const& prompt,
                                            SampleOptions const& options) {
  auto const model = tailor::load_model<float>(device, checkpoint);
  return tailor::generate(device, model, prompt,
                          {.tokens = options.tokens,
                           .temperature = options.temperature,
                           .top_k = options.top_k,
                           .seed = options.seed});
}

}  // namespace tailor_program
