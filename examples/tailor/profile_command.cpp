// tailor profile: the nine work statistics of a checkpoint, or of clouds from elsewhere.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include <tailor/study/profile_json.hpp>  // to_json(Profile)

#include "commands.hpp"
#include "engine.hpp"
#include "files.hpp"
#include "massive_differences.hpp"
#include "numbers.hpp"
#include "profile_flags.hpp"
#include "profile_text.hpp"
#include "progress.hpp"
#include "text_flags.hpp"

namespace tailor_program {
namespace {

struct Flags {
  TextFlags text;
  ProfileFlags profile;
  std::string checkpoint, clouds, out, statistics;
  int threads = 0, width = 0;
  bool json = false;
};

void run(Flags const& flags) {
  if (flags.checkpoint.empty() == flags.clouds.empty()) {
    throw std::invalid_argument("profile: give either --checkpoint and --text, or --clouds");
  }
  if (!flags.checkpoint.empty() && flags.text.paths.empty()) {
    throw std::invalid_argument("profile: --checkpoint needs a --text to observe it on");
  }
  if (!flags.out.empty()) check_output(flags.out);
  ProfileOptions options = flags.profile.options();
  if (!flags.statistics.empty()) {
    for (std::string const& name : split(flags.statistics, ',')) {
      options.statistics.push_back(tailor::parse_statistic(name));
    }
  }
  Progress progress(flags.json);
  options.measure.progress = cloud_progress(progress);
  tailor::cpu::Device device({.threads = flags.threads});
  MeasuredProfile const measured = [&] {
    if (!flags.clouds.empty()) return profile_clouds(device, flags.clouds, flags.width, options);
    int const context = checkpoint_plan(flags.checkpoint).context;
    return profile_checkpoint(device, flags.checkpoint, flags.text.load(context).train, options);
  }();
  nlohmann::json const content = measured.profile;
  if (!flags.out.empty()) {
    write_json(flags.out, content);
    if (measured.without_massive) {
      write_json(without_massive_file(flags.out), *measured.without_massive);
    }
  }
  if (flags.json) {
    fmt::print("{}\n", content.dump(2));
  } else {
    fmt::print("{}", profile_text(measured));
  }
}

}  // namespace

void add_profile(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "profile", "Measure how much every layer's FFN moves, bends and re-knots its token cloud");
  command.add_option("--checkpoint", flags->checkpoint, "a checkpoint of tailor train or fit");
  command.add_option("--clouds", flags->clouds,
                     "a folder of layer_NN_before.npy and layer_NN_after.npy, [tokens, d_model]");
  command.add_option("--out", flags->out, "file to write the profile to");
  command.add_option("--statistics", flags->statistics,
                     "what --until asks about, separated by commas, as topological/hyperbolic "
                     "(default: all nine)");
  command
      .add_option("--width", flags->width,
                  "FFN width of the model behind --clouds, for --until below 12 layers")
      ->check(CLI::Range(1, 1 << 24));
  command.add_option("--threads", flags->threads, "threads; 0: all")->capture_default_str();
  command.add_flag("--json", flags->json, "print profile.json and no progress");
  flags->text.add_to(command, false);
  flags->profile.add_to(command);
  command.footer(
      "Example:  tailor profile --checkpoint model/checkpoint.tailor --text books/ --out "
      "profile.json\nOnly the training part of the text is observed.");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
