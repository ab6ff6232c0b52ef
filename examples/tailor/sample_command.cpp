// tailor sample: text from a checkpoint.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "commands.hpp"
#include "engine.hpp"
#include "numbers.hpp"

namespace tailor_program {
namespace {

struct Flags {
  std::string checkpoint, prompt = "\n";
  SampleOptions sample;
  int threads = 0;
  bool ids = false;
};

void run(Flags const& flags) {
  int const vocab = checkpoint_plan(flags.checkpoint).vocab;
  if (vocab != 256 && !flags.ids) {
    throw std::invalid_argument(flags.checkpoint + ": vocab: expected 256 for text in bytes, got " +
                                std::to_string(vocab) + "; --ids prints token ids instead");
  }
  std::vector<std::int32_t> prompt;
  for (char c : flags.prompt) prompt.push_back(static_cast<unsigned char>(c));
  if (prompt.empty()) throw std::invalid_argument("--prompt: must not be empty");
  tailor::cpu::Device device({.threads = flags.threads});
  auto const ids = sample_checkpoint(device, flags.checkpoint, prompt, flags.sample);
  if (flags.ids) {
    for (std::int32_t id : ids) fmt::print("{}\n", id);
    return;
  }
  std::string text = flags.prompt;
  for (std::int32_t id : ids) text += static_cast<char>(id);
  fmt::print("{}\n", text);
}

}  // namespace

void add_sample(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand("sample", "Let a checkpoint continue a text");
  command.add_option("--checkpoint", flags->checkpoint, "a checkpoint of tailor train or fit")
      ->required();
  command.add_option("--prompt", flags->prompt, "text to continue (default: a line break)");
  command.add_option("--tokens", flags->sample.tokens, "tokens to add")->capture_default_str();
  command.add_option("--temperature", flags->sample.temperature, "0: the likeliest token always")
      ->capture_default_str();
  command.add_option("--top-k", flags->sample.top_k, "draw among the k likeliest; 0: all")
      ->capture_default_str();
  command.add_option("--seed", flags->sample.seed, "of the draws")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, largest_flag));
  command.add_option("--threads", flags->threads, "threads; 0: all")->capture_default_str();
  command.add_flag("--ids", flags->ids, "print token ids, one a line");
  command.footer(
      "Example:  tailor sample --checkpoint model/checkpoint.tailor --prompt \"It is a truth\"");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
