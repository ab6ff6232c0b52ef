#include <tailor/study/paired.hpp>  // what is tested

#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace tailor;

namespace {

std::vector<SeedValue> numbered(std::vector<double> const& values) {
  std::vector<SeedValue> result;
  for (double value : values) result.push_back({result.size() + 1, value});
  return result;
}

}  // namespace

TEST_CASE("differences pair by seed, whatever the order, and name what has no partner", "[study]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<SeedValue> const rule{{3, 1.5}, {1, 2}, {7, 1}, {4, nan}};
  std::vector<SeedValue> const reference{{1, 2.5}, {4, 1}, {3, 1}, {9, 4}};
  auto const found = paired_differences(rule, reference);
  CHECK(found.pairs == std::vector<SeedValue>{{1, -0.5}, {3, 0.5}});
  CHECK(found.unpaired == std::vector<std::uint64_t>{7, 9});
  CHECK(found.undefined == std::vector<std::uint64_t>{4});
}

TEST_CASE("swapping the sides changes the sign of every difference", "[study]") {
  std::vector<SeedValue> const rule{{3, 1.5}, {1, 2}}, reference{{1, 2.5}, {3, 1}};
  CHECK(paired_differences(rule, reference).pairs == std::vector<SeedValue>{{1, -0.5}, {3, 0.5}});
  auto const swapped = paired_differences(reference, rule);
  CHECK(swapped.pairs == std::vector<SeedValue>{{1, 0.5}, {3, -0.5}});
}

TEST_CASE("a seed that comes twice is an error that names it", "[study]") {
  std::vector<SeedValue> const reference{{1, 2.5}};
  CHECK_THROWS_WITH(paired_differences(std::vector<SeedValue>{{1, 2}, {1, 3}}, reference),
                    Catch::Contains("seed 1 twice"));
}

TEST_CASE("the t interval of five differences is the one worked out by hand", "[study]") {
  auto const spread = spread_of(numbered({1, 2, 3, 4, 5}));
  CHECK(spread.mean == 3);
  CHECK(*spread.sd == Approx(std::sqrt(2.5)));
  double const half = 2.7764451052 * std::sqrt(0.5);  // t(0.975; 4) sd / sqrt(5)
  auto const interval = *t_interval(spread, 0.05);
  CHECK(interval.low == Approx(3 - half).epsilon(1e-9));
  CHECK(interval.high == Approx(3 + half).epsilon(1e-9));
  CHECK(*t_test_p(spread) == Approx(0.0132355).epsilon(1e-4));  // t = 4.2426 with 4 degrees
}

TEST_CASE("the interval excludes zero exactly where the p value is below its level", "[study]") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0.8, 1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> values(6);
    for (double& value : values) value = normal(random);
    auto const spread = spread_of(numbered(values));
    auto const interval = *t_interval(spread, 0.05);
    CHECK((interval.low > 0 || interval.high < 0) == (*t_test_p(spread) < 0.05));
    CHECK(*smallest_detectable(spread, 0.05) > (interval.high - interval.low) / 2);
  }
}

TEST_CASE("the t interval of five pairs covers the true mean in 95 % of experiments", "[study]") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0.02, 0.5);
  int covered = 0;
  int const trials = 20000;
  std::vector<SeedValue> values(5);
  for (int trial = 0; trial < trials; ++trial) {
    for (auto& each : values) each.value = normal(random);
    auto const interval = *t_interval(spread_of(values), 0.05);
    covered += interval.low <= 0.02 && 0.02 <= interval.high;
  }
  CHECK(double(covered) / trials == Approx(0.95).margin(0.006));  // standard error 0.0015
}

TEST_CASE("without two pairs or without a spread there is no interval", "[study]") {
  CHECK_FALSE(t_interval(spread_of(numbered({})), 0.05));
  CHECK_FALSE(t_interval(spread_of(numbered({0.1})), 0.05));
  auto const equal = spread_of(numbered({0.1, 0.1, 0.1, 0.1, 0.1, 0.1}));
  CHECK(equal.mean == 0.1);
  CHECK(equal.sd == 0.0);
  CHECK_FALSE(t_interval(equal, 0.05));
  CHECK_FALSE(t_test_p(equal));
  CHECK_FALSE(smallest_detectable(equal, 0.05));
}

TEST_CASE("more pairs of the same spread detect smaller differences", "[study]") {
  double previous = std::numeric_limits<double>::infinity();
  for (int n : {2, 3, 5, 6, 10, 30}) {
    double const now = *smallest_detectable({.pairs = n, .mean = 0, .sd = 1}, 0.05);
    CHECK(now < previous);
    previous = now;
  }
}
