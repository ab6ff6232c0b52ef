#include <support/catch.hpp>              // TEST_CASE, CHECK
#include <support/thrown_message.hpp>     // thrown_message
#include <tailor/geometry/transport.hpp>  // the header under test

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

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
double by_copies(int rows, int columns, Costs const& costs, TransportPlan const& plan) {
  auto const cost = [&](int i, int j) { return costs(i / plan.supply, j / plan.demand); };
  CHECK(rows * plan.supply == columns * plan.demand);
  return tailor::assign(rows * plan.supply, cost).cost;
}

void check_balance(int rows, int columns, TransportPlan const& plan) {
  std::vector<int> sent(static_cast<std::size_t>(rows), 0);
  std::vector<int> received(static_cast<std::size_t>(columns), 0);
  for (Shipment const& shipment : plan.shipments) {
    CHECK(shipment.units > 0);
    sent[static_cast<std::size_t>(shipment.row)] += shipment.units;
    received[static_cast<std::size_t>(shipment.column)] += shipment.units;
  }
  CHECK(sent == std::vector<int>(static_cast<std::size_t>(rows), plan.supply));
  CHECK(received == std::vector<int>(static_cast<std::size_t>(columns), plan.demand));
}

}  // namespace

TEST_CASE("the plan costs what the assignment of all units costs", "[transport]") {
  std::mt19937_64 random(GENERATE(range(1u, 31u)));
  int const rows = 1 + static_cast<int>(random() % 12);
  int const columns = 1 + static_cast<int>(random() % 12);
  Costs const costs = random_costs(random, rows, columns, GENERATE(false, true));
  TransportPlan const plan = transport(rows, columns, costs);
  CHECK(plan.cost == Approx(by_copies(rows, columns, costs, plan)).margin(1e-10));
  check_balance(rows, columns, plan);
  CHECK(transport(rows, columns, costs, plan.column_price).cost == Approx(plan.cost).margin(1e-10));
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
  CHECK(plan.supply == 3);
  CHECK(plan.cost == 3);
}

TEST_CASE("large coprime sizes balance", "[transport]") {
  std::mt19937_64 random(5);
  Costs const costs = random_costs(random, 64, 61, false);
  check_balance(64, 61, transport(64, 61, costs));
}

TEST_CASE("transport refuses sets without members", "[transport]") {
  auto const zero = [](int, int) { return 0.0; };
  CHECK(contains(thrown_message<std::invalid_argument>([&] { transport(0, 3, zero); }),
                 "got 0 and 3"));
}
