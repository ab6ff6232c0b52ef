// tailor w2: how far two persistence diagrams are apart.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tailor/geometry/bottleneck.hpp>   // tailor::bottleneck
#include <tailor/geometry/diagram_csv.hpp>  // tailor::parse_diagram_csv
#include <tailor/geometry/wasserstein.hpp>  // tailor::wasserstein1, wasserstein2

#include "commands.hpp"
#include "geometry_figures.hpp"
#include "plot_flag.hpp"
#include "progress.hpp"
#include "result_json.hpp"

namespace tailor_program {
namespace {

struct Flags {
  PlotFlag plot;
  std::string first, second, norm = "l2", exponent = "2";
  bool json = false;
};

std::vector<tailor::Bar> read_diagram(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) {
    throw std::invalid_argument(file + ": cannot be read as a file");
  }
  std::ostringstream text;
  text << in.rdbuf();
  return tailor::parse_diagram_csv(text.str(), file);
}

/// The key of the result in JSON, which is its name in words too.
std::string key_of(std::string const& exponent) {
  if (exponent == "1") return "w1";
  if (exponent == "2") return "w2";
  if (exponent == "inf") return "bottleneck";
  throw std::invalid_argument("--exponent: \"" + exponent + "\" is none of 1, 2 and inf");
}

template <tailor::GroundNorm norm>
tailor::WassersteinResult distance(std::string const& exponent, std::span<tailor::Bar const> first,
                                   std::span<tailor::Bar const> second) {
  if (exponent == "1") return tailor::wasserstein1<norm>(first, second);
  if (exponent == "2") return tailor::wasserstein2<norm>(first, second);
  return tailor::bottleneck<norm>(first, second);
}

void run(Flags const& flags) {
  if (flags.norm != "l2" && flags.norm != "linf") {
    throw std::invalid_argument("--norm: \"" + flags.norm + "\" is neither l2 nor linf");
  }
  std::string const key = key_of(flags.exponent);
  std::string const title = key == "bottleneck" ? key : key == "w1" ? "W1" : "W2";
  flags.plot.check();
  auto const first = read_diagram(flags.first), second = read_diagram(flags.second);
  Progress progress(flags.json);
  tailor::WassersteinResult const result = [&] {
    ElapsedTime const elapsed(progress,
                              fmt::format("matching {} and {} bars", first.size(), second.size()));
    return flags.norm == "l2" ? distance<tailor::GroundNorm::l2>(flags.exponent, first, second)
                              : distance<tailor::GroundNorm::linf>(flags.exponent, first, second);
  }();
  if (flags.plot.wanted()) {
    flags.plot.write(matching_figure(
        first, second, result.matching,
        fmt::format("{} = {:.6g} (ground norm {})", title, result.value, flags.norm), flags.first,
        flags.second));
  }
  if (flags.json) {
    nlohmann::ordered_json content{{key, number(result.value, result)},
                                   {"paired", result.paired},
                                   {"diagonal", result.diagonal},
                                   {"status", status_text({{key, result}})}};
    if (!result.reason.empty()) content["note"] = result.reason;
    fmt::print("{}\n", content.dump());
    return;
  }
  fmt::print("{} = {:.17g} (ground norm {})\n", title, result.value, flags.norm);
  if (!result.reason.empty()) {
    fmt::print("{}\n", result.reason);
  } else {
    fmt::print("{} and {} bars: {} pairs, {} to the diagonal\n", first.size(), second.size(),
               result.paired, result.diagonal);
  }
}

}  // namespace

void add_w2(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("w2", "The exact Wasserstein distance between two persistence diagrams");
  command.add_option("first", flags->first, "a diagram: CSV, one birth,death per line")->required();
  command.add_option("second", flags->second, "another")->required();
  command.add_option("--norm", flags->norm, "between points of the plane: l2 or linf")
      ->capture_default_str();
  command.add_option("--exponent", flags->exponent, "of the distance: 1, 2 or inf (bottleneck)")
      ->capture_default_str();
  flags->plot.add_to(command, "both diagrams and their matching");
  command.add_flag("--json", flags->json, "print JSON and no progress");
  command.footer(
      "Example:  tailor w2 before.csv after.csv --norm linf --plot matching.svg\n"
      "inf is a death that never comes; a header line and lines that begin with # are passed "
      "over.");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
