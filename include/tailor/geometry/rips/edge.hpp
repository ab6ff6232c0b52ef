#pragma once
// An edge of a Vietoris-Rips filtration.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tailor::rips {

/// The largest cloud: vertex numbers take 16 bits.
inline constexpr int max_points = 65535;

/// An edge enters when the filtration reaches its length, the diameter of its two points. The
/// length is kept in halves, so that an edge takes 12 bytes: edges are most of the memory.
class Edge {
 public:
  Edge() = default;
  Edge(double length, int larger, int smaller)
      : a(static_cast<std::uint16_t>(larger)),
        b(static_cast<std::uint16_t>(smaller)),
        length_(std::bit_cast<std::array<std::uint32_t, 2>>(length)) {}

  double length() const { return std::bit_cast<double>(length_); }

  std::uint16_t a = 0;  ///< the larger vertex number
  std::uint16_t b = 0;

 private:
  std::array<std::uint32_t, 2> length_{};
};
static_assert(sizeof(Edge) == 12);

/// Pairs of n points.
constexpr std::size_t pairs(int n) {
  auto const points = static_cast<std::size_t>(n);
  return n < 2 ? 0 : points * (points - 1) / 2;
}

}  // namespace tailor::rips
