#pragma once
// What a pair of bars costs, and a bar alone: distances in the plane of births and deaths.

#include <algorithm>
#include <cmath>

namespace tailor {

/// The norm of the plane in which bars are points. `l2` is the default of this library, `linf` that
/// of the stability theorems.
enum class GroundNorm { l2, linf };

}  // namespace tailor

namespace tailor::diagrams {

/// Squared distance of two bars whose births and deaths differ by these amounts.
template <GroundNorm norm>
constexpr double squared_distance(double births, double deaths) {
  if constexpr (norm == GroundNorm::l2) return births * births + deaths * deaths;
  double const larger = std::max(births < 0 ? -births : births, deaths < 0 ? -deaths : deaths);
  return larger * larger;
}

/// Squared distance of a bar to the diagonal, whose nearest point is the middle of the bar:
/// length / sqrt(2) under l2, length / 2 under linf.
template <GroundNorm norm>
constexpr double squared_distance_to_diagonal(double length) {
  return norm == GroundNorm::l2 ? length * length / 2 : length * length / 4;
}

/// Distances to the power of an exponent, which add up over a matching.
template <GroundNorm norm, int exponent>
struct Cost {
  static_assert(exponent == 1 || exponent == 2, "Cost: the exponent must be 1 or 2");

  static double pair(double births, double deaths) {
    return power(squared_distance<norm>(births, deaths));
  }
  static double alone(double length) { return power(squared_distance_to_diagonal<norm>(length)); }
  /// Of two bars that never die, this far apart.
  static double power_of(double gap) { return exponent == 1 ? gap : gap * gap; }
  static double distance(double sum) { return exponent == 1 ? sum : std::sqrt(sum); }

 private:
  static double power(double squared) { return exponent == 1 ? std::sqrt(squared) : squared; }
};

}  // namespace tailor::diagrams
