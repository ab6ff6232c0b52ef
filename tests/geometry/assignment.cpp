#include <support/catch.hpp>               // TEST_CASE, CHECK
#include <support/thrown_message.hpp>      // thrown_message
#include <tailor/geometry/assignment.hpp>  // the header under test

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

using tailor::assign;
using tailor::Assignment;

namespace {

struct Costs {
  int n = 0;
  std::vector<double> entries;
  double operator()(int i, int j) const { return entries[static_cast<std::size_t>(i * n + j)]; }
};

/// Numbers in [-1, 1), or whole numbers of which many are equal.
Costs random_costs(std::mt19937_64& random, int n, bool ties) {
  Costs costs{.n = n, .entries = {}};
  for (int k = 0; k < n * n; ++k) {
    double const x = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    costs.entries.push_back(ties ? std::floor(3 * x) : x);
  }
  return costs;
}

double by_enumeration(Costs const& costs) {
  std::vector<int> order(static_cast<std::size_t>(costs.n));
  std::iota(order.begin(), order.end(), 0);
  double best = std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (int i = 0; i < costs.n; ++i) sum += costs(i, order[static_cast<std::size_t>(i)]);
    best = std::min(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

void check_proof(Costs const& costs, Assignment const& result) {
  double prices = 0;
  double slack = 0;
  double gap = 0;
  for (int i = 0; i < costs.n; ++i) {
    auto const row = static_cast<std::size_t>(i);
    prices += result.row_price[row] + result.column_price[row];
    CHECK(result.row_of[static_cast<std::size_t>(result.column_of[row])] == i);
    for (int j = 0; j < costs.n; ++j) {
      double const reduced =
          costs(i, j) - result.row_price[row] - result.column_price[static_cast<std::size_t>(j)];
      slack = std::min(slack, reduced);
      if (j == result.column_of[row]) gap = std::max(gap, std::abs(reduced));
    }
  }
  CHECK(slack >= -1e-12);
  CHECK(gap <= 1e-12);
  CHECK(prices == Approx(result.cost).margin(1e-9));
}

}  // namespace

TEST_CASE("the assignment is the cheapest permutation", "[assignment]") {
  std::mt19937_64 random(GENERATE(range(1u, 41u)));
  int const n = static_cast<int>(random() % 8);
  Costs const costs = random_costs(random, n, GENERATE(false, true));
  Assignment const result = assign(n, costs);
  CHECK(result.cost == Approx(by_enumeration(costs)).margin(1e-12));
  check_proof(costs, result);
}

TEST_CASE("prices are feasible, and at equality on the assignment", "[assignment]") {
  std::mt19937_64 random(GENERATE(range(1u, 6u)));
  Costs const costs = random_costs(random, 150, GENERATE(false, true));
  check_proof(costs, assign(150, costs));
}

TEST_CASE("the cost does not depend on the prices it starts from", "[assignment]") {
  std::mt19937_64 random(2);
  Costs const costs = random_costs(random, 80, false);
  Assignment const cold = assign(80, costs);
  Assignment const warm = assign(80, costs, cold.column_price);
  CHECK(warm.cost == Approx(cold.cost).epsilon(1e-13));
  std::vector<double> prices(80);
  for (double& price : prices) price = static_cast<double>(random() % 1000) - 500;
  Assignment const wild = assign(80, costs, prices);
  CHECK(wild.cost == Approx(cold.cost).epsilon(1e-10));
  CHECK(wild.column_of == cold.column_of);
}

TEST_CASE("adding a number to a row or a column does not change the assignment", "[assignment]") {
  std::mt19937_64 random(3);
  Costs costs = random_costs(random, 40, false);
  std::vector<int> const before = assign(40, costs).column_of;
  for (std::size_t j = 0; j < 40; ++j) costs.entries[5 * 40 + j] += 10;
  for (std::size_t i = 0; i < 40; ++i) costs.entries[i * 40 + 7] -= 10;
  CHECK(assign(40, costs).column_of == before);
}

TEST_CASE("costs may come from any callable", "[assignment]") {
  Assignment const result = assign(5, [](int i, int j) { return std::abs(i - (4 - j)); });
  CHECK(result.cost == 0);
  CHECK(result.column_of == std::vector<int>{4, 3, 2, 1, 0});
}

TEST_CASE("costs that are all equal cost n times one of them", "[assignment]") {
  CHECK(assign(20, [](int, int) { return 0.5; }).cost == 10);
  CHECK(assign(0, [](int, int) { return 0.5; }).column_of.empty());
}

TEST_CASE("assign names what it cannot work with", "[assignment]") {
  auto const message = [](auto const& call) { return thrown_message<std::invalid_argument>(call); };
  auto const bad = [](int i, int j) { return i == 2 && j == 1 ? std::nan("") : 1.0; };
  auto const huge = [](int, int) { return 1e305; };
  auto const good = [](int, int) { return 1.0; };
  std::vector<double> const prices{1, 2};
  std::vector<double> const undefined{1, std::nan(""), 2};
  CHECK(contains(message([&] { assign(3, bad); }), "cost(2, 1) = nan"));
  CHECK(contains(message([&] { assign(3, huge); }), "cost(0, 0) = "));
  CHECK(contains(message([&] { assign(3, good, prices); }), "got 2 for 3 columns"));
  CHECK(contains(message([&] { assign(3, good, undefined); }), "a price = nan"));
  CHECK(contains(message([&] { assign(-1, good); }), "got -1"));
  CHECK(contains(message([&] { assign(3, std::span<double const>(prices)); }), "got 2 costs"));
}
