#pragma once
// The relations that deaths bring between the classes born so far, and the reduction that pairs
// them.

#include <tailor/geometry/rips/annotations.hpp>  // tailor::rips::Column, Word

#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

namespace tailor::rips {

/// Relations between the births, each kept under the youngest birth that it holds.
class Relations {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void add_birth() { pivots_.emplace_back(); }

  /// Reduces the column by the relations so far and keeps what is left of it. Returns the birth
  /// that dies of it, or none where the relation says nothing new.
  std::size_t add(Column& column) {
    for (;;) {
      while (!column.empty() && column.back() == 0) column.pop_back();
      if (column.empty()) return none;
      std::size_t const youngest =
          column.size() * 64 - 1 - static_cast<std::size_t>(std::countl_zero(column.back()));
      Column const& pivot = pivots_[youngest];
      if (pivot.empty()) {
        pivots_[youngest] = column;
        words_ += column.size();
        return youngest;
      }
      for (std::size_t w = 0; w < column.size(); ++w) column[w] ^= pivot[w];
    }
  }

  /// The births in the relation that a death left behind, youngest last.
  std::vector<std::size_t> generators_of(std::size_t death) const {
    std::vector<std::size_t> generators;
    for (std::size_t w = 0; w < pivots_[death].size(); ++w) {
      for (Word bits = pivots_[death][w]; bits != 0; bits &= bits - 1) {
        generators.push_back(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
    return generators;
  }

  std::size_t bytes() const { return words_ * sizeof(Word) + pivots_.size() * sizeof(Column); }

 private:
  std::vector<Column> pivots_;
  std::size_t words_ = 0;
};

}  // namespace tailor::rips
