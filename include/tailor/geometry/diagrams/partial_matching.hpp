#pragma once
// The cheapest matching of two sets of bars in which every bar may also go to the diagonal.
//
// With c(i, j) the cost of a pair and d(i), e(j) the costs of staying single, prices u and v are
// feasible when u(i) + v(j) <= c(i, j), u(i) <= d(i) and v(j) <= e(j); the matching is the cheapest
// as soon as every bar is in a pair, or single, at equality. Prices start at what the cheapest
// choice of each bar costs, never at differences of large numbers, so that a pair of long bars that
// nearly coincide keeps all its digits. Then, as Jonker and Volgenant do for full assignments:
//   1. rows bid for columns, each raising the bid to what its second choice would cost;
//   2. every row still without a place gets one by a shortest augmenting path;
//   3. so does every column that is single below its price, with the sides exchanged.
// A path ends at a bar of the other side that is in no pair (it gives up the diagonal, if it was
// there, at no cost), or at the diagonal of a bar of its own side. The best end found so far bounds
// what can still matter, so that most blocks of bars need no look beyond their bounding box.

#include <tailor/geometry/diagrams/side.hpp>  // tailor::diagrams::Side, Block

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tailor::diagrams {

/// Cost: O((n + m)^3) at worst, O(n + m) memory; costs are computed again from the coordinates
///       whenever they are needed.
template <class Cost>
class PartialMatching {
 public:
  PartialMatching(Side& rows, Side& columns) : rows_(rows), columns_(columns) {}

  void solve() {
    set_column_prices();
    std::vector<int> homeless(rows_.size());
    for (int i = 0; i < rows_.size(); ++i) homeless[i] = i;
    for (int round = 0; round < 2; ++round) homeless = bid(homeless);
    for (int const i : homeless) augment(rows_, columns_, i);
    set_row_prices();
    for (int j = 0; j < columns_.size(); ++j) {
      bool const below = columns_.price[j] < columns_.alone[j];
      if (columns_.partner[j] == nobody && below) augment(columns_, rows_, j);
    }
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  /// The distance of a bar whose path is final: no path computed later is shorter, not even by
  /// rounding.
  static constexpr double passed = -infinity;

  static double cost(Side const& s, int i, Side const& t, int j) {
    return Cost::pair(s.birth[i] - t.birth[j], s.death[i] - t.death[j]);
  }

  /// No bar of the block costs bar i of side s less, its price taken off.
  static double floor(Side const& s, int i, Block const& block) {
    return Cost::pair(block.births.gap(s.birth[i]), block.deaths.gap(s.death[i])) - block.top_price;
  }

  void set_column_prices() {
    columns_.price = columns_.alone;
    for (int i = 0; i < rows_.size(); ++i) {
      for (int j = 0; j < columns_.size(); ++j) {
        columns_.price[j] = std::min(columns_.price[j], cost(rows_, i, columns_, j));
      }
    }
    columns_.set_top_prices();
  }

  void set_row_prices() {
    for (int i = 0; i < rows_.size(); ++i) {
      int const j = rows_.partner[i];
      rows_.price[i] =
          j == nobody ? rows_.alone[i] : cost(rows_, i, columns_, j) - columns_.price[j];
    }
    rows_.set_top_prices();
  }

  /// Every row takes its best choice; the row it drives out bids again at once if the price fell,
  /// else later. Returns the rows that were driven out.
  std::vector<int> bid(std::vector<int> queue) {
    std::vector<int> later;
    std::size_t bids_left = 8 * queue.size();
    std::reverse(queue.begin(), queue.end());
    while (!queue.empty()) {
      int const i = queue.back();
      queue.pop_back();
      int best = nobody;
      double first = rows_.alone[i];
      double second = infinity;
      for (Block const& block : columns_.blocks) {
        if (floor(rows_, i, block) >= second) continue;
        for (int j = block.first; j < block.last; ++j) {
          double const offer = cost(rows_, i, columns_, j) - columns_.price[j];
          if (offer >= second) continue;
          if (offer < first) {
            second = std::exchange(first, offer);
            best = j;
          } else {
            second = offer;
          }
        }
      }
      rows_.partner[i] = best;
      if (best == nobody) continue;
      int const driven_out = std::exchange(columns_.partner[best], i);
      bool const fell = first < second;
      if (fell) columns_.price[best] -= second - first;
      if (driven_out == nobody) continue;
      rows_.partner[driven_out] = nobody;
      if (fell && bids_left > 0) {
        --bids_left;
        queue.push_back(driven_out);
      } else {
        later.push_back(driven_out);
      }
    }
    return later;
  }

  /// Gives bar `start` of side s a place by the cheapest chain of exchanges (Dijkstra on reduced
  /// costs), and lowers the prices on side t along the way so that they stay feasible.
  void augment(Side& s, Side& t, int start) {
    distance_.assign(t.size(), infinity);
    from_.assign(t.size(), nobody);
    nearest_in_.assign(t.blocks.size(), infinity);
    final_.clear();
    double shortest = infinity;
    int end = nobody;         // on side t, or
    int end_single = nobody;  // on side s
    int at = start;
    double offset = 0;  // length of the path to `at`, less the price of `at`
    for (;;) {
      if (offset + s.alone[at] < shortest) {
        shortest = offset + s.alone[at];
        end_single = at;
      }
      relax(s, at, t, offset, shortest);
      auto const nearest_block = std::min_element(nearest_in_.begin(), nearest_in_.end());
      if (nearest_block == nearest_in_.end() || *nearest_block >= shortest) break;
      double const distance = *nearest_block;
      int const nearest = pass(t, nearest_block - nearest_in_.begin());
      if (t.partner[nearest] == nobody) {
        shortest = distance;
        end = nearest;
        break;
      }
      final_.push_back({nearest, distance});
      at = t.partner[nearest];
      offset = distance - (cost(s, at, t, nearest) - t.price[nearest]);
    }
    for (auto const& [j, distance] : final_) t.price[j] += distance - shortest;
    if (end == nobody) {
      end = std::exchange(s.partner[end_single], nobody);
      if (end_single == start) return;
    }
    for (int at_s = nobody; at_s != start;) {
      at_s = from_[end];
      t.partner[end] = at_s;
      std::swap(s.partner[at_s], end);
    }
  }

  /// Shortens the paths to side t by one more step from `at`, where they stay below `limit`.
  void relax(Side const& s, int at, Side const& t, double offset, double limit) {
    double const birth = s.birth[at];
    double const death = s.death[at];
    for (std::size_t b = 0; b < t.blocks.size(); ++b) {
      Block const& block = t.blocks[b];
      if (floor(s, at, block) + offset >= limit) continue;
      double const* const births = t.birth.data() + block.first;
      double const* const deaths = t.death.data() + block.first;
      double const* const prices = t.price.data() + block.first;
      double* const distances = distance_.data() + block.first;
      int const size = block.last - block.first;
      // Most blocks hold nothing that gets nearer: find out by a loop without branches.
      std::array<double, bars_in_block> paths;
      std::int64_t shorter = 0;  // as wide as a double, so that compilers vectorise the loop
      for (int k = 0; k < size; ++k) {
        paths[k] = Cost::pair(birth - births[k], death - deaths[k]) - prices[k] + offset;
        shorter |= paths[k] < std::min(distances[k], limit) ? 1 : 0;
      }
      if (shorter == 0) continue;
      for (int k = 0; k < size; ++k) {
        if (paths[k] >= std::min(distances[k], limit)) continue;
        distances[k] = paths[k];
        from_[block.first + k] = at;
        nearest_in_[b] = std::min(nearest_in_[b], paths[k]);
      }
    }
  }

  /// Makes the shortest path into block b of side t final, and returns the bar at its end.
  int pass(Side const& t, std::ptrdiff_t b) {
    auto const first = distance_.begin() + t.blocks[b].first;
    auto const last = distance_.begin() + t.blocks[b].last;
    auto const nearest = std::find(first, last, nearest_in_[b]);
    *nearest = passed;
    nearest_in_[b] = infinity;
    for (auto distance = first; distance != last; ++distance) {
      if (*distance != passed) nearest_in_[b] = std::min(nearest_in_[b], *distance);
    }
    return static_cast<int>(nearest - distance_.begin());
  }

  Side& rows_;
  Side& columns_;
  std::vector<double> distance_;    ///< of the shortest path to each bar of side t, or `passed`
  std::vector<int> from_;           ///< the bar of side s before it on that path
  std::vector<double> nearest_in_;  ///< the least distance in each block, bars passed aside
  std::vector<std::pair<int, double>> final_;  ///< bars passed, and the lengths of their paths
};

}  // namespace tailor::diagrams
