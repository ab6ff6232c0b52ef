#pragma once
// An edge of a Vietoris-Rips filtration.

#include <cstddef>
#include <cstdint>

namespace tailor::rips {

/// The largest cloud: vertex numbers take 16 bits.
inline constexpr int max_points = 65535;

/// An edge enters when the filtration reaches its length, the diameter of its two points.
struct Edge {
  double length = 0;
  std::uint16_t a = 0;  ///< the larger vertex number
  std::uint16_t b = 0;
};

/// Pairs of n points.
constexpr std::size_t pairs(int n) {
  auto const points = static_cast<std::size_t>(n);
  return n < 2 ? 0 : points * (points - 1) / 2;
}

}  // namespace tailor::rips
