#pragma once
// Which points of a growing graph are connected.

#include <cstddef>
#include <numeric>
#include <vector>

namespace tailor::rips {

/// Components of the graph, as a forest of pointers to a representative.
class Components {
 public:
  explicit Components(int points) : parent_(static_cast<std::size_t>(points)) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  /// Joins the components of a and b; false where they are one already.
  bool join(std::size_t a, std::size_t b) {
    std::size_t const x = find(a);
    std::size_t const y = find(b);
    parent_[x] = y;
    return x != y;
  }

 private:
  std::size_t find(std::size_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }

  std::vector<std::size_t> parent_;
};

}  // namespace tailor::rips
