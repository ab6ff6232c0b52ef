#include <tailor/allocation/optimizer.hpp>  // what is tested

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace tailor;

namespace {

/// sum_l a_l / w_l with sum_l w_l = budget: exponent 1, prices 1, reference widths 1.
WidthProblem reciprocal(std::vector<double> a, double budget) {
  std::size_t const n = a.size();
  return {.surrogate = {.difficulty = std::move(a),
                        .exponents = std::vector<double>(n, 1),
                        .reference_widths = std::vector<double>(n, 1)},
          .prices = std::vector<double>(n, 1),
          .budget = budget};
}

/// A problem with everything unequal; which bounds bind depends on the seed.
WidthProblem random_problem(unsigned seed, double scale = 1) {
  std::mt19937 random(seed);
  auto const draw = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
  };
  WidthProblem p;
  auto const layers = 1 + static_cast<int>(random() % 40);
  for (int l = 0; l < layers; ++l) {
    p.surrogate.difficulty.push_back(scale * draw(0.01, 100));
    p.surrogate.exponents.push_back(draw(0.1, 2));
    p.surrogate.sensitivity.push_back(draw(0.1, 10));
    p.surrogate.reference_widths.push_back(draw(16, 4096));
    p.prices.push_back(draw(1, 1000));
    p.floors.push_back(p.surrogate.reference_widths.back() / 4);
    p.caps.push_back(p.surrogate.reference_widths.back() * 4);
    p.budget += p.prices.back() * p.surrogate.reference_widths.back();
  }
  return p;
}

void check_equal(std::vector<double> const& a, std::vector<double> const& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t l = 0; l < a.size(); ++l) CHECK(a[l] == Approx(b[l]).epsilon(1e-11));
}

}  // namespace

TEST_CASE(
    "O19: widths go as the square root of the difficulty when the error is difficulty / width",
    "[allocation][cases]") {
  check_equal(optimize_widths(reciprocal({1, 16}, 500)).widths, {100, 400});
  check_equal(optimize_widths(reciprocal({5, 5}, 500)).widths, {250, 250});
  check_equal(optimize_widths(reciprocal({7, 112}, 500)).widths, {100, 400});
  check_equal(optimize_widths(reciprocal({16, 1}, 500)).widths, {400, 100});
}

TEST_CASE("the budget is spent to 1e-12 and the KKT residual is below 1e-10", "[allocation]") {
  double const scale = GENERATE(1.0, 1e-30, 1e30, 1e-290, 1e290);
  for (unsigned seed = 0; seed < 60; ++seed) {
    auto const p = random_problem(seed, scale);
    auto const found = optimize_widths(p);
    REQUIRE(found.status == OptimumStatus::optimal);
    CHECK(std::abs(found.spent / p.budget - 1) < 1e-12);
    CHECK(found.kkt_residual < 1e-10);
    for (std::size_t l = 0; l < found.widths.size(); ++l) {
      CHECK(found.widths[l] >= p.floors[l]);
      CHECK(found.widths[l] <= p.caps[l]);
    }
  }
}

TEST_CASE("the KKT residual is the plain derivative's distance from the multiplier",
          "[allocation]") {
  auto const p = random_problem(3);
  auto const found = optimize_widths(p);
  auto const& s = p.surrogate;
  double const mu = std::exp(found.log_mu);
  for (std::size_t l = 0; l < s.layers(); ++l) {
    double const gain = s.exponents[l] * s.sensitivity[l] * s.difficulty[l] /
                        s.reference_widths[l] / p.prices[l] *
                        std::pow(found.widths[l] / s.reference_widths[l], -s.exponents[l] - 1);
    bool const at_floor = std::count(found.at_floor.begin(), found.at_floor.end(), l) > 0;
    bool const at_cap = std::count(found.at_cap.begin(), found.at_cap.end(), l) > 0;
    if (!at_floor) CHECK(gain > mu * (1 - 1e-10));
    if (!at_cap) CHECK(gain < mu * (1 + 1e-10));
  }
  auto moved = found.widths;
  moved.front() *= 1.01;
  CHECK(kkt_residual(p, moved, found.log_mu) > 1e-3 * p.prices.front() * moved.front() / p.budget);
}

TEST_CASE("widths do not change when all widths, floors and the budget are given in another unit",
          "[allocation]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    auto p = random_problem(seed);
    auto const before = optimize_widths(p);
    double const unit = 1 / 1024.0 / 3;
    for (auto* values : {&p.surrogate.reference_widths, &p.floors, &p.caps})
      for (double& value : *values) value *= unit;
    p.budget *= unit;
    auto after = optimize_widths(p);
    for (double& width : after.widths) width /= unit;
    check_equal(after.widths, before.widths);
    CHECK(after.at_floor == before.at_floor);
  }
}

TEST_CASE("widths do not change when every difficulty is multiplied by one number",
          "[allocation]") {
  double const factor = GENERATE(7.0, 1e-30, 1e30);
  auto p = random_problem(11);
  auto const before = optimize_widths(p).widths;
  for (double& value : p.surrogate.difficulty) value *= factor;
  check_equal(optimize_widths(p).widths, before);
}

TEST_CASE("swapped layers have swapped widths", "[allocation]") {
  auto p = random_problem(5);
  auto before = optimize_widths(p).widths;
  auto& s = p.surrogate;
  for (auto* values : {&s.difficulty, &s.exponents, &s.sensitivity, &s.reference_widths, &p.prices,
                       &p.floors, &p.caps, &before})
    std::reverse(values->begin(), values->end());
  check_equal(optimize_widths(p).widths, before);
}

TEST_CASE("with equal exponents and no bounds widths go as (weight / price)^(1 / (1 + a))",
          "[allocation]") {
  double const a = GENERATE(0.1, 0.7, 2.0);
  auto p = random_problem(8);
  p.floors.clear();
  p.caps.clear();
  auto& s = p.surrogate;
  s.exponents.assign(s.layers(), a);
  s.reference_widths.assign(s.layers(), 512);
  s.power = 0.5;
  std::vector<double> expected;
  for (std::size_t l = 0; l < s.layers(); ++l)
    expected.push_back(
        std::pow(s.sensitivity[l] * std::sqrt(s.difficulty[l]) / p.prices[l], 1 / (1 + a)));
  double const scale = p.budget / spent_by(p.prices, expected);
  for (double& width : expected) width *= scale;
  check_equal(optimize_widths(p).widths, expected);
}

TEST_CASE("equal layers are given their reference width, whatever their exponents' common value",
          "[allocation]") {
  WidthProblem const p{.surrogate = {.difficulty = {0.3, 0.3, 0.3},
                                     .exponents = {0.2, 0.2, 0.2},
                                     .reference_widths = {128, 128, 128}},
                       .prices = {192, 192, 192},
                       .budget = 192 * 128 * 3};
  check_equal(optimize_widths(p).widths, {128, 128, 128});
}

TEST_CASE("a layer's width does not fall when its difficulty or the budget grows", "[allocation]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    auto const p = random_problem(seed);
    auto const before = optimize_widths(p).widths;
    auto harder = p;
    harder.surrogate.difficulty.front() *= 1.5;
    CHECK(optimize_widths(harder).widths.front() >= before.front() * (1 - 1e-12));
    auto richer = p;
    richer.budget *= 1.1;
    auto const more = optimize_widths(richer).widths;
    for (std::size_t l = 0; l < more.size(); ++l) CHECK(more[l] >= before[l] * (1 - 1e-12));
  }
}

TEST_CASE("no point of a grid over the budget is better than the optimum", "[allocation]") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> between(0.2, 2);
    WidthProblem p{.surrogate = {.difficulty = {between(random), between(random), between(random)},
                                 .exponents = {between(random), between(random), between(random)},
                                 .reference_widths = {60, 60, 60}},
                   .prices = {1, 2, 3},
                   .budget = 360,
                   .floors = {15, 15, 15},
                   .caps = {90, 90, 90}};
    auto const found = optimize_widths(p);
    double best = std::numeric_limits<double>::infinity();
    std::vector<double> best_widths;
    for (int first = 15; first <= 90; ++first)
      for (int second = 15; second <= 90; ++second) {
        std::vector<double> const widths{1.0 * first, 1.0 * second,
                                         (360.0 - first - 2 * second) / 3};
        if (widths[2] < 15 || widths[2] > 90) continue;
        double const error = surrogate_error(p.surrogate, widths);
        if (error < best) best = error, best_widths = widths;
      }
    CHECK(surrogate_error(p.surrogate, found.widths) <= best * (1 + 1e-12));
    CHECK(surrogate_error(p.surrogate, found.widths) > best * (1 - 1e-3));
    for (std::size_t l = 0; l < 3; ++l) CHECK(std::abs(found.widths[l] - best_widths[l]) < 3);
  }
}

TEST_CASE("every binding floor and cap is listed, and only those", "[allocation]") {
  WidthProblem const p{.surrogate = {.difficulty = {1e-6, 1, 1, 1e6},
                                     .exponents = {1, 1, 1, 1},
                                     .reference_widths = {100, 100, 100, 100}},
                       .prices = {1, 1, 1, 1},
                       .budget = 400,
                       .floors = {25, 25, 25, 25},
                       .caps = {200, 200, 200, 200}};
  auto const found = optimize_widths(p);
  CHECK(found.at_floor == std::vector<int>{0});
  CHECK(found.at_cap == std::vector<int>{3});
  check_equal(found.widths, {25, 87.5, 87.5, 200});
}

TEST_CASE("a budget outside the bounds is a status, with the widths at those bounds",
          "[allocation]") {
  auto p = reciprocal({1, 4}, 10);
  p.floors = {6, 6};
  p.caps = {50, 60};
  auto const poor = optimize_widths(p);
  CHECK(poor.status == OptimumStatus::infeasible_floors);
  CHECK(poor.widths == p.floors);
  CHECK(poor.spent == 12);
  p.budget = 200;
  auto const rich = optimize_widths(p);
  CHECK(rich.status == OptimumStatus::caps_bind);
  CHECK(rich.widths == p.caps);
  CHECK(rich.at_cap == std::vector<int>{0, 1});
  for (double exact : {12.0, 110.0}) {
    p.budget = exact;
    auto const found = optimize_widths(p);
    CHECK(found.status == OptimumStatus::optimal);
    CHECK(found.kkt_residual < 1e-10);
  }
}

TEST_CASE("one layer takes the whole budget", "[allocation]") {
  check_equal(optimize_widths(reciprocal({1e-30}, 500)).widths, {500});
}

TEST_CASE("bounds and prices that make no sense are errors that name the layer", "[allocation]") {
  auto p = reciprocal({1, 4}, 10);
  p.prices[1] = 0;
  CHECK_THROWS_WITH(optimize_widths(p), Catch::Contains("price of layer 1"));
  p = reciprocal({1, 4}, 10);
  p.floors = {1, 3};
  p.caps = {2, 2};
  CHECK_THROWS_WITH(optimize_widths(p), Catch::Contains("layer 1") && Catch::Contains("floor 3"));
  p = reciprocal({1, 4}, 0);
  CHECK_THROWS_WITH(optimize_widths(p), Catch::Contains("budget"));
  p = reciprocal({1, 4}, 10);
  p.caps = {5};
  CHECK_THROWS_WITH(optimize_widths(p), Catch::Contains("expected 2 caps"));
}
