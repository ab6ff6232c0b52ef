#pragma once
// The transportation problem between two sets of equal masses, in whole units: n rows supply as
// much as m columns demand, and the cheapest plan is found by shortest augmenting paths.
//
// Prices are those of the assignment problem (assignment.hpp): u(i) + v(j) <= cost(i, j), at
// equality wherever something flows. A path from a row with supply left goes forward along any
// pair, and back from a column to the rows that it receives from, until it meets a column with
// demand left; as much as the path can carry is sent along it.

#include <tailor/geometry/assignment.hpp>  // tailor::CostMatrix, tailor::assignments::check

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// `units` of mass go from a row to a column.
struct Shipment {
  int row = 0;
  int column = 0;
  int units = 0;
};

/// Row i sends `supply` units in all and column j receives `demand`, with rows x supply = columns x
/// demand: the smallest whole numbers for which this holds.
struct TransportPlan {
  int supply = 0;
  int demand = 0;
  std::vector<Shipment> shipments;
  std::vector<double> column_price;
  double cost = 0;  ///< of all units, not of a unit of mass
};

namespace assignments {

template <CostMatrix Cost>
class TransportSolver {
 public:
  TransportSolver(int rows, int columns, Cost const& cost, std::vector<double> prices)
      : rows_(rows),
        columns_(columns),
        cost_(cost),
        price_(std::move(prices)),
        supply_(columns / std::gcd(rows, columns)),
        demand_(rows / std::gcd(rows, columns)),
        missing_(columns, demand_),
        received_(columns),
        came_by_(rows, nobody) {}

  TransportPlan solve() {
    for (int i = 0; i < rows_; ++i) {
      for (int left = supply_; left > 0;) left -= augment(i, left);
    }
    TransportPlan plan{
        .supply = supply_, .demand = demand_, .shipments = {}, .column_price = price_};
    for (int j = 0; j < columns_; ++j) {
      for (auto const& [row, units] : received_[j]) {
        plan.shipments.push_back({row, j, units});
        plan.cost += units * cost_(row, j);
      }
    }
    return plan;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  struct Received {
    int row = 0;
    int units = 0;
  };

  /// Sends up to `left` units of row `start` along one shortest path; returns how many went.
  int augment(int start, int left) {
    distance_.assign(columns_, infinity);
    closed_.assign(columns_, 0);
    from_.assign(columns_, nobody);
    came_by_.assign(rows_, nobody);
    reached_.clear();
    relax(start, 0);
    int end = nearest_open();
    while (missing_[end] == 0) {
      closed_[end] = infinity;
      reached_.push_back(end);
      for (auto const& [row, units] : received_[end]) {
        if (row == start || came_by_[row] != nobody) continue;
        came_by_[row] = end;
        relax(row, distance_[end] - (cost_(row, end) - price_[end]));
      }
      end = nearest_open();
    }
    for (int const j : reached_) price_[j] += distance_[j] - distance_[end];

    int units = std::min(left, missing_[end]);
    for (int row = from_[end]; row != start; row = from_[came_by_[row]]) {
      units = std::min(units, find(came_by_[row], row)->units);
    }
    missing_[end] -= units;
    for (int j = end;;) {
      int const row = from_[j];
      add(j, row, units);
      if (row == start) return units;
      j = came_by_[row];
      add(j, row, -units);
    }
  }

  void relax(int at, double offset) {
    for (int j = 0; j < columns_; ++j) {
      double const here = cost_(at, j) - price_[j] + offset;
      if (here + closed_[j] < distance_[j]) {
        distance_[j] = here;
        from_[j] = at;
      }
    }
  }

  int nearest_open() const {
    int nearest = nobody;
    double minimum = infinity;
    for (int j = 0; j < columns_; ++j) {
      if (distance_[j] + closed_[j] < minimum) {
        minimum = distance_[j];
        nearest = j;
      }
    }
    return nearest;
  }

  auto find(int column, int row) {
    return std::find_if(received_[column].begin(), received_[column].end(),
                        [row](Received const& r) { return r.row == row; });
  }

  void add(int column, int row, int units) {
    auto const place = find(column, row);
    if (place == received_[column].end()) {
      received_[column].push_back({row, units});
    } else if ((place->units += units) == 0) {
      received_[column].erase(place);
    }
  }

  int rows_;
  int columns_;
  Cost const& cost_;
  std::vector<double> price_;
  int supply_;
  int demand_;
  std::vector<int> missing_;                     ///< demand left of each column
  std::vector<std::vector<Received>> received_;  ///< by each column
  std::vector<double> distance_;                 ///< of the shortest path to each column
  std::vector<double> closed_;                   ///< infinity for the columns already passed
  std::vector<int> from_;                        ///< the row before each column on that path
  std::vector<int> came_by_;                     ///< the column before each row on that path
  std::vector<int> reached_;
};

}  // namespace assignments

/// The cheapest way to carry `rows` equal masses to `columns` equal masses of the same total.
/// Cost:   one path, O(columns x rows passed), per shipment made; O(rows + columns) memory beside
///         the plan.
/// Domain: rows, columns >= 1, finite costs; throws std::invalid_argument naming the entry.
/// @post   the plan costs what the assignment of all units costs
/// @post   equal numbers of rows and columns give the assignment
/// Source: Ahuja, Magnanti and Orlin, Network Flows, successive shortest paths.
template <CostMatrix Cost>
TransportPlan transport(int rows, int columns, Cost const& cost,
                        std::span<double const> column_prices = {}) {
  if (rows < 1 || columns < 1) {
    throw std::invalid_argument("transport: at least one row and one column expected, got " +
                                std::to_string(rows) + " and " + std::to_string(columns));
  }
  assignments::check("transport", rows, columns, cost, column_prices);
  return assignments::TransportSolver<Cost>(
             rows, columns, cost, assignments::first_prices(rows, columns, cost, column_prices))
      .solve();
}

}  // namespace tailor
