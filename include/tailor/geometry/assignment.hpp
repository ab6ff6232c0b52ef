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
#include <cstddef>
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
      : n_(n),
        cost_(cost),
        price_(std::move(prices)),
        column_of_(n, nobody),
        row_of_(n, nobody),
        distance_(n) {}

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

  struct Passed {
    int row = nobody;
    int column = nobody;  ///< through which it was reached
    double distance = 0;  ///< of that column
    double offset = 0;    ///< length of the path to the row, less the price of the row
  };

  /// Every row takes its best column; the row it drives out bids again at once if the price fell,
  /// else later. Returns the rows that were driven out.
  std::vector<int> bid(std::vector<int> queue) {
    std::vector<int> later;
    auto bids_left = 2 * queue.size();
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

  /// Which row a path came by need not be kept while it is searched: it is the one of those passed
  /// before that leads to the column by the shortest way.
  void augment(int start) {
    std::ranges::fill(distance_, infinity);
    open_price_ = price_;
    passed_.clear();
    Passed at{.row = start, .column = nobody, .distance = 0, .offset = 0};
    int end = nobody;
    while (end == nobody) {
      passed_.push_back(at);
      at.distance = relax(at);
      at.column = place_of(at.distance);
      at.row = row_of_[at.column];
      if (at.row == nobody) {
        end = at.column;
      } else {
        at.offset = at.distance - (cost_(at.row, at.column) - price_[at.column]);
        distance_[at.column] = infinity;
        open_price_[at.column] = -infinity;
      }
    }
    std::size_t from = passed_.size();
    for (int column = end; column != nobody;) {
      from = last_before(column, from);
      row_of_[column] = passed_[from].row;
      column_of_[passed_[from].row] = column;
      column = passed_[from].column;
    }
    for (Passed const& passed : std::span(passed_).subspan(1)) {
      price_[passed.column] += passed.distance - at.distance;
    }
  }

  /// Shortens the paths by one more step from a row; returns the length of the shortest to a column
  /// that is open.
  double relax(Passed const& at) {
    double const* const price = open_price_.data();
    double* const distance = distance_.data();
    double least[2] = {infinity, infinity};
    int j = 0;
    for (; j + 1 < n_; j += 2) {
      distance[j] = std::min(distance[j], cost_(at.row, j) - price[j] + at.offset);
      distance[j + 1] = std::min(distance[j + 1], cost_(at.row, j + 1) - price[j + 1] + at.offset);
      least[0] = std::min(least[0], distance[j]);
      least[1] = std::min(least[1], distance[j + 1]);
    }
    if (j < n_) {
      distance[j] = std::min(distance[j], cost_(at.row, j) - price[j] + at.offset);
      least[0] = std::min(least[0], distance[j]);
    }
    return std::min(least[0], least[1]);
  }

  /// Of the first `count` rows passed, the one from which the way to a column is shortest.
  std::size_t last_before(int column, std::size_t count) const {
    std::size_t last = 0;
    double least = infinity;
    for (std::size_t k = 0; k < count; ++k) {
      double const length = cost_(passed_[k].row, column) + passed_[k].offset;
      if (length < least) {
        least = length;
        last = k;
      }
    }
    return last;
  }

  /// The first column with this distance.
  int place_of(double distance) const {
    return static_cast<int>(std::ranges::find(distance_, distance) - distance_.begin());
  }

  int n_;
  Cost const& cost_;
  std::vector<double> price_;
  std::vector<int> column_of_;
  std::vector<int> row_of_;
  std::vector<double> distance_;    ///< of the shortest path to each column; infinity if passed
  std::vector<double> open_price_;  ///< minus infinity for the columns already passed
  std::vector<Passed> passed_;      ///< the rows of the search, in order
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
