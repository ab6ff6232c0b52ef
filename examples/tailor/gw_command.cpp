// tailor gw: how far two clouds are from being the same up to distances.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include <tailor/geometry/gromov_wasserstein.hpp>           // tailor::gromov_wasserstein
#include <tailor/geometry/gromov_wasserstein_entropic.hpp>  // tailor::gromov_wasserstein_entropic
#include <tailor/geometry/measure_options.hpp>              // tailor::gromov_wasserstein_starts

#include "cloud_input.hpp"
#include "commands.hpp"
#include "geometry_figures.hpp"
#include "numbers.hpp"
#include "plot_flag.hpp"
#include "progress.hpp"
#include "result_json.hpp"

namespace tailor_program {
namespace {

struct Flags {
  CloudFlags cloud;
  PlotFlag plot;
  std::string first, second, starts = "identity,product,best-anchor";
  std::optional<double> entropic;
  bool distances = false, third_bound = false, json = false;
};

tailor::GromovWassersteinOptions options_of(Flags const& flags) {
  tailor::GromovWassersteinOptions options{.third_lower_bound = flags.third_bound,
                                           .memory_limit = flags.cloud.memory_limit()};
  for (auto const start : tailor::gromov_wasserstein_start_options) options.*start = false;
  for (std::string const& name : split(flags.starts, ',')) {
    auto const& known = tailor::gromov_wasserstein_starts;
    auto const found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw std::invalid_argument(
          fmt::format("--starts: \"{}\" is none of {}", name, fmt::join(known, ", ")));
    }
    options.*tailor::gromov_wasserstein_start_options[std::size_t(found - known.begin())] = true;
  }
  return options;
}

tailor::GromovWassersteinResult compare(tailor::cpu::Device& device, Flags const& flags,
                                        tailor::Distances const& first,
                                        tailor::Distances const& second) {
  if (flags.entropic) {
    return tailor::gromov_wasserstein_entropic(device, first.matrix, second.matrix,
                                               {.epsilon = *flags.entropic,
                                                .third_lower_bound = flags.third_bound,
                                                .memory_limit = flags.cloud.memory_limit()});
  }
  return tailor::gromov_wasserstein(device, first.matrix, second.matrix, options_of(flags));
}

std::string_view start_name(tailor::GromovWassersteinResult const& result) {
  return tailor::gromov_wasserstein_starts[std::size_t(result.start)];
}

std::string text_of(tailor::GromovWassersteinResult const& result, int n, int m) {
  if (result.status != tailor::Status::ok) return "undefined: " + result.reason + "\n";
  return fmt::format(
      "gw = {:.17g}\n{} and {} points; gw is the distortion, half the root of gw_sq = {:.17g}\n"
      "the true value lies between {:.17g} (Memoli's {} bound) and this gw\n"
      "best of {} descents: start {}, {} steps, {}\n",
      result.distortion, n, m, result.gw_sq, result.lower_bound,
      result.third_lower_bound ? "third" : "first", result.descents, start_name(result),
      result.iterations, result.converged ? "converged" : "ended by the limit of steps");
}

nlohmann::ordered_json json_of(tailor::GromovWassersteinResult const& result) {
  return {{"gw_sq", number(result.gw_sq, result)},
          {"gw", number(result.distortion, result)},
          {"lower_bound", number(result.lower_bound, result)},
          {"start", result.descents > 0 ? nlohmann::json(start_name(result)) : nullptr},
          {"iterations", result.iterations},
          {"converged", result.converged},
          {"status", status_text({{"gw", result}})}};
}

void run(Flags const& flags) {
  flags.cloud.check();
  options_of(flags);
  if (flags.entropic && !(*flags.entropic >= 1e-9 && *flags.entropic <= 1e6)) {
    throw std::invalid_argument(
        fmt::format("--entropic: a number from 1e-9 to 1e6 expected, got {}", *flags.entropic));
  }
  flags.plot.check();
  Progress progress(flags.json);
  tailor::cpu::Device device({.threads = flags.cloud.threads});
  auto const read = [&](std::string const& file) {
    return flags.distances ? flags.cloud.read_distances(file, InfiniteDistances::refused)
                           : flags.cloud.distances_of(device, file);
  };
  tailor::Distances const first = read(flags.first), second = read(flags.second);
  tailor::GromovWassersteinResult result = [&] {
    ElapsedTime const elapsed(progress, fmt::format("Gromov-Wasserstein of {} and {} points",
                                                    first.size(), second.size()));
    return compare(device, flags, first, second);
  }();
  std::string note;
  for (auto const& [file, outcome] :
       {std::pair(flags.first, first.outcome), std::pair(flags.second, second.outcome)}) {
    if (outcome.n_undefined > 0) {
      note += (note.empty() ? "" : "; ") +
              fmt::format("{}: {} undefined: {}", file, outcome.n_undefined, outcome.reason);
    }
  }
  if (flags.plot.wanted() && result.status == tailor::Status::ok) {
    flags.plot.write(coupling_figure(result.coupling,
                                     fmt::format("Coupling of gw = {:.6g}", result.distortion),
                                     flags.first, flags.second));
  }
  if (flags.json) {
    nlohmann::ordered_json content = json_of(result);
    if (!note.empty()) content["note"] = note;
    fmt::print("{}\n", content.dump());
  } else {
    fmt::print("{}{}", text_of(result, first.size(), second.size()),
               note.empty() ? "" : note + "\n");
  }
}

}  // namespace

void add_gw(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "gw", "Gromov-Wasserstein between two clouds: square loss, uniform weights, any two sizes");
  command.add_option("first", flags->first, "a .npy array [points, dimensions]")->required();
  command.add_option("second", flags->second, "another")->required();
  command.add_flag("--distances", flags->distances, "both files are matrices of distances");
  flags->cloud.add_metric_to(command);
  command
      .add_option("--starts", flags->starts,
                  "couplings to descend from, the best end is taken: identity, product, "
                  "best-anchor, all-anchors, all-anchor-pairs")
      ->capture_default_str();
  command
      .add_option("--entropic", flags->entropic,
                  "spread the coupling: entropy of this weight, as a part of the sum of the mean "
                  "squared distances of both clouds, from the product of the weights (0.01 spreads "
                  "a little)")
      ->excludes("--starts");
  command.add_flag("--third-bound", flags->third_bound,
                   "Memoli's third lower bound: nearer than the first, and slower than gw itself");
  flags->plot.add_to(command, "the coupling");
  flags->cloud.add_cost_to(command);
  command.add_flag("--json", flags->json, "print JSON and no progress");
  command.footer(
      "Example:  tailor gw before.npy after.npy --metric angle\n"
      "gw is Memoli's distortion, half the root of gw_sq = sum (a_ik - b_jl)^2 over the coupling\n"
      "with itself; lower_bound is his first (or third) in the unit of gw. all-anchors finds the\n"
      "symmetries of small clouds whose points come in any order.");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
