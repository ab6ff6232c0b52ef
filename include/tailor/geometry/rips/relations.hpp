#pragma once
// The relations that deaths bring between the classes born so far, and the reduction that pairs
// them.
//
// Every relation is solved for the youngest birth that no earlier one gives, the birth that dies of
// it: its pivot. A new relation is reduced by putting in, for every dead birth, what its pivot says
// of it. Most new relations say nothing new, and that is the most of the work: so what a pivot says
// is first put in terms of births that are alive, if deaths have come since it was last looked at.
// Then one step per dead birth is enough, and the steps of a refresh serve all that follow it.

#include <tailor/geometry/rips/annotations.hpp>  // tailor::rips::Column, Word

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

namespace tailor::rips {

class Relations {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// With `keep`, every relation is kept as it was when its birth died, for generators_of.
  explicit Relations(bool keep) : keep_(keep) {}

  void add_birth() {
    pivots_.emplace_back();
    if (keep_) kept_.emplace_back();
    if (dead_.size() * 64 < pivots_.size()) dead_.push_back(0);
  }

  /// Reduces the column by the relations so far and keeps what is left of it. Returns the birth
  /// that dies of it, or none where the relation says nothing new.
  std::size_t add(Column& column) {
    for (std::size_t b = youngest_dead(column, none); b != none; b = youngest_dead(column, b)) {
      refresh(b);
      put_in(b, column);
    }
    while (!column.empty() && column.back() == 0) column.pop_back();
    if (column.empty()) return none;
    std::size_t const youngest =
        column.size() * 64 - 1 - static_cast<std::size_t>(std::countl_zero(column.back()));
    if (keep_) kept_[youngest] = column;
    words_ += column.size() * (keep_ ? 2 : 1);
    dead_[youngest / 64] |= Word{1} << (youngest % 64);
    pivots_[youngest] = {.relation = column, .seen_deaths = ++deaths_};
    return youngest;
  }

  /// The births in the relation that a death left behind, youngest last.
  /// Domain: relations that are kept.
  std::vector<std::size_t> generators_of(std::size_t death) const {
    std::vector<std::size_t> generators;
    for (std::size_t w = 0; w < kept_[death].size(); ++w) {
      for (Word bits = kept_[death][w]; bits != 0; bits &= bits - 1) {
        generators.push_back(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
    return generators;
  }

  std::size_t bytes() const {
    return words_ * sizeof(Word) + pivots_.size() * sizeof(Pivot) + kept_.size() * sizeof(Column);
  }

 private:
  /// A relation, by the birth that died of it.
  struct Pivot {
    Column relation;
    std::size_t seen_deaths = 0;  ///< of how many deaths it is in terms of births still alive
  };

  /// The youngest dead birth of a column that is older than `than`.
  std::size_t youngest_dead(Column const& column, std::size_t than) const {
    std::size_t const words = std::min(column.size(), than == none ? none : than / 64 + 1);
    for (std::size_t w = words; w-- > 0;) {
      Word bits = column[w] & dead_[w];
      if (w == than / 64) bits &= (Word{1} << (than % 64)) - 1;
      if (bits != 0) return 64 * w + 63 - static_cast<std::size_t>(std::countl_zero(bits));
    }
    return none;
  }

  /// Adds the relation of which a birth died.
  void put_in(std::size_t birth, Column& column) const {
    Column const& relation = pivots_[birth].relation;
    for (std::size_t w = 0; w < relation.size(); ++w) column[w] ^= relation[w];
  }

  void refresh(std::size_t birth) {
    Pivot& pivot = pivots_[birth];
    if (pivot.seen_deaths == deaths_) return;
    Column& relation = pivot.relation;
    for (std::size_t b = birth; (b = youngest_dead(relation, b)) != none;) put_in(b, relation);
    pivot.seen_deaths = deaths_;
  }

  bool keep_;
  std::vector<Pivot> pivots_;  ///< of the births, empty while they live
  std::vector<Column> kept_;
  std::vector<Word> dead_;  ///< the births that died
  std::size_t deaths_ = 0;
  std::size_t words_ = 0;
};

}  // namespace tailor::rips
