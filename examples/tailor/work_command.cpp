// tailor work: the nine work statistics of one pair of clouds.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include <tailor/geometry/work.hpp>  // tailor::work

#include "cloud_input.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "result_json.hpp"

namespace tailor_program {
namespace {

using tailor::Geometry;
using tailor::Statistic;
using tailor::Work;
using tailor::WorkValue;

constexpr Geometry geometries[] = {Geometry::raw, Geometry::spherical, Geometry::hyperbolic};
constexpr Statistic statistics[] = {Statistic::shift, Statistic::distortion,
                                    Statistic::topological};

struct Flags {
  CloudFlags cloud;
  std::string before, after;
  bool json = false;
};

/// The counts of the tokens on which all nine are defined: no geometry uses more tokens than it
/// can, and the directions ask most of a token.
tailor::Outcome const& strictest(Work const& work) {
  return work.at({Statistic::shift, Geometry::spherical}).outcome;
}

std::string start_text(Work const& work, Geometry geometry) {
  auto const& start = work.starts[std::size_t(geometry)];
  return start ? std::string(tailor::gromov_wasserstein_starts[std::size_t(*start)]) : "-";
}

nlohmann::ordered_json json_of(Work const& work) {
  nlohmann::ordered_json content;
  NamedOutcomes parts;
  for (Geometry const geometry : geometries) {
    nlohmann::ordered_json& values = content[std::string(name(geometry))];
    for (Statistic const statistic : statistics) {
      WorkValue const& value = work.at({statistic, geometry});
      values[std::string(name(statistic))] = number(value.value, value.outcome);
    }
    WorkValue const& bound = work.lower_bounds[std::size_t(geometry)];
    values["lower_bound"] = number(bound.value, bound.outcome);
    values["n_used"] = bound.outcome.n_used;
    values["n_undefined"] = bound.outcome.n_undefined;
    parts.emplace_back(name(geometry), bound.outcome);
  }
  content["n_used"] = strictest(work).n_used;
  content["n_undefined"] = strictest(work).n_undefined;
  content["status"] = status_text(parts);
  return content;
}

std::string text_of(Work const& work) {
  std::string text = fmt::format("{:<12}{:>14}{:>14}{:>14}{:>14}  {:<16}{}\n", "", "shift",
                                 "distortion", "(at least)", "topological", "start", "tokens");
  for (Geometry const geometry : geometries) {
    auto const cell = [](WorkValue const& value) {
      return value.outcome.status == tailor::Status::ok ? fmt::format("{:.8g}", value.value)
                                                        : std::string("undefined");
    };
    WorkValue const& bound = work.lower_bounds[std::size_t(geometry)];
    text += fmt::format("{:<12}{:>14}{:>14}{:>14}{:>14}  {:<16}{}\n", name(geometry),
                        cell(work.at({Statistic::shift, geometry})),
                        cell(work.at({Statistic::distortion, geometry})), cell(bound),
                        cell(work.at({Statistic::topological, geometry})),
                        start_text(work, geometry), bound.outcome.n_used);
  }
  std::string seen;
  for (Geometry const geometry : geometries) {
    std::string const& reason = work.lower_bounds[std::size_t(geometry)].outcome.reason;
    if (reason.empty() || reason == seen) continue;
    text += fmt::format("{}: {}\n", name(geometry), reason);
    seen = reason;
  }
  return text;
}

void run(Flags const& flags) {
  flags.cloud.check();
  PointTable const before = flags.cloud.read_points(flags.before);
  PointTable const after = flags.cloud.read_points(flags.after);
  if (before.rows != after.rows || before.cols != after.cols) {
    throw std::invalid_argument(fmt::format(
        "{} and {}: clouds of one shape expected, row by row the same tokens, got [{}, {}] and "
        "[{}, {}]",
        flags.before, flags.after, before.rows, before.cols, after.rows, after.cols));
  }
  Progress progress(flags.json);
  tailor::cpu::Device device({.threads = flags.cloud.threads});
  Work const work = [&] {
    ElapsedTime const elapsed(progress, fmt::format("nine statistics of {} tokens", before.rows));
    return tailor::work(device, before.view(), after.view(),
                        {.ball = {.rho = flags.cloud.rho, .curvature = flags.cloud.curvature},
                         .gromov_wasserstein = {},
                         .limit_bytes = flags.cloud.memory_limit()});
  }();
  if (flags.json) {
    fmt::print("{}\n", json_of(work).dump());
  } else {
    fmt::print("{}", text_of(work));
  }
}

}  // namespace

void add_work(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "work", "The nine work statistics of one pair of clouds, before and after a layer");
  command.add_option("before", flags->before, "a .npy array [tokens, dimensions]")->required();
  command.add_option("after", flags->after, "the same tokens behind the layer")->required();
  flags->cloud.add_ball_to(command);
  flags->cloud.add_cost_to(command);
  command.add_flag("--json", flags->json, "print JSON and no progress");
  command.footer(
      "Example:  tailor work before.npy after.npy --json\n"
      "Exactly the tokens given, massive ones too; a token that one geometry is not defined on (a\n"
      "number that is not finite; the zero vector for directions) is left out there and counted.");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
