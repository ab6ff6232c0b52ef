#pragma once
// Couplings with few entries: the corners of the set of couplings, and what they cost.

#include <tailor/geometry/coupling.hpp>         // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances

#include <algorithm>
#include <cstddef>
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

/// Mass in the order of the values on both sides: the cheapest coupling of numbers x and y for
/// every convex cost of x - y, and the one that maximises the sum of x y.
inline SparseCoupling monotone(std::span<double const> x, std::span<double const> y) {
  std::vector<int> const of_x = order_of(x);
  std::vector<int> const of_y = order_of(y);
  int const common = std::gcd(static_cast<int>(x.size()), static_cast<int>(y.size()));
  int const supply = static_cast<int>(y.size()) / common;
  int const demand = static_cast<int>(x.size()) / common;
  double const unit = 1.0 / (static_cast<double>(supply) * static_cast<double>(x.size()));
  SparseCoupling coupling;
  int left = supply;
  int missing = demand;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    int const units = std::min(left, missing);
    coupling.push_back({of_x[i], of_y[j], x.size() == y.size() ? 1.0 / x.size() : units * unit});
    left -= units;
    missing -= units;
    if (left == 0) left = supply, ++i;
    if (missing == 0) missing = demand, ++j;
  }
  sort_by_row(coupling);
  return coupling;
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

/// The partner of every point of the first cloud where the coupling is a permutation, else nothing.
inline std::vector<int> partners_of(Coupling const& coupling) {
  SparseCoupling const entries = entries_of(coupling);
  if (coupling.rows() != coupling.cols() || static_cast<int>(entries.size()) != coupling.rows()) {
    return {};
  }
  std::vector<int> partners;
  for (Entry const& entry : entries) partners.push_back(entry.j);
  return partners;
}

/// The coupling that matches point i with point partners[i].
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
