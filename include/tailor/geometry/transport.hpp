#pragma once
// The transportation problem, in whole units: n rows supply as much as m columns demand, and the
// cheapest plan is found by shortest augmenting paths.
//
// Prices are those of the assignment problem (assignment.hpp): u(i) + v(j) <= cost(i, j), at
// equality wherever something flows. A path from a row with supply left goes forward along any
// pair, and back from a column to the rows that it receives from, until it meets a column with
// demand left; as much as the path can carry is sent along it. That exhausts the supply, the demand
// or a shipment, and never leaves a crumb of one: units are whole, so nothing is rounded, supplies
// and demands balance to the last unit, and every path brings the end at least one unit nearer.

#include <tailor/geometry/assignment.hpp>  // tailor::CostMatrix, tailor::assignments::check
#include <tailor/geometry/masses.hpp>      // tailor::Masses

#include <algorithm>
#include <cstdint>
#include <limits>
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
  std::int64_t units = 0;
};

/// What every row sends to which columns, by columns.
struct TransportPlan {
  std::int64_t total = 0;  ///< units of all shipments
  std::vector<Shipment> shipments;
  std::vector<double> column_price;
  double cost = 0;  ///< of all units, not of a unit of mass
};

namespace assignments {

/// Throws where a mass is negative or the total is not their sum.
inline void check_masses(char const* what, Masses const& masses) {
  std::int64_t sum = 0;
  for (int i = 0; i < masses.size(); ++i) {
    if (masses[i] < 0 || masses[i] > masses.total) {
      throw std::invalid_argument("transport: units between 0 and the total expected, got " +
                                  std::string(what) + " " + std::to_string(i) + " = " +
                                  std::to_string(masses[i]));
    }
    sum += masses[i];
  }
  if (sum != masses.total) {
    throw std::invalid_argument("transport: a total of " + std::to_string(sum) + " units of " +
                                what + " expected, got " + std::to_string(masses.total));
  }
}

template <CostMatrix Cost>
class TransportSolver {
 public:
  TransportSolver(Masses const& supply, Masses const& demand, Cost const& cost,
                  std::vector<double> prices)
      : rows_(supply.size()),
        columns_(demand.size()),
        cost_(cost),
        price_(std::move(prices)),
        supply_(supply),
        missing_(demand.units),
        received_(demand.units.size()),
        came_by_(supply.units.size(), nobody) {}

  TransportPlan solve() {
    for (int i = 0; i < rows_; ++i) {
      for (std::int64_t left = supply_[i]; left > 0;) left -= augment(i, left);
    }
    TransportPlan plan{.total = supply_.total, .shipments = {}, .column_price = price_};
    for (int j = 0; j < columns_; ++j) {
      for (auto const& [row, units] : received_[j]) {
        plan.shipments.push_back({row, j, units});
        plan.cost += static_cast<double>(units) * cost_(row, j);
      }
    }
    return plan;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  struct Received {
    int row = 0;
    std::int64_t units = 0;
  };

  /// Sends up to `left` units of row `start` along one shortest path; returns how many went.
  std::int64_t augment(int start, std::int64_t left) {
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

    std::int64_t units = std::min(left, missing_[end]);
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

  void add(int column, int row, std::int64_t units) {
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
  Masses const& supply_;
  std::vector<std::int64_t> missing_;            ///< demand left of each column
  std::vector<std::vector<Received>> received_;  ///< by each column
  std::vector<double> distance_;                 ///< of the shortest path to each column
  std::vector<double> closed_;                   ///< infinity for the columns already passed
  std::vector<int> from_;                        ///< the row before each column on that path
  std::vector<int> came_by_;                     ///< the column before each row on that path
  std::vector<int> reached_;
};

}  // namespace assignments

/// The cheapest way to carry what the rows supply to the columns that demand it.
/// Cost:   one path, O(columns x rows passed), per supply, demand or shipment exhausted; O(rows +
///         columns) memory beside the plan.
/// Domain: at least one row and one column, masses of at least 0 and of one total on both sides,
///         finite costs; throws std::invalid_argument naming the entry.
/// @post   the plan costs what the assignment of all units costs
/// @post   a row in two halves sends what the whole row sends
/// @post   the cost does not depend on the prices it starts from
/// Source: Ahuja, Magnanti and Orlin, Network Flows, successive shortest paths.
template <CostMatrix Cost>
TransportPlan transport(Masses const& supply, Masses const& demand, Cost const& cost,
                        std::span<double const> column_prices = {}) {
  int const rows = supply.size();
  int const columns = demand.size();
  if (rows < 1 || columns < 1) {
    throw std::invalid_argument("transport: at least one row and one column expected, got " +
                                std::to_string(rows) + " and " + std::to_string(columns));
  }
  assignments::check_masses("supply", supply);
  assignments::check_masses("demand", demand);
  if (supply.total != demand.total) {
    throw std::invalid_argument("transport: supply and demand of one total expected, got " +
                                std::to_string(supply.total) + " and " +
                                std::to_string(demand.total) + " units");
  }
  assignments::check("transport", rows, columns, cost, column_prices);
  return assignments::TransportSolver<Cost>(
             supply, demand, cost, assignments::first_prices(rows, columns, cost, column_prices))
      .solve();
}

/// Equal masses on the rows and equal masses on the columns, in the smallest whole units.
/// @post equal numbers of rows and columns give the assignment
template <CostMatrix Cost>
TransportPlan transport(int rows, int columns, Cost const& cost,
                        std::span<double const> column_prices = {}) {
  auto const [supply, demand] = equal_masses_of_pair(std::max(rows, 0), std::max(columns, 0));
  return transport(supply, demand, cost, column_prices);
}

}  // namespace tailor
