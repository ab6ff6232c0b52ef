#pragma once
// Edges in the order of their lengths.

#include <tailor/geometry/rips/edge.hpp>  // tailor::rips::Edge

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tailor::rips {

/// Sorts by length, and leaves edges of one length in the order in which they stand. The bits of
/// numbers that are not negative are in the order of the numbers, so that a radix sort has to look
/// at them only; a digit in which all edges agree is passed over.
/// Cost:   at most seven passes over the edges, and a second copy of them.
/// Domain: lengths of at least +0.
inline void sort_by_length(std::vector<Edge>& edges) {
  constexpr int bits = 11;
  constexpr int digits = (64 + bits - 1) / bits;
  constexpr std::size_t values = std::size_t{1} << bits;
  auto const digit = [](Edge const& edge, int d) {
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(edge.length()) >> (d * bits)) %
           values;
  };
  std::vector<std::array<std::uint32_t, values>> places(digits);  // fewer than 2^31 edges
  for (Edge const& edge : edges) {
    for (int d = 0; d < digits; ++d) ++places[d][digit(edge, d)];
  }
  std::vector<Edge> sorted(edges.size());
  for (int d = 0; d < digits; ++d) {
    std::array<std::uint32_t, values>& place = places[d];
    if (edges.empty() || place[digit(edges[0], d)] == edges.size()) continue;
    std::uint32_t first = 0;
    for (std::uint32_t& count : place) first += std::exchange(count, first);
    for (Edge const& edge : edges) sorted[place[digit(edge, d)]++] = edge;
    edges.swap(sorted);
  }
}

}  // namespace tailor::rips
