// tailor train: one model on one text.

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include <tailor/arch/describe.hpp>  // tailor::describe
#include <tailor/io/plan_json.hpp>   // to_json(Plan)

#include "commands.hpp"
#include "engine.hpp"
#include "files.hpp"
#include "numbers.hpp"
#include "plan_flags.hpp"
#include "progress.hpp"
#include "text_flags.hpp"

namespace tailor_program {
namespace {

struct Flags {
  TextFlags text;
  PlanFlags plan;
  std::string out, tokens = "1M";
  double rate = 0, weight_decay = 0.1;
  int sequences = 8, threads = 0;
  std::uint64_t seed = 1;
  std::int64_t evaluation_windows = 512;
  bool dry_run = false, json = false;
};

void run(Flags const& flags) {
  check_output_folder(flags.out);
  catch_interrupts();
  Progress progress(flags.json);
  int const context = flags.plan.context();
  tailor::Corpus const corpus = flags.text.load(context, TextParts::all);
  Run job{.plan = flags.plan.plan(corpus.vocab),
          .seed = flags.seed,
          .training = {},
          .folder = flags.out};
  job.evaluation_windows = flags.evaluation_windows;
  tailor::TrainOptions& training = job.training;
  training.sequences = flags.sequences;
  training.length = context;
  training.weight_decay = flags.weight_decay;
  training.learning_rate = flags.rate;
  training.seed = flags.seed;
  std::int64_t const per_step = tailor::tokens_per_step(tailor::resolved(training, job.plan));
  training.steps = std::max<std::int64_t>(1, parsed_count("--tokens", flags.tokens) / per_step);
  training.evaluate_windows = 64;
  training = paced(std::move(training), 12, 10);

  tailor::cpu::Device device({.threads = flags.threads});
  if (!flags.json) fmt::print("{}", tailor::describe(job.plan));
  double const memory = double(training_memory(job.plan, training));
  progress.say(fmt::format("{} steps of {} tokens; {}B of memory for the model and its training",
                           training.steps, per_step, compact(memory)));
  if (flags.dry_run) {
    double const speed = training_speed(device, job.plan, training, corpus, 2);
    fmt::print("{} tokens/s, {:.3g} ms per step, about {} in all\n", compact(speed),
               1e3 * double(per_step) / speed, duration(double(training.steps * per_step) / speed));
    return;
  }
  auto record = finished(job, corpus);
  make_folder(job.folder);
  write_json(job.folder / "plan.json", job.plan);
  training.stop = [](std::int64_t) { return bool(interrupted()); };
  training.progress = [&](tailor::Progress const& p) {
    progress.update(fmt::format(
        "step {}/{} \u00b7 loss {:.4f} \u00b7 rate {:.2e} \u00b7 {} tokens/s "
        "\u00b7 {} left",
        p.step, p.steps, p.loss, p.rate, compact(p.tokens_per_second), duration(p.seconds_left)));
  };
  if (!record) record = perform(device, job, corpus);
  if (!record) {
    throw Interrupted("interrupted; the checkpoint is saved, the same command continues from it");
  }
  if (flags.json) {
    fmt::print("{}\n", to_json(*record).dump(2));
    return;
  }
  fmt::print("validation {:.4f}, test {:.4f} nats per token (perplexity {:.3f}); checkpoint: {}\n",
             record->validation_loss, record->test_loss, std::exp(record->test_loss),
             (job.folder / "checkpoint.tailor").string());
}

}  // namespace

void add_train(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "train", "Train one model; started again with the same flags it continues where it was");
  flags->text.add_to(command);
  command.add_option("--out", flags->out, "folder for checkpoint, log and result")->required();
  command.add_option("--tokens", flags->tokens, "tokens to train on, as 2M")->capture_default_str();
  command.add_option("--sequences", flags->sequences, "windows per batch")->capture_default_str();
  command.add_option("--lr", flags->rate, "peak learning rate; 0: by size")->capture_default_str();
  command.add_option("--weight-decay", flags->weight_decay, "on matrices and embeddings")
      ->capture_default_str();
  command.add_option("--seed", flags->seed, "of initial values and batches")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, largest_flag));
  command.add_option("--threads", flags->threads, "threads; 0: all")->capture_default_str();
  command
      .add_option("--evaluation-windows", flags->evaluation_windows,
                  "windows that the finished model is judged on; 0: all")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  command.add_flag("--dry-run", flags->dry_run, "say memory and time, train nothing");
  command.add_flag("--json", flags->json, "print the result as JSON and no progress");
  flags->plan.add_to(command);
  command.footer("Example:  tailor train --text books/ --out model --tokens 5M");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
