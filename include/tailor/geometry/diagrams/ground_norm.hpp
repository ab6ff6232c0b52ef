#pragma once
// Squared distances in the plane of births and deaths, to another bar and to the diagonal.

#include <algorithm>

namespace tailor {

/// The norm of the plane in which bars are points. `l2` is the default of this library, `linf` that
/// of the stability theorems.
enum class GroundNorm { l2, linf };

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

}  // namespace tailor
