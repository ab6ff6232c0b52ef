#include <support/catch.hpp>              // TEST_CASE, CHECK
#include <support/thrown_message.hpp>     // thrown_message
#include <tailor/geometry/transport.hpp>  // the header under test

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

using tailor::Masses;
using tailor::Shipment;
using tailor::transport;
using tailor::TransportPlan;

namespace {

struct Costs {
  int columns = 0;
  std::vector<double> entries;
  double operator()(int i, int j) const {
    return entries[static_cast<std::size_t>(i * columns + j)];
  }
};

Costs random_costs(std::mt19937_64& random, int rows, int columns, bool ties) {
  Costs costs{.columns = columns, .entries = {}};
  for (int k = 0; k < rows * columns; ++k) {
    double const x = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    costs.entries.push_back(ties ? std::floor(3 * x) : x);
  }
  return costs;
}

/// Every row once per unit of supply and every column once per unit of demand: an assignment.
double by_copies(Masses const& supply, Masses const& demand, Costs const& costs) {
  auto const copies = [](Masses const& masses) {
    std::vector<int> owners;
    for (int i = 0; i < masses.size(); ++i) {
      owners.insert(owners.end(), static_cast<std::size_t>(masses[i]), i);
    }
    return owners;
  };
  std::vector<int> const rows = copies(supply);
  std::vector<int> const columns = copies(demand);
  auto const cost = [&](int i, int j) {
    return costs(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
  };
  return tailor::assign(static_cast<int>(rows.size()), cost).cost;
}

void check_balance(Masses const& supply, Masses const& demand, TransportPlan const& plan) {
  std::vector<std::int64_t> sent(supply.units.size(), 0);
  std::vector<std::int64_t> received(demand.units.size(), 0);
  for (Shipment const& shipment : plan.shipments) {
    CHECK(shipment.units > 0);
    sent[static_cast<std::size_t>(shipment.row)] += shipment.units;
    received[static_cast<std::size_t>(shipment.column)] += shipment.units;
  }
  CHECK(sent == supply.units);
  CHECK(received == demand.units);
}

/// `total` units thrown at random; some members may get none.
Masses random_masses(std::mt19937_64& random, int members, std::int64_t total) {
  Masses masses = tailor::equal_masses(members, 0);
  for (masses.total = 0; masses.total < total; ++masses.total) {
    ++masses.units[random() % masses.units.size()];
  }
  return masses;
}

}  // namespace

TEST_CASE("the plan costs what the assignment of all units costs", "[transport]") {
  std::mt19937_64 random(GENERATE(range(1u, 31u)));
  int const rows = 1 + static_cast<int>(random() % 12);
  int const columns = 1 + static_cast<int>(random() % 12);
  Costs const costs = random_costs(random, rows, columns, GENERATE(false, true));
  std::int64_t const total = 1 + static_cast<std::int64_t>(random() % 60);
  auto const [supply, demand] =
      GENERATE(false, true)
          ? std::pair(random_masses(random, rows, total), random_masses(random, columns, total))
          : tailor::equal_masses_of_pair(rows, columns);
  TransportPlan const plan = transport(supply, demand, costs);
  CHECK(plan.cost == Approx(by_copies(supply, demand, costs)).margin(1e-10));
  CHECK(plan.total == supply.total);
  check_balance(supply, demand, plan);
}

TEST_CASE("the cost of a plan does not depend on the prices it starts from", "[transport]") {
  std::mt19937_64 random(GENERATE(range(1u, 6u)));
  Costs const costs = random_costs(random, 11, 8, GENERATE(false, true));
  TransportPlan const plan = transport(11, 8, costs);
  CHECK(transport(11, 8, costs, plan.column_price).cost == Approx(plan.cost).margin(1e-10));
  std::vector<double> const any(8, 0.25);
  CHECK(transport(11, 8, costs, any).cost == Approx(plan.cost).margin(1e-10));
}

TEST_CASE("a row in two halves sends what the whole row sends", "[transport]") {
  std::mt19937_64 random(GENERATE(range(1u, 6u)));
  Costs const costs = random_costs(random, 7, 9, false);
  Masses const supply = random_masses(random, 7, 40);
  Masses const demand = random_masses(random, 9, 40);
  Masses halves = supply;
  std::int64_t const half = supply[0] / 2;
  halves.units[0] -= half;
  halves.units.push_back(half);
  auto const cost = [&](int i, int j) { return costs(i % 7, j); };
  CHECK(transport(halves, demand, cost).cost ==
        Approx(transport(supply, demand, costs).cost).margin(1e-10));
}

TEST_CASE("equal numbers of rows and columns give the assignment", "[transport]") {
  std::mt19937_64 random(4);
  Costs const costs = random_costs(random, 60, 60, false);
  TransportPlan const plan = transport(60, 60, costs);
  CHECK(plan.cost == Approx(tailor::assign(60, costs).cost).epsilon(1e-12));
  CHECK(plan.shipments.size() == 60);
}

TEST_CASE("one row sends to every column", "[transport]") {
  TransportPlan const plan = transport(1, 3, [](int, int j) { return j; });
  CHECK(plan.total == 3);
  CHECK(plan.cost == 3);
}

TEST_CASE("a member without mass sends and receives nothing", "[transport]") {
  Masses const supply{.units = {0, 5}, .total = 5};
  Masses const demand{.units = {5, 0, 0}, .total = 5};
  TransportPlan const plan = transport(supply, demand, [](int i, int j) { return i + j; });
  REQUIRE(plan.shipments.size() == 1);
  CHECK(plan.shipments[0].row == 1);
  CHECK(plan.shipments[0].column == 0);
  CHECK(plan.cost == 5);
}

TEST_CASE("large coprime sizes balance", "[transport]") {
  std::mt19937_64 random(5);
  Costs const costs = random_costs(random, 64, 61, false);
  auto const [supply, demand] = tailor::equal_masses_of_pair(64, 61);
  check_balance(supply, demand, transport(64, 61, costs));
}

TEST_CASE("masses in many units balance to the last one", "[transport]") {
  std::mt19937_64 random(GENERATE(range(1u, 6u)));
  std::vector<double> of_rows;
  std::vector<double> of_columns;
  for (int i = 0; i < 40; ++i) of_rows.push_back(static_cast<double>(random() % 1000) / 7);
  for (int j = 0; j < 33; ++j) of_columns.push_back(1 / static_cast<double>(1 + random() % 1000));
  Masses const supply = tailor::unequal_masses(of_rows);
  Masses const demand = tailor::unequal_masses(of_columns);
  Costs const costs = random_costs(random, 40, 33, GENERATE(false, true));
  TransportPlan const plan = transport(supply, demand, costs);
  check_balance(supply, demand, plan);
  double most = 0;  // what the prices prove
  for (int i = 0; i < 40; ++i) {
    double least = costs(i, 0) - plan.column_price[0];
    for (int j = 0; j < 33; ++j) {
      least = std::min(least, costs(i, j) - plan.column_price[static_cast<std::size_t>(j)]);
    }
    most += least * supply.share(i);
  }
  for (int j = 0; j < 33; ++j) {
    most += plan.column_price[static_cast<std::size_t>(j)] * demand.share(j);
  }
  CHECK(plan.cost / static_cast<double>(plan.total) == Approx(most).margin(1e-12));
}

TEST_CASE("transport names what it cannot work with", "[transport]") {
  auto const zero = [](int, int) { return 0.0; };
  auto const message = [&](Masses const& supply, Masses const& demand) {
    return thrown_message<std::invalid_argument>([&] { transport(supply, demand, zero); });
  };
  CHECK(contains(thrown_message<std::invalid_argument>([&] { transport(0, 3, zero); }),
                 "got 0 and 3"));
  CHECK(contains(message({{1, -1}, 1}, {{1}, 1}), "got supply 1 = -1"));
  CHECK(
      contains(message({{2, 2}, 4}, {{1, 2}, 4}), "a total of 3 units of demand expected, got 4"));
  CHECK(contains(message({{2, 2}, 4}, {{1, 2}, 3}), "got 4 and 3 units"));
}
