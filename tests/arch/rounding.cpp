#include <tailor/arch/philox.hpp>    // tailor::philox, for random problems
#include <tailor/arch/rounding.hpp>  // under test

#include <limits>
#include <numeric>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using tailor::round_to_budget;
using tailor::RoundingProblem;
using tailor::RoundingStatus;
using Widths = std::vector<int>;

namespace {

RoundingProblem equal_prices(std::vector<double> wanted, int grain, std::int64_t budget) {
  auto const n = wanted.size();
  return {.wanted = std::move(wanted),
          .prices = std::vector<std::int64_t>(n, 1),
          .floors = Widths(n, 0),
          .caps = Widths(n, 1 << 20),
          .grain = grain,
          .budget = budget};
}

std::int64_t cost(RoundingProblem const& problem, Widths const& widths) {
  return std::inner_product(widths.begin(), widths.end(), problem.prices.begin(), std::int64_t{0});
}

/// Problems of 1 to 12 layers with all lists random, from a counter.
RoundingProblem random_problem(std::uint32_t index) {
  auto const word = [index](std::uint32_t layer, int which) {
    return tailor::philox({index, layer, 0, 0}, {7, 0})[static_cast<std::size_t>(which)];
  };
  auto const n = 1 + word(99, 0) % 12;
  RoundingProblem problem{.grain = 1 + static_cast<int>(word(99, 1) % 16)};
  std::int64_t at_cap = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    problem.wanted.push_back(word(i, 0) % 100000 / 50.);
    problem.prices.push_back(1 + word(i, 1) % 50);
    problem.floors.push_back(static_cast<int>(word(i, 2) % 60));
    problem.caps.push_back(100 + static_cast<int>(word(i, 3) % 2000));
    at_cap += problem.prices.back() * problem.caps.back();
  }
  problem.budget = at_cap * (word(99, 2) % 110) / 100;
  return problem;
}

}  // namespace

TEST_CASE("the price of the widths never exceeds the budget", "[arch][rounding]") {
  for (std::uint32_t i = 0; i < 2000; ++i) {
    auto const problem = random_problem(i);
    auto const rounding = round_to_budget(problem);
    if (rounding.status == RoundingStatus::infeasible_floors) {
      CHECK(rounding.widths.empty());
      continue;
    }
    REQUIRE(rounding.widths.size() == problem.wanted.size());
    CHECK(rounding.spent == cost(problem, rounding.widths));
    CHECK(rounding.spent <= problem.budget);
    for (std::size_t l = 0; l < rounding.widths.size(); ++l) {
      CHECK(rounding.widths[l] % problem.grain == 0);
      CHECK(rounding.widths[l] >= problem.floors[l]);
      CHECK(rounding.widths[l] <= problem.caps[l]);
    }
  }
}

TEST_CASE("less than one quantum is unspent unless every layer is at its cap", "[arch][rounding]") {
  int seen[4] = {};
  for (std::uint32_t i = 0; i < 2000; ++i) {
    auto const problem = random_problem(i);
    auto const rounding = round_to_budget(problem);
    ++seen[static_cast<int>(rounding.status)];
    if (rounding.status == RoundingStatus::infeasible_floors) continue;
    std::int64_t cheapest = 0;
    for (std::size_t l = 0; l < rounding.widths.size(); ++l) {
      if (rounding.widths[l] + problem.grain > problem.caps[l]) continue;
      auto const price = problem.prices[l] * problem.grain;
      cheapest = cheapest == 0 ? price : std::min(cheapest, price);
    }
    CHECK(rounding.quantum == cheapest);
    auto const unspent = problem.budget - rounding.spent;
    CHECK((rounding.status == RoundingStatus::exact) == (unspent == 0));
    if (rounding.status == RoundingStatus::within_one_quantum) CHECK(unspent < cheapest);
    if (rounding.status == RoundingStatus::caps_bind) CHECK(cheapest == 0);
  }
  for (int count : seen) CHECK(count > 0);  // the sweep reaches every status
}

TEST_CASE("with equal prices and a budget on the grid the budget is spent exactly",
          "[arch][rounding]") {
  for (std::uint32_t i = 0; i < 500; ++i) {
    auto problem = random_problem(i);
    problem.prices.assign(problem.prices.size(), 9);
    std::int64_t low = 0, high = 0;
    for (std::size_t l = 0; l < problem.caps.size(); ++l) {
      low += (problem.floors[l] + problem.grain - 1) / problem.grain;
      high += problem.caps[l] / problem.grain;
    }
    problem.budget = (low + high) / 2 * problem.grain * 9;
    CHECK(round_to_budget(problem).status == RoundingStatus::exact);
  }
}

TEST_CASE("widths on the grid that spend the budget come back unchanged", "[arch][rounding]") {
  auto problem = equal_prices({160, 48, 0, 96}, 16, 0);
  problem.prices = {3, 5, 1, 2};
  problem.budget = cost(problem, {160, 48, 0, 96});
  CHECK(round_to_budget(problem).widths == Widths{160, 48, 0, 96});
}

TEST_CASE("the largest remainder gains first and the lower layer wins a tie", "[arch][rounding]") {
  CHECK(round_to_budget(equal_prices({10.2, 10.7, 10.1}, 1, 31)).widths == Widths{10, 11, 10});
  CHECK(round_to_budget(equal_prices({10.5, 10.5, 10}, 1, 31)).widths == Widths{11, 10, 10});
  // The last bits of the wanted widths do not break a tie.
  CHECK(round_to_budget(equal_prices({10.5, 10.5 + 1e-12, 10}, 1, 31)).widths ==
        Widths{11, 10, 10});
}

TEST_CASE("wanted widths that miss the budget are shifted by one common amount",
          "[arch][rounding]") {
  CHECK(round_to_budget(equal_prices({100, 50, 30}, 1, 150)).widths == Widths{90, 40, 20});
  CHECK(round_to_budget(equal_prices({100, 50, 30}, 1, 210)).widths == Widths{110, 60, 40});
}

TEST_CASE("floors that cost more than the budget are a status", "[arch][rounding]") {
  auto problem = equal_prices({5, 5}, 1, 9);
  problem.floors = {5, 5};
  CHECK(round_to_budget(problem).status == RoundingStatus::infeasible_floors);
  problem.budget = 10;
  CHECK(round_to_budget(problem).status == RoundingStatus::exact);
  problem.grain = 4;  // the floors become 8 and 8
  CHECK(round_to_budget(problem).status == RoundingStatus::infeasible_floors);
}

TEST_CASE("caps that leave budget over are a status with the sum that is spent",
          "[arch][rounding]") {
  auto problem = equal_prices({5, 5}, 1, 100);
  problem.caps = {20, 30};
  auto const rounding = round_to_budget(problem);
  CHECK(rounding.status == RoundingStatus::caps_bind);
  CHECK(rounding.widths == Widths{20, 30});
  CHECK(rounding.spent == 50);
  CHECK(rounding.quantum == 0);
}

TEST_CASE("an expensive layer that no longer fits lets the cheap ones go on", "[arch][rounding]") {
  auto problem = equal_prices({10.9, 10.1}, 1, 0);
  problem.prices = {100, 1};
  problem.budget = 1000 + 10 + 99;
  auto const rounding = round_to_budget(problem);
  CHECK(rounding.widths == Widths{10, 109});
  CHECK(rounding.status == RoundingStatus::exact);
}

TEST_CASE("rounding is the same at compile time", "[arch][rounding]") {
  constexpr auto first = [] {
    return round_to_budget({.wanted = {10.5, 10.5, 10},
                            .prices = {1, 1, 1},
                            .floors = {0, 0, 0},
                            .caps = {99, 99, 99},
                            .grain = 1,
                            .budget = 31})
        .widths[0];
  }();
  STATIC_REQUIRE(first == 11);
}

TEST_CASE("a rounding problem that makes no sense is refused by name", "[arch][rounding]") {
  auto const good = equal_prices({1, 2}, 1, 3);
  auto const refused = [](RoundingProblem const& problem, std::string const& part) {
    CHECK_THROWS_WITH(round_to_budget(problem), Catch::Matchers::Contains(part));
  };
  auto bad = good;
  bad.prices.pop_back();
  refused(bad, "one entry per layer, got 2, 1, 2, 2");
  bad = good;
  bad.grain = 0;
  refused(bad, "grain must be at least 1, got 0");
  bad = good;
  bad.wanted[1] = std::numeric_limits<double>::quiet_NaN();
  refused(bad, "layer 1: the wanted width");
  bad = good;
  bad.prices[0] = 0;
  refused(bad, "layer 0: the price");
  bad = good;
  bad.floors[1] = -1;
  refused(bad, "layer 1: floor and cap");
  bad = good;
  bad.prices[1] = std::numeric_limits<std::int64_t>::max() / 2;
  refused(bad, "beyond 64 bits");
}
