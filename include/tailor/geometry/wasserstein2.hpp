#pragma once
// The exact 2-Wasserstein distance between two persistence diagrams.

#include <tailor/geometry/bar.hpp>                        // tailor::Bar
#include <tailor/geometry/diagrams/ground_norm.hpp>       // tailor::GroundNorm
#include <tailor/geometry/diagrams/partial_matching.hpp>  // tailor::diagrams::PartialMatching
#include <tailor/geometry/status.hpp>                     // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// A pair of the matching: positions in the two diagrams. Where one of them is `to_diagonal`, the
/// other bar goes to the diagonal.
struct BarMatch {
  static constexpr int to_diagonal = -1;
  int first = to_diagonal;
  int second = to_diagonal;

  friend bool operator==(BarMatch const&, BarMatch const&) = default;
};

/// `value` is the distance, not its square. Every bar of both diagrams is in `matching` once,
/// except where the value is infinite: then there is none. n_used counts the bars of both.
struct WassersteinResult : Outcome {
  double value = 0;
  std::vector<BarMatch> matching;
  int paired = 0;    ///< pairs of two bars
  int diagonal = 0;  ///< bars that go to the diagonal
};

namespace diagrams {

/// Positions of the bars that never die, by birth, and of all others.
struct Split {
  std::vector<int> essential;
  std::vector<int> finite;
};

inline Split split(std::span<Bar const> bars, char const* which) {
  Split result;
  for (int i = 0; i < static_cast<int>(bars.size()); ++i) {
    Bar const& bar = bars[i];
    if (!std::isfinite(bar.birth) || !(bar.death >= bar.birth)) {
      throw std::invalid_argument(
          std::string("wasserstein2: a finite birth and a death not before it expected, got bar ") +
          std::to_string(i) + " of the " + which + " diagram = (" + std::to_string(bar.birth) +
          ", " + std::to_string(bar.death) + ")");
    }
    (std::isinf(bar.death) ? result.essential : result.finite).push_back(i);
  }
  std::stable_sort(result.essential.begin(), result.essential.end(),
                   [&](int x, int y) { return bars[x].birth < bars[y].birth; });
  return result;
}

/// The power of two that brings every finite coordinate into (-2, 2), so that no square overflows;
/// exact, and the matching does not depend on it.
inline double unit(std::span<Bar const> x, std::span<Bar const> y) {
  double largest = 0;
  for (std::span<Bar const> const bars : {x, y}) {
    for (Bar const& bar : bars) {
      largest = std::max(largest, std::abs(bar.birth));
      if (std::isfinite(bar.death)) largest = std::max(largest, std::abs(bar.death));
    }
  }
  return largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

template <GroundNorm norm>
Side side_of(std::span<Bar const> bars, std::vector<int> const& finite, double unit) {
  Side side;
  for (int const i : finite) append<norm>(side, bars[i].birth / unit, bars[i].death / unit);
  return side;
}

}  // namespace diagrams

/// 2-Wasserstein distance between two diagrams, with the diagonal in both at no cost: the root of
/// the least sum of squares over all matchings in which a bar has a partner or goes to the
/// diagonal. Bars that never die are matched among themselves, in the order of their births (the
/// best, since the square is convex); different numbers of them are infinitely far apart, and
/// `reason` says so.
/// Cost:   O((n + m)^3) at worst, far less on diagrams of clouds; O(n + m) memory. One thread.
/// Domain: finite births, deaths not before them; differences below 1e-150 of the largest
///         coordinate count as zero. Throws std::invalid_argument naming the bar.
/// Error:  rounding alone; the value is summed from the matched pairs.
/// @post   the distance is the least over all matchings
/// @post   the distance of diagrams is a metric: zero from a diagram to itself, symmetric, the
///         triangle inequality holds
/// @post   it scales with the diagrams
/// @post   it does not change when both move along the diagonal
/// Source: Jonker and Volgenant 1987 for the paths.
template <GroundNorm norm = GroundNorm::l2>
WassersteinResult wasserstein2(std::span<Bar const> x, std::span<Bar const> y) {
  diagrams::Split const in_x = diagrams::split(x, "first");
  diagrams::Split const in_y = diagrams::split(y, "second");
  WassersteinResult result;
  result.n_used = static_cast<int>(x.size() + y.size());
  if (in_x.essential.size() != in_y.essential.size()) {
    result.value = std::numeric_limits<double>::infinity();
    result.reason = std::to_string(in_x.essential.size()) +
                    " bars never die in the first diagram, " +
                    std::to_string(in_y.essential.size()) + " in the second";
    return result;
  }
  double const unit = diagrams::unit(x, y);
  double sum = 0;
  for (std::size_t k = 0; k < in_x.essential.size(); ++k) {
    int const i = in_x.essential[k];
    int const j = in_y.essential[k];
    double const births = x[i].birth / unit - y[j].birth / unit;
    sum += births * births;
    result.matching.push_back({i, j});
  }
  diagrams::Side rows = diagrams::side_of<norm>(x, in_x.finite, unit);
  diagrams::Side columns = diagrams::side_of<norm>(y, in_y.finite, unit);
  diagrams::PartialMatching<norm>(rows, columns).solve();
  for (int i = 0; i < rows.size(); ++i) {
    int const j = rows.partner[i];
    if (j == diagrams::nobody) {
      sum += rows.alone[i];
      result.matching.push_back({in_x.finite[i], BarMatch::to_diagonal});
    } else {
      sum += squared_distance<norm>(rows.birth[i] - columns.birth[j],
                                    rows.death[i] - columns.death[j]);
      result.matching.push_back({in_x.finite[i], in_y.finite[j]});
    }
  }
  for (int j = 0; j < columns.size(); ++j) {
    if (columns.partner[j] != diagrams::nobody) continue;
    sum += columns.alone[j];
    result.matching.push_back({BarMatch::to_diagonal, in_y.finite[j]});
  }
  for (BarMatch const& match : result.matching) {
    bool const single =
        match.first == BarMatch::to_diagonal || match.second == BarMatch::to_diagonal;
    ++(single ? result.diagonal : result.paired);
  }
  result.value = std::sqrt(sum) * unit;
  return result;
}

}  // namespace tailor
