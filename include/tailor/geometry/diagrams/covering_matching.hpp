#pragma once
// A matching of two sets of bars along pairs no farther apart than a reach, in which every bar that
// is farther than that from the diagonal has a partner.
//
// Bars within reach of the diagonal may stay single. Every other one gets its partner by an
// augmenting path, first the rows, then the columns. A path ends at a bar of the other side without
// partner, or by leaving a bar of its own side single that may be. Neither way takes the partner
// from a bar that must have one, so that the columns' paths keep the rows covered; and a bar for
// which there is no such path has none in any matching (Mendelsohn and Dulmage 1958).

#include <cstddef>
#include <utility>
#include <vector>

namespace tailor::diagrams {

/// `close(i, j)`: row i and column j are within reach. `row_may(i)`, `column_may(j)`: may stay
/// single.
/// Cost: O(n m) per bar that must have a partner, O(n + m) memory.
template <class Close, class RowMay, class ColumnMay>
class CoveringMatching {
 public:
  CoveringMatching(int rows, int columns, Close close, RowMay row_may, ColumnMay column_may)
      : close_(std::move(close)),
        row_may_(std::move(row_may)),
        column_may_(std::move(column_may)),
        row_partner_(static_cast<std::size_t>(rows), nobody),
        column_partner_(static_cast<std::size_t>(columns), nobody) {}

  /// False where some bar must have a partner and cannot.
  bool solve() {
    auto const mirrored = [this](int j, int i) { return close_(i, j); };
    return cover(row_partner_, column_partner_, close_, row_may_) &&
           cover(column_partner_, row_partner_, mirrored, column_may_);
  }

  /// The column of each row, or negative.
  std::vector<int> const& partner_of_row() const { return row_partner_; }

 private:
  static constexpr int nobody = -1;

  template <class Reach, class May>
  static bool cover(std::vector<int>& partner, std::vector<int>& other, Reach const& reach,
                    May const& may) {
    for (int i = 0; i < static_cast<int>(partner.size()); ++i) {
      if (partner[i] == nobody && !may(i) && !augment(i, partner, other, reach, may)) return false;
    }
    return true;
  }

  /// Breadth first over alternating paths from `start`.
  template <class Reach, class May>
  static bool augment(int start, std::vector<int>& partner, std::vector<int>& other,
                      Reach const& reach, May const& may) {
    std::vector<int> from(other.size(), nobody);
    std::vector<int> queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      int const i = queue[head];
      for (int j = 0; j < static_cast<int>(other.size()); ++j) {
        if (from[j] != nobody || !reach(i, j)) continue;
        from[j] = i;
        int const owner = other[j];
        if (owner != nobody && !may(owner)) {
          queue.push_back(owner);
          continue;
        }
        if (owner != nobody) partner[owner] = nobody;
        for (int end = j; end != nobody;) {
          int const at = from[end];
          other[end] = at;
          end = std::exchange(partner[at], end);
        }
        return true;
      }
    }
    return false;
  }

  Close close_;
  RowMay row_may_;
  ColumnMay column_may_;
  std::vector<int> row_partner_;
  std::vector<int> column_partner_;
};

}  // namespace tailor::diagrams
