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
/// Cost:   at most six passes over the edges, and a second copy of them.
/// Domain: lengths of at least +0.
inline void sort_by_length(std::vector<Edge>& edges) {
  constexpr int bits = 11;
  constexpr std::size_t values = std::size_t{1} << bits;
  std::vector<Edge> sorted(edges.size());
  for (int shift = 0; shift < 64; shift += bits) {
    auto const digit = [shift](Edge const& edge) {
      return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(edge.length) >> shift) % values;
    };
    std::array<std::size_t, values> place{};
    for (Edge const& edge : edges) ++place[digit(edge)];
    if (edges.empty() || place[digit(edges[0])] == edges.size()) continue;
    std::size_t first = 0;
    for (std::size_t& count : place) first += std::exchange(count, first);
    for (Edge const& edge : edges) sorted[place[digit(edge)]++] = edge;
    edges.swap(sorted);
  }
}

}  // namespace tailor::rips
