#include <tailor/allocation/allocate.hpp>  // what is tested

#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace tailor;

namespace {

WidthBudget uniform_budget(int layers, int width, std::int64_t price) {
  return {.reference_widths = std::vector<int>(layers, width),
          .prices = std::vector<std::int64_t>(layers, price)};
}

AllocationProblem random_problem(unsigned seed, int width) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> difficulty(0.02, 3), dimension(1, 30);
  int const layers = 2 + static_cast<int>(random() % 30);
  AllocationProblem problem{.difficulty = {}, .budget = uniform_budget(layers, width, 3 * 64)};
  for (int l = 0; l < layers; ++l) {
    problem.difficulty.push_back(difficulty(random));
    problem.dimension.push_back(dimension(random));
  }
  return problem;
}

}  // namespace

TEST_CASE("with equal prices and the budget of the reference the budget is spent exactly",
          "[allocation]") {
  int const width = GENERATE(8, 96, 170, 256, 3072);
  for (unsigned seed = 0; seed < 30; ++seed) {
    auto problem = random_problem(seed, width);
    problem.exponent_rule = seed % 2 ? ExponentRule::common : ExponentRule::per_layer;
    auto const found = allocate(problem);
    REQUIRE(found.status == RoundingStatus::exact);
    CHECK(found.spent == 192 * width * static_cast<std::int64_t>(problem.difficulty.size()));
    CHECK(found.spent == price_of(problem.budget.prices, found.widths));
    CHECK(found.kkt_residual < 1e-10);
    for (std::size_t l = 0; l < found.widths.size(); ++l) {
      CHECK(found.widths[l] % found.grain == 0);
      CHECK(found.widths[l] >= (width + 3) / 4);
      CHECK(found.widths[l] <= 4 * width);
      CHECK(std::abs(found.widths[l] - found.continuous[l]) <= found.grain + 1e-6);
    }
  }
}

TEST_CASE("with unequal prices the budget is never exceeded and less than one quantum is left",
          "[allocation]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    auto problem = random_problem(seed, 64);
    std::mt19937 random(seed);
    for (auto& price : problem.budget.prices)
      price = 1 + static_cast<std::int64_t>(random() % 1000);
    auto const found = allocate(problem);
    CHECK(found.spent <= found.budget);
    CHECK(found.budget - found.spent < found.quantum);
  }
}

TEST_CASE("a constant profile with one common exponent gives a uniform reference back",
          "[allocation]") {
  auto problem = random_problem(1, 96);
  problem.exponent_rule = ExponentRule::common;
  problem.difficulty.assign(problem.difficulty.size(), 0.37);
  CHECK(allocate(problem).widths == problem.budget.reference_widths);
}

TEST_CASE("integer widths do not change when difficulties or prices are in another unit",
          "[allocation]") {
  auto problem = random_problem(4, 128);
  auto const before = allocate(problem);
  for (double& value : problem.difficulty) value *= 7;
  CHECK(allocate(problem).widths == before.widths);
  for (auto& price : problem.budget.prices) price *= 5;
  CHECK(allocate(problem).widths == before.widths);
}

TEST_CASE("harder layers are wider, and the control 1 / C turns that around", "[allocation]") {
  AllocationProblem problem{
      .difficulty = {4, 2, 1, 0.5}, .budget = uniform_budget(4, 64, 96), .exponents = {1, 1, 1, 1}};
  auto const work = allocate(problem).widths;
  problem.power = -1;
  auto const inverse = allocate(problem).widths;
  for (std::size_t l = 0; l + 1 < 4; ++l) {
    CHECK(work[l] > work[l + 1]);
    CHECK(inverse[l] < inverse[l + 1]);
  }
  CHECK(std::accumulate(work.begin(), work.end(), 0) == 4 * 64);
}

TEST_CASE(
    "the defaults are a floor of a quarter, a cap of four times, and the smoothing of the depth",
    "[allocation]") {
  AllocationProblem problem{.difficulty = {1e-9, 1, 1, 1, 1e9},
                            .budget = uniform_budget(5, 64, 96),
                            .exponents = std::vector<double>(5, 1)};
  problem.budget.total = 96 * 64 * 6;
  auto const found = allocate(problem);
  CHECK(found.floors == std::vector<int>(5, 16));
  CHECK(found.caps == std::vector<int>(5, 256));
  CHECK(found.smoothing == 0);
  CHECK(found.difficulty == problem.difficulty);
  CHECK(found.at_floor == std::vector<int>{0});
  CHECK(found.at_cap == std::vector<int>{4});
  CHECK(found.widths[0] == 16);
  CHECK(found.widths[4] == 256);
  auto deep = random_problem(0, 64);
  deep.difficulty.assign(9, 1);
  deep.dimension.assign(9, 4);
  deep.budget = uniform_budget(9, 64, 96);
  CHECK(allocate(deep).smoothing == 0.5);
}

TEST_CASE("the default grain divides every reference width and leaves at least eight steps",
          "[allocation]") {
  auto const grain = [](std::vector<int> widths) { return default_grain(widths); };
  CHECK(grain({3072}) == 16);
  CHECK(grain({128}) == 16);
  CHECK(grain({96}) == 8);
  CHECK(grain({24}) == 2);
  CHECK(grain({128, 100}) == 4);
  CHECK(grain({171}) == 1);
  CHECK(grain({4}) == 1);
}

TEST_CASE("a reference width off the grain is an error that names the nearest one",
          "[allocation]") {
  auto problem = random_problem(2, 170);
  problem.grain = 16;
  CHECK_THROWS_WITH(allocate(problem), Catch::Contains("170") && Catch::Contains("nearest is 176"));
  problem.grain = 0;
  CHECK_THROWS_WITH(allocate(problem), Catch::Contains("grain must be at least 1"));
}

TEST_CASE("a difficulty or dimension that is zero, negative or undefined names its layer",
          "[allocation]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const inf = std::numeric_limits<double>::infinity();
  for (double bad : {0.0, -1.0, nan, inf}) {
    AllocationProblem problem{.difficulty = {1, 2, bad, 1},
                              .budget = uniform_budget(4, 64, 96),
                              .exponents = {1, 1, 1, 1}};
    CHECK_THROWS_WITH(allocate(problem), Catch::Contains("layer 2"));
    problem.difficulty[2] = 1;
    problem.exponents.clear();
    problem.dimension = {3, 3, bad, 3};
    CHECK_THROWS_WITH(allocate(problem), Catch::Contains("dimension of layer 2"));
  }
}

TEST_CASE("lists of the wrong length and missing exponents are errors", "[allocation]") {
  AllocationProblem problem{.difficulty = {1, 2, 3}, .budget = uniform_budget(3, 64, 96)};
  CHECK_THROWS_WITH(allocate(problem), Catch::Contains("dimensions or the exponents"));
  problem.exponents = {1, 1};
  CHECK_THROWS_WITH(allocate(problem), Catch::Contains("exponent"));
  problem.exponents = {1, 1, 1};
  problem.difficulty = {1, 2};
  CHECK_THROWS_WITH(allocate(problem), Catch::Contains("expected 3 difficulties"));
  problem.difficulty = {1, 2, 3};
  problem.floors = {1};
  CHECK_THROWS_WITH(allocate(problem), Catch::Contains("expected 3 floors"));
}

TEST_CASE("floors that cost more than the budget, and caps below it, are a status",
          "[allocation]") {
  AllocationProblem problem{
      .difficulty = {1, 2}, .budget = uniform_budget(2, 64, 96), .exponents = {1, 1}};
  problem.floors = {80, 80};
  auto const poor = allocate(problem);
  CHECK(poor.status == RoundingStatus::infeasible_floors);
  CHECK(poor.widths.empty());
  problem.floors = {};
  problem.caps = {40, 32};
  auto const rich = allocate(problem);
  CHECK(rich.status == RoundingStatus::caps_bind);
  CHECK(rich.widths == std::vector<int>{40, 32});
  CHECK(rich.at_cap == std::vector<int>{0, 1});
}
