#pragma once
// The linear assignment problem: a permutation of least total cost, with the prices that prove it.
//
// Prices u and v with u(i) + v(j) <= cost(i, j) are feasible; a permutation that meets every pair
// at equality is the cheapest, for its cost equals the sum of all prices. Any v is feasible with
// u(i) = min over j of cost(i, j) - v(j), so a solution of a similar problem may be given as a
// start.
//   1. Rows bid for columns: the price of the best column falls by what the second choice would
//      cost more, and the row that held it bids again.
//   2. The rows still free get columns by shortest augmenting paths (Dijkstra on
//      cost(i, j) - u(i) - v(j), which is never negative), grown from all of them at once. When the
//      search ends at distance D, the price of every column closed at distance d rises by d - D.
//      That keeps prices feasible and meets every step of every path grown at equality; paths from
//      different rows share no column, so all that were found can be taken.

#include <tailor/host/scans.hpp>  // tailor::host::Scans

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
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
    int within = 0;
    for (int j = 0; j < columns; ++j) within += std::abs(double(cost(i, j))) <= largest_cost;
    for (int j = 0; within < columns && j < columns; ++j) {
      check_entry("cost(" + std::to_string(i) + ", " + std::to_string(j) + ")", cost(i, j));
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

/// Costs are n rows of n.
class Solver {
 public:
  Solver(int n, double const* costs, std::vector<double> prices)
      : n_(n),
        costs_(costs),
        scans_(host::scans()),
        price_(std::move(prices)),
        column_of_(n, nobody),
        row_of_(n, nobody),
        distance_(n),
        from_(n) {}

  Assignment solve() {
    std::vector<int> free_rows(n_);
    std::iota(free_rows.begin(), free_rows.end(), 0);
    for (int round = 0; round < 2; ++round) free_rows = bid(std::move(free_rows));
    while (!free_rows.empty()) free_rows = search(free_rows);

    Assignment result{
        .column_of = column_of_, .row_of = row_of_, .row_price = {}, .column_price = price_};
    for (int i = 0; i < n_; ++i) {
      double const paid = row(i)[column_of_[i]];
      result.cost += paid;
      result.row_price.push_back(paid - price_[column_of_[i]]);
    }
    return result;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// A row that a search went through: the way from it to a column j is cost(row, j) - v(j) +
  /// offset long.
  struct Passed {
    int row = nobody;
    int column = nobody;  ///< through which it was reached; none where the search began
    double offset = 0;
  };

  /// A column that a search has reached by the shortest way.
  struct Closed {
    int column = nobody;
    double distance = 0;
  };

  double const* row(int i) const { return costs_ + static_cast<std::size_t>(i) * n_; }

  /// Every row takes its best column; the row it drives out bids again at once if the price fell,
  /// else later. Returns the rows that were driven out.
  std::vector<int> bid(std::vector<int> queue) {
    std::vector<int> later;
    auto bids_left = 2 * queue.size();
    std::reverse(queue.begin(), queue.end());
    while (!queue.empty()) {
      int const i = queue.back();
      queue.pop_back();
      auto const [first, second] = scans_.least_two_of(row(i), price_.data(), n_);
      int const best = first.place;
      bool const fell = first.value < second && second < infinity;
      if (fell) price_[best] -= second - first.value;
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

  /// Grows the shortest paths from all free rows at once and takes the first from each of them that
  /// ends at a free column, until the next one is not worth the search; returns the rows left.
  std::vector<int> search(std::vector<int> const& sources) {
    std::ranges::fill(distance_, infinity);
    open_price_ = price_;
    passed_.clear();
    closed_.clear();
    host::Least next{infinity, nobody};
    for (int const i : sources) {
      host::Least const best = scans_.least_two_of(row(i), price_.data(), n_).first;
      next = pass({.row = i, .column = nobody, .offset = -best.value});
    }
    std::vector<int> left = sources;
    std::size_t found = 0;
    std::size_t closed_at_last = 0;
    while (next.value < infinity && (closed_.size() - closed_at_last) * found <= closed_at_last) {
      auto const [distance, column] = next;
      closed_.push_back({column, distance});
      distance_[column] = infinity;
      open_price_[column] = -infinity;
      int const held_by = row_of_[column];
      if (held_by == nobody) {
        if (take_path_to(column, left)) {
          ++found;
          closed_at_last = closed_.size();
        }
        next = scans_.least_of(distance_.data(), n_);
      } else {
        double const reduced = row(held_by)[column] - price_[column];
        next = pass({.row = held_by, .column = column, .offset = distance - reduced});
      }
    }
    for (Closed const& c : closed_) price_[c.column] += c.distance - closed_.back().distance;
    return left;
  }

  /// Exchanges along the shortest path to a free column if it begins at a row that is still `left`,
  /// which is then struck off.
  bool take_path_to(int end, std::vector<int>& left) {
    path_.clear();
    int source = nobody;
    for (int column = end; column != nobody;) {
      Passed const& last = passed_[from_[column]];
      path_.push_back({last.row, column});
      source = last.row;
      column = last.column;
    }
    auto const place = std::ranges::find(left, source);
    if (place == left.end()) return false;
    left.erase(place);
    for (auto const& [row, column] : path_) {
      row_of_[column] = row;
      column_of_[row] = column;
    }
    return true;
  }

  /// Shortens the paths by one more step, from a row; returns the open column that is nearest now.
  host::Least pass(Passed at) {
    host::Step const step{row(at.row), open_price_.data(), at.offset, std::ssize(passed_)};
    passed_.push_back(at);
    return scans_.shorten(step, distance_.data(), from_.data(), n_);
  }

  int n_;
  double const* costs_;
  host::Scans scans_;
  std::vector<double> price_;
  std::vector<int> column_of_;
  std::vector<int> row_of_;
  std::vector<double> distance_;    ///< of the shortest path to each column; infinity if closed
  std::vector<double> open_price_;  ///< minus infinity for the columns already closed
  std::vector<std::int64_t> from_;  ///< which row passed each path came by
  std::vector<Passed> passed_;      ///< the rows of the search, in order
  std::vector<Closed> closed_;      ///< its columns, in order
  std::vector<std::pair<int, int>> path_;  ///< rows and columns, from its end
};

}  // namespace assignments

/// The cheapest assignment of n rows to n columns, for n rows of n costs. `column_prices` may hold
/// the column_price of a solution of a similar problem; the result is as exact with any prices, and
/// sooner with good ones.
/// Cost:   O(n^3) at worst, O(n) memory beside the costs.
/// Domain: n >= 0, finite costs up to 1e300; throws std::invalid_argument naming the entry.
/// Error:  rounding of prices: the cost is within n 1e-15 of the largest |cost| of the least one.
/// @post   the assignment is the cheapest permutation
/// @post   prices are feasible, and at equality on the assignment (up to rounding)
/// @post   the cost does not depend on the prices it starts from
/// @post   adding a number to a row or a column does not change the assignment
/// Source: Jonker and Volgenant 1987.
inline Assignment assign(int n, std::span<double const> costs,
                         std::span<double const> column_prices = {}) {
  if (n < 0) {
    throw std::invalid_argument("assign: a size of at least 0 expected, got " + std::to_string(n));
  }
  if (costs.size() != static_cast<std::size_t>(n) * n) {
    throw std::invalid_argument("assign: " + std::to_string(n) +
                                " rows of as many costs expected, got " +
                                std::to_string(costs.size()) + " costs");
  }
  auto const cost = [&](int i, int j) { return costs[static_cast<std::size_t>(i) * n + j]; };
  assignments::check("assign", n, n, cost, column_prices);
  return assignments::Solver(n, costs.data(), assignments::first_prices(n, n, cost, column_prices))
      .solve();
}

/// The same for costs of any kind, which are copied.
template <CostMatrix Cost>
Assignment assign(int n, Cost const& cost, std::span<double const> column_prices = {}) {
  std::vector<double> costs;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) costs.push_back(cost(i, j));
  }
  return assign(n, std::span<double const>(costs), column_prices);
}

}  // namespace tailor
