#pragma once
// The linear assignment problem: a permutation of least total cost, with the prices that prove it.
//
// Prices u and v with u(i) + v(j) <= cost(i, j) are feasible; a permutation that meets every pair
// at equality is the cheapest, for its cost equals the sum of all prices. Any v is feasible with
// u(i) = min over j of cost(i, j) - v(j), so a solution of a similar problem may be given as a
// start.
//   1. Rows bid for columns: the price of the best column falls by what the second choice would
//      cost more, and the row that held it bids again.
//   2. Every row still free gets a column by a shortest augmenting path (Dijkstra on
//      cost(i, j) - u(i) - v(j), which is never negative).

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// Anything that answers cost(row, column).
template <class C>
concept CostMatrix = requires(C const& cost, int i, int j) {
  { cost(i, j) } -> std::convertible_to<double>;
};

/// A permutation and its prices: cost = sum of row_price + sum of column_price, up to rounding.
struct Assignment {
  std::vector<int> column_of;  ///< of each row
  std::vector<int> row_of;     ///< of each column
  std::vector<double> row_price;
  std::vector<double> column_price;
  double cost = 0;
};

namespace assignments {

inline constexpr int nobody = -1;

/// Sums of costs along a path must not overflow.
inline constexpr double largest_cost = 1e300;

/// Throws where a cost or a price is no number up to largest_cost, or prices are not one per
/// column.
template <CostMatrix Cost>
void check(char const* who, int rows, int columns, Cost const& cost,
           std::span<double const> column_prices) {
  if (!column_prices.empty() && static_cast<int>(column_prices.size()) != columns) {
    throw std::invalid_argument(std::string(who) + ": no prices or one per column expected, got " +
                                std::to_string(column_prices.size()) + " for " +
                                std::to_string(columns) + " columns");
  }
  auto const check_entry = [who](std::string const& where, double entry) {
    if (std::abs(entry) <= largest_cost) return;
    throw std::invalid_argument(std::string(who) + ": finite numbers up to 1e300 expected, got " +
                                where + " = " + std::to_string(entry));
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      double const entry = cost(i, j);
      if (std::abs(entry) <= largest_cost) continue;
      check_entry("cost(" + std::to_string(i) + ", " + std::to_string(j) + ")", entry);
    }
  }
  for (double const price : column_prices) check_entry("a price", price);
}

/// The prices given, or else the least cost in every column.
template <CostMatrix Cost>
std::vector<double> first_prices(int rows, int columns, Cost const& cost,
                                 std::span<double const> given) {
  if (!given.empty()) return {given.begin(), given.end()};
  std::vector<double> prices(columns, std::numeric_limits<double>::infinity());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) prices[j] = std::min(prices[j], double(cost(i, j)));
  }
  return prices;
}

template <CostMatrix Cost>
class Solver {
 public:
  Solver(int n, Cost const& cost, std::vector<double> prices)
      : n_(n), cost_(cost), price_(std::move(prices)), column_of_(n, nobody), row_of_(n, nobody) {}

  Assignment solve() {
    std::vector<int> free_rows(n_);
    std::iota(free_rows.begin(), free_rows.end(), 0);
    for (int round = 0; round < 2; ++round) free_rows = bid(std::move(free_rows));
    for (int const i : free_rows) augment(i);

    Assignment result{
        .column_of = column_of_, .row_of = row_of_, .row_price = {}, .column_price = price_};
    for (int i = 0; i < n_; ++i) {
      double const paid = cost_(i, column_of_[i]);
      result.cost += paid;
      result.row_price.push_back(paid - price_[column_of_[i]]);
    }
    return result;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Every row takes its best column; the row it drives out bids again at once if the price fell,
  /// else later. Returns the rows that were driven out.
  std::vector<int> bid(std::vector<int> queue) {
    std::vector<int> later;
    auto bids_left = 8 * queue.size();
    std::reverse(queue.begin(), queue.end());
    while (!queue.empty()) {
      int const i = queue.back();
      queue.pop_back();
      int best = nobody;
      double first = infinity;
      double second = infinity;
      for (int j = 0; j < n_; ++j) {
        double const offer = cost_(i, j) - price_[j];
        if (offer >= second) continue;
        if (offer < first) {
          second = std::exchange(first, offer);
          best = j;
        } else {
          second = offer;
        }
      }
      bool const fell = first < second && second < infinity;
      if (fell) price_[best] -= second - first;
      column_of_[i] = best;
      int const driven_out = std::exchange(row_of_[best], i);
      if (driven_out == nobody) continue;
      column_of_[driven_out] = nobody;
      if (fell && bids_left > 0) {
        --bids_left;
        queue.push_back(driven_out);
      } else {
        later.push_back(driven_out);
      }
    }
    return later;
  }

  void augment(int start) {
    distance_.assign(n_, infinity);
    closed_.assign(n_, 0);
    from_.assign(n_, nobody);
    reached_.clear();
    int at = start;
    double offset = 0;  // length of the path to row `at`, less the price of that row
    int nearest = relax(at, offset);
    while (row_of_[nearest] != nobody) {
      closed_[nearest] = infinity;
      reached_.push_back(nearest);
      at = row_of_[nearest];
      offset = distance_[nearest] - (cost_(at, nearest) - price_[nearest]);
      nearest = relax(at, offset);
    }
    for (int const j : reached_) price_[j] += distance_[j] - distance_[nearest];
    for (int row = nobody; row != start;) {
      row = from_[nearest];
      row_of_[nearest] = row;
      std::swap(column_of_[row], nearest);
    }
  }

  /// Shortens the paths by one more step from row `at`; returns the nearest column still open.
  int relax(int at, double offset) {
    double minimum = infinity;
    int nearest = nobody;
    for (int j = 0; j < n_; ++j) {
      double const here = cost_(at, j) - price_[j] + offset;
      if (here + closed_[j] < distance_[j]) {
        distance_[j] = here;
        from_[j] = at;
      }
      if (distance_[j] + closed_[j] < minimum) {
        minimum = distance_[j];
        nearest = j;
      }
    }
    return nearest;
  }

  int n_;
  Cost const& cost_;
  std::vector<double> price_;
  std::vector<int> column_of_;
  std::vector<int> row_of_;
  std::vector<double> distance_;  ///< of the shortest path to each column
  std::vector<double> closed_;    ///< infinity for the columns already passed, else zero
  std::vector<int> from_;         ///< the row before each column on that path
  std::vector<int> reached_;
};

}  // namespace assignments

/// The cheapest assignment of n rows to n columns. `column_prices` may hold the column_price of a
/// solution of a similar problem; the result is as exact with any prices, and sooner with good
/// ones.
/// Cost:   O(n^3) at worst, O(n) memory beside the costs, which are read again when needed.
/// Domain: n >= 0, finite costs up to 1e300; throws std::invalid_argument naming the entry.
/// Error:  rounding of prices: the cost is within n 1e-15 of the largest |cost| of the least one.
/// @post   the assignment is the cheapest permutation
/// @post   prices are feasible, and at equality on the assignment (up to rounding)
/// @post   the cost does not depend on the prices it starts from
/// @post   adding a number to a row or a column does not change the assignment
/// Source: Jonker and Volgenant 1987.
template <CostMatrix Cost>
Assignment assign(int n, Cost const& cost, std::span<double const> column_prices = {}) {
  if (n < 0) {
    throw std::invalid_argument("assign: a size of at least 0 expected, got " + std::to_string(n));
  }
  assignments::check("assign", n, n, cost, column_prices);
  return assignments::Solver<Cost>(n, cost, assignments::first_prices(n, n, cost, column_prices))
      .solve();
}

}  // namespace tailor
