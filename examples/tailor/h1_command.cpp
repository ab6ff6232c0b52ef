// tailor h1: the first persistent homology of a cloud.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include <tailor/geometry/diagram_csv.hpp>  // tailor::diagram_csv
#include <tailor/geometry/rips_h1.hpp>      // tailor::rips_h1
#include <tailor/io/atomic_file.hpp>        // tailor::write_file

#include "cloud_input.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "geometry_figures.hpp"
#include "plot_flag.hpp"
#include "progress.hpp"
#include "result_json.hpp"

namespace tailor_program {
namespace {

struct Flags {
  CloudFlags cloud;
  PlotFlag plot;
  std::string points, distances, out;
  double threshold = std::numeric_limits<double>::infinity();
  int show = 20;
  bool representatives = false, json = false;

  std::string const& file() const { return points.empty() ? distances : points; }
};

void check(Flags const& flags) {
  if (flags.points.empty() == flags.distances.empty()) {
    throw std::invalid_argument("h1: give either POINTS.npy or --distances D.npy");
  }
  if (std::isnan(flags.threshold)) throw std::invalid_argument("--threshold: a number expected");
  if (flags.show < 0) throw std::invalid_argument("--show: must not be negative");
  flags.cloud.check();
  if (!flags.out.empty()) check_output(flags.out);
  flags.plot.check();
}

/// What is left for the sweep beside the distances. Says the need and refuses what is over it.
std::size_t memory_of_sweep(Flags const& flags, Progress& progress) {
  int const n = flags.cloud.points_in(flags.file());
  if (n > tailor::rips::max_points) {
    throw std::invalid_argument(fmt::format("{}: at most {} points expected, got {}", flags.file(),
                                            tailor::rips::max_points, n));
  }
  std::size_t const limit = flags.cloud.memory_limit();
  std::size_t const matrix = tailor::DenseDistances::bytes(n), sweep = tailor::rips_h1_bytes(n);
  std::string const need = fmt::format("{} points need {}B of memory ({}B of them distances)", n,
                                       compact(double(matrix + sweep)), compact(double(matrix)));
  if (matrix + sweep > limit) {
    throw std::length_error(
        fmt::format("{}: {}, over --memory-limit {}", flags.file(), need, flags.cloud.memory));
  }
  progress.say(need + ", and what the classes need");
  return limit - matrix;
}

double length(tailor::Bar const& bar) {
  return bar.death - bar.birth;
}

/// The points of a cycle's edges, numbered as in the file.
std::string cycle_text(tailor::Cycle const& cycle, std::vector<int> const& tokens) {
  std::string text = "    along";
  for (tailor::CycleEdge const& edge : cycle) {
    text += fmt::format(" {}-{}", tokens[std::size_t(edge.a)], tokens[std::size_t(edge.b)]);
  }
  return text + "\n";
}

std::string text_of(Flags const& flags, tailor::Distances const& distances,
                    tailor::H1Diagram const& diagram) {
  std::vector<std::size_t> longest(diagram.bars.size());
  std::iota(longest.begin(), longest.end(), std::size_t{0});
  std::stable_sort(longest.begin(), longest.end(), [&](std::size_t a, std::size_t b) {
    return length(diagram.bars[a]) > length(diagram.bars[b]);
  });
  longest.resize(std::min(longest.size(), std::size_t(flags.show)));
  std::string text = fmt::format("{} points", distances.outcome.n_used);
  if (distances.outcome.n_undefined > 0) {
    text +=
        fmt::format(" ({} undefined: {})", distances.outcome.n_undefined, distances.outcome.reason);
  }
  text += fmt::format(", {} edges up to {:.6g}: {} bars, {} of them never die\n", diagram.edges,
                      diagram.cutoff, diagram.bars.size(), diagram.essential);
  if (longest.empty()) return text;
  text += fmt::format("{:>14} {:>14} {:>14}\n", "birth", "death", "length");
  for (std::size_t const k : longest) {
    tailor::Bar const& bar = diagram.bars[k];
    text += fmt::format("{:>14.8g} {:>14.8g} {:>14.8g}\n", bar.birth, bar.death, length(bar));
    if (flags.representatives) text += cycle_text(diagram.representatives[k], distances.tokens);
  }
  if (longest.size() < diagram.bars.size()) {
    text += fmt::format("and {} shorter ones (--show N, or all by --out FILE.csv or --json)\n",
                        diagram.bars.size() - longest.size());
  }
  return text;
}

nlohmann::ordered_json json_of(tailor::Distances const& distances, tailor::H1Diagram const& diagram,
                               bool asked_for_cycles) {
  bool const defined = distances.outcome.status == tailor::Status::ok;
  nlohmann::ordered_json content{{"bars", defined ? bars_json(diagram.bars) : nullptr},
                                 {"n_used", distances.outcome.n_used},
                                 {"n_undefined", distances.outcome.n_undefined},
                                 {"status", status_text({{"bars", distances.outcome}})}};
  if (defined && asked_for_cycles) {
    content["representatives"] = nlohmann::json::array();
    for (tailor::Cycle const& cycle : diagram.representatives) {
      nlohmann::json edges = nlohmann::json::array();
      for (tailor::CycleEdge const& edge : cycle) {
        edges.push_back(nlohmann::json::array(
            {distances.tokens[std::size_t(edge.a)], distances.tokens[std::size_t(edge.b)]}));
      }
      content["representatives"].emplace_back(std::move(edges));
    }
  }
  return content;
}

void run(Flags const& flags) {
  check(flags);
  Progress progress(flags.json);
  std::size_t const memory = memory_of_sweep(flags, progress);
  tailor::Distances const distances = [&] {
    if (flags.points.empty()) {
      return flags.cloud.read_distances(flags.distances, InfiniteDistances::allowed);
    }
    tailor::cpu::Device device({.threads = flags.cloud.threads});
    return flags.cloud.distances_of(device, flags.points);
  }();
  tailor::H1Diagram const diagram = [&] {
    ElapsedTime const elapsed(progress, fmt::format("H1 of {} points", distances.size()));
    return tailor::rips_h1(distances.matrix, {.threshold = flags.threshold,
                                              .memory_limit = memory,
                                              .representatives = flags.representatives});
  }();
  if (!flags.out.empty()) tailor::write_file(flags.out, tailor::diagram_csv(diagram.bars));
  if (flags.plot.wanted()) {
    flags.plot.write(
        barcode_figure(diagram.bars,
                       fmt::format("H1 of {}: {} points, {} bars", flags.file(), distances.size(),
                                   diagram.bars.size()),
                       flags.points.empty() ? "distance" : flags.cloud.metric + " distance"));
  }
  if (flags.json) {
    fmt::print("{}\n", json_of(distances, diagram, flags.representatives).dump());
  } else {
    fmt::print("{}", text_of(flags, distances, diagram));
  }
}

}  // namespace

void add_h1(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "h1", "Persistent H1 of a cloud: the loops of its Vietoris-Rips filtration, exactly");
  command.add_option("points", flags->points, "a .npy array [points, dimensions]");
  command.add_option("--distances", flags->distances,
                     "instead of points: a symmetric .npy matrix; inf is never an edge");
  command.add_option("--threshold", flags->threshold, "longest distance that is looked at");
  flags->cloud.add_metric_to(command);
  command.add_option("--show", flags->show, "how many bars to list, longest first")
      ->capture_default_str();
  command.add_option("--out", flags->out, "write the diagram as CSV, one birth,death per line");
  flags->plot.add_to(command, "barcode and diagram");
  flags->cloud.add_cost_to(command);
  command.add_flag("--representatives", flags->representatives,
                   "print a cycle for every bar: the edges of a loop that lives as long");
  command.add_flag("--json", flags->json, "print JSON, all bars by birth, and no progress");
  command.footer(
      "Example:  tailor h1 points.npy --out diagram.csv --plot h1.svg\n"
      "Coefficients in Z/2; bars of length zero are left out.");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
