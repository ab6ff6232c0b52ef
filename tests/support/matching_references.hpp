#pragma once
// Textbook references for distances between diagrams: every bar gets a place of its own on the
// diagonal, and a perfect matching of the augmented (n + m) x (n + m) matrix is sought.

#include <tailor/geometry/bar.hpp>                    // tailor::Bar
#include <tailor/geometry/diagrams/ground_norm.hpp>   // tailor::GroundNorm
#include <tailor/geometry/diagrams/matched_bars.hpp>  // tailor::WassersteinResult

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace references {

using Diagram = std::vector<tailor::Bar>;
using Matrix = std::vector<std::vector<double>>;

inline double distance(tailor::GroundNorm norm, double births, double deaths) {
  return norm == tailor::GroundNorm::l2 ? std::hypot(births, deaths)
                                        : std::max(std::abs(births), std::abs(deaths));
}

/// A bar that never dies is within reach of its like alone.
inline double distance(tailor::GroundNorm norm, tailor::Bar const& a, tailor::Bar const& b) {
  bool const for_ever = std::isinf(a.death) && std::isinf(b.death);
  return distance(norm, a.birth - b.birth, for_ever ? 0.0 : a.death - b.death);
}

inline double distance_to_diagonal(tailor::GroundNorm norm, tailor::Bar const& bar) {
  double const half = (bar.death - bar.birth) / 2;
  return distance(norm, half, half);
}

/// How far apart each match of `result` is; none where some bar is not in exactly one match.
inline std::vector<double> match_distances(tailor::GroundNorm norm, Diagram const& x,
                                           Diagram const& y,
                                           tailor::WassersteinResult const& result) {
  std::vector<int> seen_x(x.size(), 0), seen_y(y.size(), 0);
  std::vector<double> distances;
  for (auto const& [i, j] : result.matching) {
    if (i >= 0) ++seen_x[std::size_t(i)];
    if (j >= 0) ++seen_y[std::size_t(j)];
    if (i < 0) {
      distances.push_back(distance_to_diagonal(norm, y[std::size_t(j)]));
    } else if (j < 0) {
      distances.push_back(distance_to_diagonal(norm, x[std::size_t(i)]));
    } else {
      distances.push_back(distance(norm, x[std::size_t(i)], y[std::size_t(j)]));
    }
  }
  auto const once = [](int count) { return count == 1; };
  bool const all_once = std::all_of(seen_x.begin(), seen_x.end(), once) &&
                        std::all_of(seen_y.begin(), seen_y.end(), once);
  return all_once ? distances : std::vector<double>{};
}

/// What a place costs that must not be taken: more than all others together.
constexpr double forbidden = 1e40;

/// Distances to the power of `exponent`; a place on the diagonal takes its own bar alone, and goes
/// with every other place for nothing.
inline Matrix augmented(tailor::GroundNorm norm, int exponent, Diagram const& x, Diagram const& y) {
  std::size_t const n = x.size();
  std::size_t const m = y.size();
  Matrix cost(n + m, std::vector<double>(n + m, 0.0));
  auto const power = [&](double distance) {
    return std::min(std::pow(distance, exponent), forbidden);
  };
  for (std::size_t i = 0; i < n + m; ++i) {
    for (std::size_t j = 0; j < n + m; ++j) {
      if (i < n && j < m) {
        cost[i][j] = power(distance(norm, x[i], y[j]));
      } else if (i < n) {
        cost[i][j] = j - m == i ? power(distance_to_diagonal(norm, x[i])) : forbidden;
      } else if (j < m) {
        cost[i][j] = i - n == j ? power(distance_to_diagonal(norm, y[j])) : forbidden;
      }
    }
  }
  return cost;
}

/// The least sum of a perfect matching, by the Hungarian method with potentials.
inline double least_sum(Matrix const& cost) {
  std::size_t const n = cost.size();
  double const infinity = std::numeric_limits<double>::infinity();
  std::vector<double> u(n + 1, 0.0), v(n + 1, 0.0);
  std::vector<std::size_t> row_of(n + 1, 0), before(n + 1, 0);
  for (std::size_t i = 1; i <= n; ++i) {
    row_of[0] = i;
    std::size_t column = 0;
    std::vector<double> slack(n + 1, infinity);
    std::vector<bool> used(n + 1, false);
    do {
      used[column] = true;
      std::size_t const row = row_of[column];
      std::size_t next = 0;
      double delta = infinity;
      for (std::size_t j = 1; j <= n; ++j) {
        if (used[j]) continue;
        double const reduced = cost[row - 1][j - 1] - u[row] - v[j];
        if (reduced < slack[j]) {
          slack[j] = reduced;
          before[j] = column;
        }
        if (slack[j] < delta) {
          delta = slack[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= n; ++j) {
        if (used[j]) {
          u[row_of[j]] += delta;
          v[j] -= delta;
        } else {
          slack[j] -= delta;
        }
      }
      column = next;
    } while (row_of[column] != 0);
    for (; column != 0; column = before[column]) row_of[column] = row_of[before[column]];
  }
  double sum = 0;
  for (std::size_t j = 1; j <= n; ++j) sum += cost[row_of[j] - 1][j - 1];
  return sum;
}

/// Whether the pairs that cost no more than `reach` hold a perfect matching, by depth-first paths.
inline bool has_perfect_matching(Matrix const& cost, double reach) {
  std::size_t const n = cost.size();
  std::vector<int> row_of(n, -1);
  std::vector<bool> seen;
  auto const visit = [&](auto const& self, int i) -> bool {
    for (std::size_t j = 0; j < n; ++j) {
      if (seen[j] || cost[std::size_t(i)][j] > reach) continue;
      seen[j] = true;
      if (row_of[j] < 0 || self(self, row_of[j])) {
        row_of[j] = i;
        return true;
      }
    }
    return false;
  };
  for (int i = 0; i < int(n); ++i) {
    seen.assign(n, false);
    if (!visit(visit, i)) return false;
  }
  return true;
}

/// The least largest entry of a perfect matching.
inline double least_maximum(Matrix const& cost) {
  std::vector<double> entries{0.0};
  for (auto const& row : cost) entries.insert(entries.end(), row.begin(), row.end());
  std::sort(entries.begin(), entries.end());
  return *std::partition_point(entries.begin(), entries.end(),
                               [&](double e) { return !has_perfect_matching(cost, e); });
}

constexpr int kinds = 7;

/// One kind of diagram per value of `kind`: lengths at random, short bars, a grid full of ties and
/// zero-length bars, repeated bars, long bars that nearly coincide, coordinates of 1e16 whose
/// differences are small whole numbers, bars of which some never die.
inline Diagram mixed_diagram(std::mt19937_64& random, int kind, int size) {
  auto const uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  auto const whole = [&](unsigned below) { return double(random() % below); };
  Diagram diagram;
  for (int i = 0; i < size; ++i) {
    double birth = uniform();
    double death = birth + uniform();
    if (kind == 1) death = birth + 0.05 * uniform();
    if (kind == 2) {
      birth = whole(4);
      death = birth + whole(3);
    }
    if (kind == 4) death = 1e6 + uniform();
    if (kind == 5) {
      birth = 1e16 + 2 * whole(8);
      death = birth + 2 * whole(4);
    }
    if (kind == 6 && i % 8 < 3 && random() % 8 != 0) {
      death = std::numeric_limits<double>::infinity();
    }
    diagram.push_back(kind == 3 && i % 2 == 1 ? diagram.back() : tailor::Bar{birth, death});
  }
  return diagram;
}

}  // namespace references
