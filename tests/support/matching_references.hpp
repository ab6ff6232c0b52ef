#pragma once
// Textbook references for distances between diagrams: every bar gets a place of its own on the
// diagonal, and a perfect matching of the augmented (n + m) x (n + m) matrix is sought.

#include <tailor/geometry/bar.hpp>                   // tailor::Bar
#include <tailor/geometry/diagrams/ground_norm.hpp>  // tailor::GroundNorm

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

/// Distances to the power of `exponent`; a place on the diagonal takes its own bar alone, and goes
/// with every other place for nothing.
inline Matrix augmented(tailor::GroundNorm norm, int exponent, Diagram const& x, Diagram const& y) {
  std::size_t const n = x.size();
  std::size_t const m = y.size();
  double const forbidden = 1e40;
  Matrix cost(n + m, std::vector<double>(n + m, 0.0));
  auto const half = [&](tailor::Bar const& bar) {
    double const middle = (bar.death - bar.birth) / 2;
    return std::pow(distance(norm, middle, middle), exponent);
  };
  for (std::size_t i = 0; i < n + m; ++i) {
    for (std::size_t j = 0; j < n + m; ++j) {
      if (i < n && j < m) {
        double const d = distance(norm, x[i].birth - y[j].birth, x[i].death - y[j].death);
        cost[i][j] = std::pow(d, exponent);
      } else if (i < n) {
        cost[i][j] = j - m == i ? half(x[i]) : forbidden;
      } else if (j < m) {
        cost[i][j] = i - n == j ? half(y[j]) : forbidden;
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

/// One kind of diagram per value of `kind`, 0 to 4: lengths at random, short bars, a grid full of
/// ties and zero-length bars, repeated bars, long bars that nearly coincide.
inline Diagram mixed_diagram(std::mt19937_64& random, int kind, int size) {
  auto const uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  Diagram diagram;
  for (int i = 0; i < size; ++i) {
    double const birth = kind == 2 ? double(random() % 4) : uniform();
    switch (kind) {
      case 0:
        diagram.push_back({birth, birth + uniform()});
        break;
      case 1:
        diagram.push_back({birth, birth + 0.05 * uniform()});
        break;
      case 2:
        diagram.push_back({birth, birth + double(random() % 3)});
        break;
      case 3:
        diagram.push_back(i % 2 == 1 ? diagram.back() : tailor::Bar{birth, birth + uniform()});
        break;
      default:
        diagram.push_back({birth, 1e6 + uniform()});
    }
  }
  return diagram;
}

}  // namespace references
