#pragma once
// A growing graph as rows of bits, and the lune of two of its points: their common neighbours.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailor::rips {

using Word = std::uint64_t;

/// Adjacency of the graph of all edges so far. Row v also holds v itself, so that one mask removes
/// a point together with its neighbours.
class Graph {
 public:
  explicit Graph(int points)
      : words_((static_cast<std::size_t>(points) + 63) / 64),
        rows_(static_cast<std::size_t>(points) * words_, 0),
        rest_(words_, 0),
        reached_(words_, 0) {
    for (int v = 0; v < points; ++v) mark(v, v);
  }

  static constexpr std::size_t bytes(int points) {
    auto const n = static_cast<std::size_t>(points);
    return n * ((n + 63) / 64) * sizeof(Word);
  }

  void connect(int a, int b) {
    mark(a, b);
    mark(b, a);
  }

  bool lune_is_empty(int a, int b) const { return !intersect(row(a), row(b)); }

  /// Writes one point of every component of the graph induced on the lune of a and b.
  /// Cost: a pass over one row per point that has to be looked at; most lunes are one
  ///       neighbourhood, found in the first pass.
  void lune_components(int a, int b, std::vector<int>& representatives) {
    representatives.clear();
    for (std::size_t w = 0; w < words_; ++w) rest_[w] = row(a)[w] & row(b)[w];
    for (std::size_t w = 0; w < words_; ++w) {
      while (rest_[w] != 0) {
        int const first = first_point(w, rest_[w]);
        representatives.push_back(first);
        for (Word& word : reached_) word = 0;
        if (move_neighbours(first)) exhaust();
      }
    }
  }

 private:
  Word* row(int v) { return rows_.data() + static_cast<std::size_t>(v) * words_; }
  Word const* row(int v) const { return rows_.data() + static_cast<std::size_t>(v) * words_; }

  void mark(int v, int neighbour) {
    auto const bit = static_cast<std::size_t>(neighbour);
    row(v)[bit / 64] |= Word{1} << (bit % 64);
  }

  static int first_point(std::size_t word, Word bits) {
    return static_cast<int>(word * 64) + std::countr_zero(bits);
  }

  bool intersect(Word const* x, Word const* y) const {
    for (std::size_t w = 0; w < words_; ++w) {
      if ((x[w] & y[w]) != 0) return true;
    }
    return false;
  }

  /// Moves v and its neighbours from the rest to the component; false when nothing is left.
  bool move_neighbours(int v) {
    Word const* const neighbours = row(v);
    Word left = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      reached_[w] |= rest_[w] & neighbours[w];
      rest_[w] &= ~neighbours[w];
      left |= rest_[w];
    }
    return left != 0;
  }

  /// Grows the component until no point of the rest touches it. The search asks the points that
  /// are not yet covered, which are few, for one covered neighbour each.
  void exhaust() {
    for (bool grew = true; grew;) {
      grew = false;
      for (std::size_t w = 0; w < words_; ++w) {
        for (Word todo = rest_[w]; todo != 0;) {
          int const v = first_point(w, todo);
          todo &= todo - 1;
          if (!intersect(row(v), reached_.data())) continue;
          if (!move_neighbours(v)) return;
          grew = true;
          todo &= rest_[w];
        }
      }
    }
  }

  std::size_t words_;
  std::vector<Word> rows_;
  std::vector<Word> rest_;     ///< points of the lune in no component yet
  std::vector<Word> reached_;  ///< points of the component being grown
};

}  // namespace tailor::rips
