// tailor dimension: how many dimensions a cloud fills.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include <tailor/geometry/correlation_dimension.hpp>  // tailor::correlation_dimension
#include <tailor/geometry/dimension.hpp>      // tailor::two_nn_mle, tailor::participation_ratio
#include <tailor/geometry/levina_bickel.hpp>  // tailor::levina_bickel

#include "cloud_input.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "result_json.hpp"

namespace tailor_program {
namespace {

struct Flags {
  CloudFlags cloud;
  std::string points, distances;
  bool json = false;
};

/// One estimate: its key in JSON, its name for people.
struct Estimate {
  char const* key;
  char const* name;
  tailor::Dimension dimension;
};

tailor::Dimension undefined(std::string const& reason) {
  return {.outcome = {.status = tailor::Status::undefined, .reason = reason}};
}

std::vector<Estimate> estimates_of(Flags const& flags, tailor::Distances const& distances) {
  auto const& d = distances.matrix;
  bool const euclidean = flags.points.empty() || flags.cloud.metric == "euclidean";
  std::vector<Estimate> estimates{
      {"twonn_mle", "TwoNN, maximum likelihood", tailor::two_nn_mle(d)},
      {"twonn_fit", "TwoNN, fit", tailor::two_nn_fit(d)},
      {"mle", "Levina-Bickel, maximum likelihood", tailor::levina_bickel(d)},
      {"correlation_dimension", "correlation dimension", tailor::correlation_dimension(d)},
      {"participation_ratio", "participation ratio",
       euclidean ? tailor::participation_ratio(d) : undefined("needs euclidean distances")}};
  if (distances.outcome.status != tailor::Status::ok) {
    for (Estimate& estimate : estimates) estimate.dimension = undefined(distances.outcome.reason);
  }
  return estimates;
}

void run(Flags const& flags) {
  if (flags.points.empty() == flags.distances.empty()) {
    throw std::invalid_argument("dimension: give either POINTS.npy or --distances D.npy");
  }
  flags.cloud.check();
  Progress progress(flags.json);
  ElapsedTime const elapsed(progress, "dimension");
  tailor::Distances const distances = [&] {
    if (flags.points.empty()) {
      return flags.cloud.read_distances(flags.distances, InfiniteDistances::refused);
    }
    tailor::cpu::Device device({.threads = flags.cloud.threads});
    return flags.cloud.distances_of(device, flags.points);
  }();
  auto const estimates = estimates_of(flags, distances);
  int const n_used = estimates.front().dimension.outcome.n_used;
  int const n = distances.outcome.n_used + distances.outcome.n_undefined;
  if (flags.json) {
    nlohmann::ordered_json content;
    NamedOutcomes parts;
    for (Estimate const& estimate : estimates) {
      content[estimate.key] = number(estimate.dimension.value, estimate.dimension.outcome);
      parts.emplace_back(estimate.key, estimate.dimension.outcome);
    }
    content["n_used"] = n_used;
    content["n_dropped"] = n - n_used;
    content["status"] = status_text(parts);
    fmt::print("{}\n", content.dump());
    return;
  }
  for (Estimate const& estimate : estimates) {
    tailor::Outcome const& outcome = estimate.dimension.outcome;
    fmt::print("{:<35}{}\n", estimate.name,
               outcome.status == tailor::Status::ok
                   ? fmt::format("{:.10g}", estimate.dimension.value)
                   : "undefined: " + outcome.reason);
  }
  fmt::print("{} of {} points used by TwoNN\n", n_used, n);
  for (std::string const& reason :
       {distances.outcome.reason, estimates.front().dimension.outcome.reason}) {
    if (!reason.empty()) fmt::print("{}\n", reason);
  }
}

}  // namespace

void add_dimension(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("dimension", "How many dimensions a cloud fills, by several estimators");
  command.add_option("points", flags->points, "a .npy array [points, dimensions]");
  command.add_option("--distances", flags->distances,
                     "instead of points: a symmetric .npy matrix of euclidean distances");
  flags->cloud.add_metric_to(command);
  flags->cloud.add_cost_to(command);
  command.add_flag("--json", flags->json, "print JSON and no progress");
  command.footer(
      "Example:  tailor dimension points.npy --json\n"
      "A point with a duplicate has no nearest-neighbour ratio: it is dropped and counted.");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
