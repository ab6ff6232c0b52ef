#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <tailor/geometry/statistic_name.hpp>  // tailor::all_statistics
#include <tailor/study/paired.hpp>             // tailor::spread_of, tailor::t_interval
#include <tailor/study/profile_json.hpp>       // from_json(Profile)

#include "gnuplot.hpp"
#include "massive_differences.hpp"

namespace tailor_program {
namespace {

using nlohmann::json;

/// Colours that stay apart in print and for colour-blind readers (Okabe and Ito).
char const* colour(std::size_t index) {
  static constexpr char const* colours[] = {"#000000", "#D55E00", "#0072B2", "#009E73",
                                            "#CC79A7", "#E69F00", "#56B4E9"};
  return colours[index % 7];
}

/// The colours, then again dashed.
std::string style(std::size_t index) {
  return fmt::format("lc rgb '{}' lw 2 dt {}", colour(index), index / 7 % 4 + 1);
}

/// Sum over the sub-MLPs of each layer.
std::vector<long> layer_widths(json const& plan) {
  std::vector<long> widths;
  for (json const& layer : plan.at("layers")) {
    long sum = 0;
    for (json const& width : layer.at("widths")) sum += width.get<long>();
    widths.push_back(sum);
  }
  return widths;
}

/// Validation losses of one rule: tokens -> one loss per seed.
std::map<double, std::map<long, double>> curves(json const& rule) {
  std::map<double, std::map<long, double>> at;
  for (json const& run : rule.at("runs")) {
    for (json const& point : run.at("curve")) {
      at[point.at(0).get<double>()][run.at("seed").get<long>()] = point.at(1).get<double>();
    }
  }
  return at;
}

double mean(std::map<long, double> const& values) {
  double sum = 0;
  for (auto const& [seed, value] : values) sum += value;
  return sum / double(values.size());
}

}  // namespace

std::optional<std::string> profile_heat_map(json const& profile) {
  std::vector<std::string> names;
  for (tailor::StatisticName const name : tailor::all_statistics) names.push_back(name.key());
  std::size_t const layers = profile.at("layers").size();
  std::string rows, labels, ticks;
  for (std::size_t column = 0; column < names.size(); ++column) {
    auto const value = [&](std::size_t layer) -> std::optional<double> {
      json const& mean = profile["layers"][layer]["statistics"][names[column]]["mean"];
      return mean.is_number() ? std::optional(mean.get<double>()) : std::nullopt;
    };
    double sum = 0;
    int defined = 0;
    for (std::size_t layer = 0; layer < layers; ++layer) {
      if (auto const v = value(layer)) sum += *v, ++defined;
    }
    double const average = defined > 0 ? sum / defined : 0;
    ticks += fmt::format("{}{} {}", column ? ", " : "",
                         gnuplot_text(tailor::parse_statistic(names[column]).rule()), column);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      auto const v = value(layer);
      bool const shown = v && average > 0;
      rows += fmt::format("{} {} {}\n", column, layer,
                          shown ? fmt::format("{}", *v / average) : std::string("NaN"));
      labels += fmt::format("{} {} {}\n", column, layer,
                            shown ? fmt::format("{:.2f}", *v / average) : std::string("-"));
    }
  }
  std::string const script =
      data_block("cells", rows) + data_block("labels", labels) +
      fmt::format(
          "unset grid\nset tics scale 0\nset xtics rotate by 30 right ({})\nset yrange [{}:-0.5] "
          "noextend\nset xrange [-0.5:{}]\nset ylabel 'layer'\nset ytics 1\nset cblabel 'work over "
          "its mean'\nset palette defined (0 '#ffffff', 1 '#deebf7', 2 '#9ecae1', 3 '#6baed6')\n"
          "unset key\nplot $cells using 1:2:3 with image pixels, $labels using 1:2:3 with labels "
          "font "
          "',11' tc rgb '#000000'",
          ticks, double(layers) - 0.5, double(names.size()) - 0.5);
  return draw(script, 860, std::min(1400, 180 + 34 * int(layers)));
}

std::optional<std::string> massive_profiles(json const& with, json const& without) {
  auto const kept = with.get<tailor::Profile>();
  auto const left = without.get<tailor::Profile>();
  std::set<std::size_t> shown;
  for (MassiveDifference const& each : massive_differences(kept, left)) {
    shown.insert(each.statistic.index());
  }
  if (shown.empty()) return std::nullopt;
  std::string blocks, plots;
  std::size_t place = 0;
  for (std::size_t const index : shown) {
    tailor::StatisticName const name = tailor::all_statistics[index];
    double sum = 0;
    int defined = 0;
    for (tailor::LayerProfile const& layer : left.layers) {
      if (layer.at(name).status == tailor::Status::ok) sum += layer.at(name).mean, ++defined;
    }
    for (bool const massive : {true, false}) {
      std::string rows;
      for (std::size_t l = 0; l < kept.layers.size(); ++l) {
        tailor::Estimate const& estimate = (massive ? kept : left).layers[l].at(name);
        if (estimate.status != tailor::Status::ok || !(estimate.mean > 0)) continue;
        rows += fmt::format("{} {}\n", l, estimate.mean / sum * defined);
      }
      if (rows.empty()) continue;
      std::string const block = fmt::format("m{}_{}", index, int(massive));
      blocks += data_block(block, rows);
      plots += fmt::format(
          "{}${} using 1:2 with linespoints pt {} ps 0.7 lc rgb '{}' lw 2 dt {} title {}",
          plots.empty() ? "" : ", ", block, place < 7 ? 7 : 5, colour(place), massive ? 1 : 2,
          gnuplot_text(name.rule() + (massive ? ", with" : ", without")));
    }
    ++place;
  }
  return draw(blocks +
                  "set xlabel 'layer'\nset xtics 1\nset ylabel 'work over its mean without "
                  "massive tokens'\nset logscale y\nset key outside right top\nplot " +
                  plots,
              860, 460);
}

std::optional<std::string> width_schedules(json const& results) {
  std::string blocks, plots;
  std::size_t index = 0;
  long widest = 0;
  for (json const& rule : results.at("rules")) {
    std::string rows;
    long layer = 0;
    for (long width : layer_widths(rule.at("plan"))) {
      rows += fmt::format("{} {}\n", layer++, width);
      widest = std::max(widest, width);
    }
    std::string const name = fmt::format("w{}", index);
    blocks += data_block(name, rows);
    plots +=
        fmt::format("{}${} using 1:2 with linespoints pt 7 ps 0.5 {} title {}", index ? ", " : "",
                    name, style(index), gnuplot_text(rule.at("name").get<std::string>()));
    ++index;
  }
  return draw(blocks + fmt::format("set xlabel 'layer'\nset ylabel 'FFN width (rows of the "
                                   "up-projections, all sub-MLPs)'\nset xtics 1\nset yrange "
                                   "[0:{}]\nset key outside right top\nplot {}",
                                   double(widest) * 1.08, plots),
              860, 400);
}

std::optional<std::string> loss_curves(json const& results) {
  std::string blocks, plots;
  std::size_t index = 0;
  for (json const& rule : results.at("rules")) {
    std::string rows;
    for (auto const& [tokens, losses] : curves(rule)) {
      rows += fmt::format("{} {}\n", tokens, mean(losses));
    }
    if (!rows.empty()) {
      std::string const name = fmt::format("c{}", index);
      blocks += data_block(name, rows);
      plots += fmt::format("{}${} using 1:2 with lines {} title {}", plots.empty() ? "" : ", ",
                           name, style(index), gnuplot_text(rule.at("name").get<std::string>()));
    }
    ++index;
  }
  if (plots.empty()) return std::nullopt;
  return draw(blocks +
                  "set xlabel 'tokens'\nset ylabel 'validation loss (nats per token)'\nset "
                  "format x '%.1s%c'\nset key outside right top\nplot " +
                  plots,
              860, 400);
}

std::optional<std::string> difference_curves(json const& results, Abscissa abscissa) {
  json const& rules = results.at("rules");
  auto const uniform = std::find_if(rules.begin(), rules.end(),
                                    [](json const& rule) { return rule.at("name") == "uniform"; });
  if (uniform == rules.end()) return std::nullopt;
  auto const reference = curves(*uniform);
  std::string blocks, plots;
  std::size_t index = 0;
  for (json const& rule : rules) {
    std::string rows;
    std::size_t const own = index++;
    if (rule.at("name") == "uniform") continue;
    for (auto const& [tokens, losses] : curves(rule)) {
      auto const same = reference.find(tokens);
      if (same == reference.end()) continue;
      std::vector<tailor::SeedValue> differences;
      for (auto const& [seed, loss] : losses) {
        auto const pair = same->second.find(seed);
        if (pair != same->second.end())
          differences.push_back({std::uint64_t(seed), loss - pair->second});
      }
      tailor::Spread const spread = tailor::spread_of(differences);
      auto const interval = tailor::t_interval(spread, 0.05);
      if (!interval) continue;
      double const x = abscissa == Abscissa::tokens
                           ? tokens
                           : tokens * rule.at("training_flops_per_token").get<double>();
      rows += fmt::format("{} {} {} {}\n", x, spread.mean, interval->low, interval->high);
    }
    if (rows.empty()) continue;
    std::string const name = fmt::format("d{}", own);
    blocks += data_block(name, rows);
    plots += fmt::format(", ${0} using 1:2:3:4 with yerrorlines pt 7 ps 0.4 {1} title {2}", name,
                         style(own), gnuplot_text(rule.at("name").get<std::string>()));
  }
  if (plots.empty()) return std::nullopt;
  return draw(
      blocks +
          fmt::format("set xlabel '{}'\nset ylabel 'validation loss minus uniform (nats)'\nset "
                      "format x '%.1s%c'\nset key outside right top\nplot 0 with lines lc rgb "
                      "'#000000' lw 1 notitle{}",
                      abscissa == Abscissa::tokens ? "tokens" : "training FLOPs", plots),
      860, 400);
}

std::optional<std::string> difference_intervals(json const& results) {
  std::string rows, ticks;
  int row = 0;
  for (json const& rule : results.at("rules")) {
    json const& against = rule.at("against_uniform");
    if (!against.is_object()) continue;
    json const& interval = against.at("verdict_interval");
    if (!interval.is_array()) continue;
    rows += fmt::format("{} {} {} {}\n", against.at("mean_difference").get<double>(), row,
                        interval.at(0).get<double>(), interval.at(1).get<double>());
    ticks += fmt::format("{}{} {}", row ? ", " : "",
                         gnuplot_text(rule.at("name").get<std::string>()), row);
    ++row;
  }
  if (row == 0) return std::nullopt;
  return draw(
      data_block("rows", rows) +
          fmt::format("set xlabel 'test loss minus uniform (nats per token), 95 % "
                      "interval of the paired difference'\nset ytics ({})\nset yrange "
                      "[{}:-0.6]\nunset key\nset arrow from 0, graph 0 to 0, graph 1 nohead "
                      "lc rgb '#000000'\nplot $rows using 1:2:3:4 with xerrorbars pt 7 ps "
                      "0.8 lw 2 lc rgb '#0072B2'",
                      ticks, row - 0.4),
      860, 120 + 34 * row);
}

}  // namespace tailor_program
