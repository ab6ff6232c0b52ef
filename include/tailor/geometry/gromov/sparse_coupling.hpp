#pragma once
// Couplings with few entries: the corners of the set of couplings, and what they cost.

#include <tailor/geometry/coupling.hpp>         // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances
#include <tailor/geometry/masses.hpp>           // tailor::Masses

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace tailor::gromov {

/// `weight` of the total mass 1 is matched between point i of one cloud and point j of the other.
struct Entry {
  int i = 0;
  int j = 0;
  double weight = 0;
};

/// Entries by i, then j.
using SparseCoupling = std::vector<Entry>;

inline void sort_by_row(SparseCoupling& coupling) {
  std::sort(coupling.begin(), coupling.end(),
            [](Entry const& x, Entry const& y) { return x.i != y.i ? x.i < y.i : x.j < y.j; });
}

/// Positions by value, ties by position.
inline std::vector<int> order_of(std::span<double const> values) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return values[x] < values[y]; });
  return order;
}

/// The mass of both sides in the given orders.
inline SparseCoupling in_order(std::span<int const> of_x, Masses const& p,
                               std::span<int const> of_y, Masses const& q) {
  SparseCoupling coupling;
  std::int64_t left = 0;
  std::int64_t missing = 0;
  for (std::size_t i = 0, j = 0;;) {
    while (left == 0 && i < of_x.size()) left = p[of_x[i++]];
    while (missing == 0 && j < of_y.size()) missing = q[of_y[j++]];
    std::int64_t const units = std::min(left, missing);
    if (units == 0) break;
    coupling.push_back({of_x[i - 1], of_y[j - 1], double(units) / double(p.total)});
    left -= units;
    missing -= units;
  }
  sort_by_row(coupling);
  return coupling;
}

/// Mass in the order of the values on both sides: the cheapest coupling of numbers x and y for
/// every convex cost of x - y, and the one that maximises the sum of x y.
inline SparseCoupling monotone(std::span<double const> x, Masses const& p,
                               std::span<double const> y, Masses const& q) {
  return in_order(order_of(x), p, order_of(y), q);
}

/// The entries of `to` less those of `from`: few where the two are near.
inline SparseCoupling difference(SparseCoupling const& to, SparseCoupling const& from) {
  SparseCoupling both = to;
  for (Entry const& entry : from) both.push_back({entry.i, entry.j, -entry.weight});
  sort_by_row(both);
  SparseCoupling result;
  for (Entry const& entry : both) {
    bool const again = !result.empty() && result.back().i == entry.i && result.back().j == entry.j;
    if (!again) {
      result.push_back(entry);
    } else if ((result.back().weight += entry.weight) == 0) {
      result.pop_back();
    }
  }
  return result;
}

/// Rows that have entries.
inline int rows_of(SparseCoupling const& coupling) {
  int rows = 0;
  for (std::size_t k = 0; k < coupling.size(); ++k) {
    if (k == 0 || coupling[k].i != coupling[k - 1].i) ++rows;
  }
  return rows;
}

/// The entries that are not zero.
inline SparseCoupling entries_of(Coupling const& coupling) {
  SparseCoupling entries;
  for (int i = 0; i < coupling.rows(); ++i) {
    for (int j = 0; j < coupling.cols(); ++j) {
      if (coupling(i, j) != 0) entries.push_back({i, j, coupling(i, j)});
    }
  }
  return entries;
}

inline Coupling dense(SparseCoupling const& entries, int rows, int cols) {
  Coupling coupling(rows, cols);
  for (Entry const& entry : entries) coupling.at(entry.i, entry.j) += entry.weight;
  return coupling;
}

/// The partner of every point of the first cloud at a permutation.
inline std::vector<int> partners_of(SparseCoupling const& permutation) {
  std::vector<int> partners;
  for (Entry const& entry : permutation) partners.push_back(entry.j);
  return partners;
}

/// The coupling of n and n equal masses that matches point i with point partners[i].
inline SparseCoupling permutation(std::vector<int> const& partners) {
  SparseCoupling coupling;
  int const n = static_cast<int>(partners.size());
  for (int i = 0; i < n; ++i) coupling.push_back({i, partners[i], 1.0 / n});
  return coupling;
}

/// Sum of (a - b)^2 over all pairs of entries: gw_sq of the coupling, without any cancellation, so
/// never negative and exactly zero where the distances agree.
/// Cost:   a pass over the pairs of entries.
/// Domain: symmetric a and b.
inline double squared_distortion(DenseDistances const& a, DenseDistances const& b,
                                 SparseCoupling const& coupling) {
  double total = 0;
  for (std::size_t x = 0; x < coupling.size(); ++x) {
    std::span<double const> const row_a = a.row(coupling[x].i);
    std::span<double const> const row_b = b.row(coupling[x].j);
    double sum = 0;
    for (std::size_t y = 0; y < x; ++y) {
      double const difference = row_a[coupling[y].i] - row_b[coupling[y].j];
      sum += difference * difference * coupling[y].weight;
    }
    double const own = row_a[coupling[x].i] - row_b[coupling[x].j];
    total += (2 * sum + own * own * coupling[x].weight) * coupling[x].weight;
  }
  return total;
}

}  // namespace tailor::gromov
