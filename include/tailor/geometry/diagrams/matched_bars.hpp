#pragma once
// A matching of two diagrams as it is returned, and what every distance does alike: the checks, the
// bars that never die, the unit.

#include <tailor/geometry/bar.hpp>     // tailor::Bar
#include <tailor/geometry/status.hpp>  // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <cstddef>
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

inline Split split(char const* who, std::span<Bar const> bars, char const* which) {
  Split result;
  for (int i = 0; i < static_cast<int>(bars.size()); ++i) {
    Bar const& bar = bars[i];
    if (!std::isfinite(bar.birth) || !(bar.death >= bar.birth)) {
      throw std::invalid_argument(
          std::string(who) + ": a finite birth and a death not before it expected, got bar " +
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

/// Matches the bars that never die in the order of their births, the best for every convex cost, and
/// returns how far apart the births of each pair are, in units. Where their numbers differ the
/// distance is infinite, and nothing is matched.
inline std::vector<double> match_essential(std::span<Bar const> x, std::span<Bar const> y,
                                           Split const& in_x, Split const& in_y, double unit,
                                           WassersteinResult& result) {
  result.n_used = static_cast<int>(x.size() + y.size());
  if (in_x.essential.size() != in_y.essential.size()) {
    result.value = std::numeric_limits<double>::infinity();
    result.reason = std::to_string(in_x.essential.size()) +
                    " bars never die in the first diagram, " +
                    std::to_string(in_y.essential.size()) + " in the second";
    return {};
  }
  std::vector<double> gaps;
  for (std::size_t k = 0; k < in_x.essential.size(); ++k) {
    int const i = in_x.essential[k];
    int const j = in_y.essential[k];
    gaps.push_back(std::abs(x[i].birth / unit - y[j].birth / unit));
    result.matching.push_back({i, j});
  }
  return gaps;
}

/// Adds a matching of the finite bars, in the order of their positions: partner_of[i] is the place
/// of the partner of the i-th finite bar of x among those of y, or negative.
inline void match_finite(Split const& in_x, Split const& in_y, std::vector<int> const& partner_of,
                         WassersteinResult& result) {
  auto const first = static_cast<std::ptrdiff_t>(result.matching.size());
  std::vector<char> single(in_y.finite.size(), 1);
  for (std::size_t i = 0; i < partner_of.size(); ++i) {
    int const j = partner_of[i];
    if (j >= 0) single[j] = 0;
    result.matching.push_back({in_x.finite[i], j >= 0 ? in_y.finite[j] : BarMatch::to_diagonal});
  }
  std::sort(result.matching.begin() + first, result.matching.end(),
            [](BarMatch const& a, BarMatch const& b) { return a.first < b.first; });
  auto const last = static_cast<std::ptrdiff_t>(result.matching.size());
  for (std::size_t j = 0; j < single.size(); ++j) {
    if (single[j]) result.matching.push_back({BarMatch::to_diagonal, in_y.finite[j]});
  }
  std::sort(result.matching.begin() + last, result.matching.end(),
            [](BarMatch const& a, BarMatch const& b) { return a.second < b.second; });
  for (BarMatch const& match : result.matching) {
    bool const alone =
        match.first == BarMatch::to_diagonal || match.second == BarMatch::to_diagonal;
    ++(alone ? result.diagonal : result.paired);
  }
}

}  // namespace diagrams

}  // namespace tailor
