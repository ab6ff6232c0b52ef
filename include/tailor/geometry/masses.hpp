#pragma once
// How the mass of a cloud lies on its points, in whole units: what is sent and what is received
// then balance exactly, and a plan that moves at least one unit at a time comes to an end.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace tailor {

/// `units[i]` of the `total` lie on point i.
struct Masses {
  std::vector<std::int64_t> units;
  std::int64_t total = 0;

  int size() const { return static_cast<int>(units.size()); }
  std::int64_t operator[](int i) const { return units[static_cast<std::size_t>(i)]; }
  double share(int i) const { return static_cast<double>((*this)[i]) / static_cast<double>(total); }
  std::vector<double> shares() const {
    std::vector<double> result;
    for (int i = 0; i < size(); ++i) result.push_back(share(i));
    return result;
  }
  friend bool operator==(Masses const&, Masses const&) = default;
};

/// `each` units on each of n points.
inline Masses equal_masses(int n, std::int64_t each = 1) {
  return {.units = std::vector<std::int64_t>(static_cast<std::size_t>(n), each), .total = n * each};
}

/// One unit on every point of both: couplings with few entries are permutations.
inline bool one_to_one(Masses const& p, Masses const& q) {
  return p == q && p == equal_masses(p.size());
}

/// The shares that weights stand for are counted in this many units, where they are not equal.
inline constexpr std::int64_t unequal_total = std::int64_t{1} << 50;

/// The nearest whole number of units for every weight; the heaviest point, the first of several,
/// takes what rounding leaves over. A weight of zero is no unit.
/// Domain: finite weights of at least 0, one of them positive.
inline Masses unequal_masses(std::span<double const> weights) {
  double const sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  Masses masses{.units = {}, .total = unequal_total};
  std::int64_t left = unequal_total;
  for (double const weight : weights) {
    masses.units.push_back(std::llround(weight / sum * static_cast<double>(unequal_total)));
    left -= masses.units.back();
  }
  *std::max_element(masses.units.begin(), masses.units.end()) += left;
  return masses;
}

/// Equal masses on n points and on m points, of one total: the smallest whole numbers.
inline std::pair<Masses, Masses> equal_masses_of_pair(int n, int m) {
  int const common = std::max(1, std::gcd(n, m));
  return {equal_masses(n, m / common), equal_masses(m, n / common)};
}

}  // namespace tailor
