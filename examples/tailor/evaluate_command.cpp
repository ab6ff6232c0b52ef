// tailor evaluate: the loss of a checkpoint on a text.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "engine.hpp"
#include "text_flags.hpp"

namespace tailor_program {
namespace {

struct Flags {
  TextFlags text;
  std::string checkpoint, split = "test";
  std::int64_t windows = 0;
  int sequences = 8, threads = 0;
  bool json = false;
};

void run(Flags const& flags) {
  tailor::Plan const plan = checkpoint_plan(flags.checkpoint);
  tailor::Corpus corpus = flags.text.load(plan.context);
  std::vector<std::int32_t> text;
  if (flags.split == "train") {
    text = std::move(corpus.train);
  } else if (flags.split == "validation") {
    text = std::move(corpus.validation);
  } else if (flags.split == "test") {
    text = std::move(corpus.test);
  } else if (flags.split == "all") {
    for (auto const* part : {&corpus.train, &corpus.validation, &corpus.test}) {
      text.insert(text.end(), part->begin(), part->end());
    }
  } else {
    throw std::invalid_argument("--split: \"" + flags.split +
                                "\" is none of train, validation, test, all");
  }
  tailor::cpu::Device device({.threads = flags.threads});
  auto const result = evaluate_checkpoint(device, flags.checkpoint, text,
                                          {.sequences = flags.sequences,
                                           .windows = flags.windows,
                                           .bytes_per_token = corpus.bytes_per_token()});
  auto const bits = result.bits_per_byte();
  if (!result.defined()) {
    throw std::runtime_error("evaluate: none of " + std::to_string(result.tokens) +
                             " tokens has a finite loss");
  }
  if (flags.json) {
    fmt::print("{}\n",
               nlohmann::json{{"split", flags.split},
                              {"loss", result.loss},
                              {"perplexity", result.perplexity()},
                              {"bits_per_token", result.bits_per_token()},
                              {"bits_per_byte", bits ? nlohmann::json(*bits) : nlohmann::json()},
                              {"tokens", result.tokens},
                              {"undefined", result.undefined},
                              {"windows", result.windows}}
                   .dump(2));
    return;
  }
  fmt::print("{}: {:.4f} nats per token, perplexity {:.3f}{}, over {} tokens\n", flags.split,
             result.loss, result.perplexity(),
             bits ? fmt::format(", {:.4f} bits per byte", *bits) : "", result.tokens);
  if (result.undefined > 0) fmt::print("{} tokens have no finite loss\n", result.undefined);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand("evaluate", "Say the loss of a checkpoint on a text");
  command.add_option("--checkpoint", flags->checkpoint, "a checkpoint of tailor train or fit")
      ->required();
  flags->text.add_to(command);
  command.add_option("--split", flags->split, "train, validation, test or all")
      ->capture_default_str();
  command.add_option("--windows", flags->windows, "windows, evenly spread; 0: all")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  command.add_option("--sequences", flags->sequences, "windows at a time; changes no result")
      ->capture_default_str();
  command.add_option("--threads", flags->threads, "threads; 0: all")->capture_default_str();
  command.add_flag("--json", flags->json, "print JSON");
  command.footer(
      "Example:  tailor evaluate --checkpoint model/checkpoint.tailor --text books/ --split test");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
