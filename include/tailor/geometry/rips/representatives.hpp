#pragma once
// Cycles that stand for the bars of H1.
//
// The birth edge ab of a class closes the path from a to b in the spanning forest of the edges
// before it. The cochain of annotations.hpp is zero on the forest and a unit vector on the birth
// edge, so that this cycle has exactly the class of its generator. A class dies of a relation, a
// set of generators whose cycles add up to a boundary, reduced so that its youngest generator is in
// no earlier relation's span. The sum of their cycles is what the bar stands for: it holds the
// birth edge and nothing younger, bounds at the death, and does not bound before.
//
// A sum of forest paths is known by its ends: an edge of the forest is in it if the part of the
// tree below that edge holds an odd number of them.

#include <tailor/geometry/rips/edge.hpp>  // tailor::rips::Edge

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tailor {

/// An edge of a cycle, by its points.
struct CycleEdge {
  int a = 0;
  int b = 0;

  friend bool operator==(CycleEdge const&, CycleEdge const&) = default;
};

/// The birth edge, then the others. Every point is an end of an even number of them.
using Cycle = std::vector<CycleEdge>;

}  // namespace tailor

namespace tailor::rips {

class Representatives {
 public:
  /// `forest` holds the tree edges of a filtration of `points` points, `births` the edge of every
  /// generator.
  Representatives(int points, std::vector<Edge> const& forest, std::vector<Edge> births)
      : births_(std::move(births)),
        parent_(static_cast<std::size_t>(points), none),
        odd_(static_cast<std::size_t>(points), 0) {
    std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(points));
    for (Edge const& edge : forest) {
      neighbours[edge.a].push_back(edge.b);
      neighbours[edge.b].push_back(edge.a);
    }
    std::vector<char> seen(static_cast<std::size_t>(points), 0);
    for (int root = 0; root < points; ++root) {
      if (seen[static_cast<std::size_t>(root)]) continue;
      seen[static_cast<std::size_t>(root)] = 1;
      std::size_t head = down_.size();
      for (down_.push_back(root); head < down_.size(); ++head) {
        for (int const next : neighbours[static_cast<std::size_t>(down_[head])]) {
          if (seen[static_cast<std::size_t>(next)]) continue;
          seen[static_cast<std::size_t>(next)] = 1;
          parent_[static_cast<std::size_t>(next)] = down_[head];
          down_.push_back(next);
        }
      }
    }
  }

  /// The sum of the cycles of some generators, youngest last.
  /// Cost: O(points + generators).
  Cycle sum(std::vector<std::size_t> const& generators) {
    Cycle cycle;
    std::fill(odd_.begin(), odd_.end(), char{0});
    for (auto g = generators.rbegin(); g != generators.rend(); ++g) {
      Edge const& edge = births_[*g];
      cycle.push_back({edge.a, edge.b});
      odd_[edge.a] ^= 1;
      odd_[edge.b] ^= 1;
    }
    for (auto v = down_.rbegin(); v != down_.rend(); ++v) {
      int const above = parent_[static_cast<std::size_t>(*v)];
      if (above == none || !odd_[static_cast<std::size_t>(*v)]) continue;
      odd_[static_cast<std::size_t>(above)] ^= 1;
      cycle.push_back({std::max(*v, above), std::min(*v, above)});
    }
    return cycle;
  }

 private:
  static constexpr int none = -1;

  std::vector<Edge> births_;
  std::vector<int> parent_;  ///< of every point in its tree
  std::vector<int> down_;    ///< all points, parents first
  std::vector<char> odd_;    ///< whether an odd number of ends lies at the point or below
};

}  // namespace tailor::rips
