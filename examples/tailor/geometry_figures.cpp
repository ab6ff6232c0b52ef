#include "geometry_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gnuplot.hpp"

namespace tailor_program {
namespace {

using tailor::Bar;
using tailor::BarMatch;

constexpr char const* blue = "#0072B2";  // colours of Okabe and Ito
constexpr char const* orange = "#D55E00";

/// What the axes of a diagram span: all finite coordinates and some room, the same in both
/// directions. Bars that never die stand at `never`, near the upper end.
struct Frame {
  double low = 0, high = 1, never = 1;
  bool has_essential = false;

  explicit Frame(std::vector<std::span<Bar const>> const& diagrams) {
    std::vector<double> coordinates;
    for (auto const bars : diagrams) {
      for (Bar const& bar : bars) {
        coordinates.push_back(bar.birth);
        has_essential = has_essential || std::isinf(bar.death);
        if (!std::isinf(bar.death)) coordinates.push_back(bar.death);
      }
    }
    if (coordinates.empty()) return;
    auto const [least, most] = std::minmax_element(coordinates.begin(), coordinates.end());
    double const span = *most > *least ? *most - *least : std::max(1.0, std::abs(*most));
    low = *least >= 0 ? std::max(0.0, *least - 0.05 * span) : *least - 0.05 * span;
    never = *most + 0.12 * span;
    high = *most + (has_essential ? 0.2 : 0.05) * span;
  }

  /// A row of a data block.
  std::string point(Bar const& bar) const {
    return fmt::format("{} {}\n", bar.birth, std::isinf(bar.death) ? never : bar.death);
  }

  /// Equal axes with the diagonal, and the line of what never dies.
  std::string axes(std::string const& birth, std::string const& death) const {
    std::string text = fmt::format(
        "set size square\nset xrange [{0}:{1}] noextend\nset yrange [{0}:{1}] noextend\n"
        "set xlabel {2}\nset ylabel {3}\nset arrow 1 from {0},{0} to {1},{1} nohead lc rgb "
        "'#888888' back\n",
        low, high, gnuplot_text(birth), gnuplot_text(death));
    if (has_essential) {
      text += fmt::format(
          "set arrow 2 from {0},{1} to {2},{1} nohead lc rgb '#bbbbbb' back\n"
          "set label 2 'never dies' at {0},{1} left offset 1,0.6 tc rgb '#666666' font ',11'\n",
          low, never, high);
    }
    return text;
  }
};

/// A part of a plot command; gnuplot refuses a block without rows.
std::string part(std::string const& block, std::string const& rows, std::string const& columns,
                 std::string const& style) {
  return (rows.empty() ? "NaN" : "$" + block + " using " + columns) + " with " + style;
}

/// Smaller marks where there are many.
double mark_size(std::size_t points) {
  return points <= 100 ? 0.8 : points <= 1000 ? 0.5 : 0.35;
}

/// Ticks at whole numbers where few fit.
std::string whole_ticks(int count) {
  return count <= 15 ? "1" : "autofreq";
}

}  // namespace

std::optional<std::string> barcode_figure(std::span<Bar const> bars, std::string const& title,
                                          std::string const& unit) {
  Frame const frame({bars});
  std::string dying, lasting, dying_points, lasting_points;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    bool const lasts = std::isinf(bars[i].death);
    double const end = lasts ? frame.high : bars[i].death;
    (lasts ? lasting : dying) +=
        fmt::format("{} {} {} 0\n", bars[i].birth, i + 1, end - bars[i].birth);
    (lasts ? lasting_points : dying_points) += frame.point(bars[i]);
  }
  double const width = bars.size() <= 60 ? 3 : bars.size() <= 300 ? 1.5 : 0.8;
  auto const vectors = [&](char const* head, char const* colour) {
    return fmt::format("vectors {} lw {} lc rgb '{}'", head, width, colour);
  };
  auto const points = [&](char const* colour) {
    return fmt::format("points pt 7 ps {} lc rgb '{}'", mark_size(bars.size()), colour);
  };
  return draw(
      data_block("dying", dying) + data_block("lasting", lasting) +
          data_block("dying_points", dying_points) + data_block("lasting_points", lasting_points) +
          fmt::format(
              "set multiplot layout 1,2 title {} font ',15'\nunset key\nset xlabel {}\nset ylabel "
              "'bar, by birth'\nset xrange [{}:{}] noextend\nset yrange [0:{}] noextend\nset "
              "ytics {}\n",
              gnuplot_text(title), gnuplot_text(unit), frame.low, frame.high, bars.size() + 1,
              whole_ticks(int(bars.size()))) +
          "plot " + part("dying", dying, "1:2:3:4", vectors("nohead", blue)) + ", " +
          part("lasting", lasting, "1:2:3:4", vectors("head filled", orange)) +
          "\nset ytics autofreq\n" + frame.axes("birth (" + unit + ")", "death (" + unit + ")") +
          "plot " + part("dying_points", dying_points, "1:2", points(blue)) + ", " +
          part("lasting_points", lasting_points, "1:2", points(orange)) + "\nunset multiplot",
      1000, 520);
}

std::optional<std::string> matching_figure(std::span<Bar const> first, std::span<Bar const> second,
                                           std::span<BarMatch const> matching,
                                           std::string const& title, std::string const& first_name,
                                           std::string const& second_name) {
  Frame const frame({first, second});
  auto const on_diagonal = [](Bar const& bar) {  // the nearest place there
    double const middle = bar.birth + (bar.death - bar.birth) / 2;
    return Bar{middle, middle};
  };
  std::string lines, first_points, second_points;
  for (BarMatch const& match : matching) {
    Bar from, to;
    if (match.first != BarMatch::to_diagonal) from = first[std::size_t(match.first)];
    if (match.second != BarMatch::to_diagonal) to = second[std::size_t(match.second)];
    if (match.first == BarMatch::to_diagonal) from = on_diagonal(to);
    if (match.second == BarMatch::to_diagonal) to = on_diagonal(from);
    lines += frame.point(from) + frame.point(to) + "\n";
  }
  for (Bar const& bar : first) first_points += frame.point(bar);
  for (Bar const& bar : second) second_points += frame.point(bar);
  double const size = mark_size(std::max(first.size(), second.size()));
  auto const points = [&](int mark, double scale, char const* colour, std::string const& name) {
    return fmt::format("points pt {} ps {} lw 1.5 lc rgb '{}' title {}", mark, scale * size, colour,
                       gnuplot_text(name));
  };
  return draw(data_block("lines", lines) + data_block("first", first_points) +
                  data_block("second", second_points) + frame.axes("birth", "death") +
                  fmt::format("set title {}\nset key outside bottom center horizontal\nplot ",
                              gnuplot_text(title)) +
                  part("lines", lines, "1:2", "lines lc rgb '#555555' notitle") + ", " +
                  part("first", first_points, "1:2", points(7, 1, blue, first_name)) + ", " +
                  part("second", second_points, "1:2", points(6, 1.5, orange, second_name)),
              640, 680);
}

std::optional<std::string> coupling_figure(tailor::Coupling const& coupling,
                                           std::string const& title, std::string const& first_name,
                                           std::string const& second_name) {
  constexpr int most_cells = 256;  // of one side
  int const n = coupling.rows(), m = coupling.cols();
  int const height = (n + most_cells - 1) / most_cells, width = (m + most_cells - 1) / most_cells;
  std::string cells;
  for (int top = 0; top < n; top += height) {
    for (int left = 0; left < m; left += width) {
      double mass = 0;
      for (int i = top; i < std::min(n, top + height); ++i) {
        for (int j = left; j < std::min(m, left + width); ++j) mass += coupling(i, j) * n;
      }
      cells += fmt::format("{} {} {}\n", left + 0.5 * (width - 1), top + 0.5 * (height - 1), mass);
    }
  }
  return draw(
      data_block("cells", cells) +
          fmt::format("set title {}\nset size ratio {}\nunset grid\nunset key\nset xlabel {}\nset "
                      "ylabel {}\nset xrange [-0.5:{}] noextend\nset yrange [{}:-0.5] noextend\n"
                      "set xtics {}\nset ytics {}\nset cbrange [0:*]\nset cblabel {}\nset palette "
                      "defined (0 '#ffffff', 1 '#9ecae1', 2 '#3182bd', 3 '#08306b')\nplot $cells "
                      "using 1:2:3 with image pixels",
                      gnuplot_text(title), double(n) / m, gnuplot_text("point of " + second_name),
                      gnuplot_text("point of " + first_name), m - 0.5, n - 0.5, whole_ticks(m),
                      whole_ticks(n), gnuplot_text("mass, in points of " + first_name)),
      720, 620);
}

}  // namespace tailor_program
