#include <tailor/study/bca.hpp>  // what is tested

#include "support/catch.hpp"

#include <cmath>
#include <random>
#include <vector>

using namespace tailor;

namespace {

std::vector<SeedValue> normal_sample(int n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(1, 0.5);
  std::vector<SeedValue> values(n);
  for (auto& each : values) each.value = normal(random);
  return values;
}

}  // namespace

TEST_CASE("the bootstrap begins at ten pairs and needs a spread", "[study]") {
  CHECK_FALSE(bca_interval(normal_sample(9, 1)));
  CHECK(bca_interval(normal_sample(10, 1)));
  CHECK_FALSE(bca_interval(std::vector<SeedValue>(12, {0, 0.25})));
}

TEST_CASE("the same seed gives the same interval, and another seed nearly the same", "[study]") {
  auto const values = normal_sample(14, 2);
  auto const first = *bca_interval(values), again = *bca_interval(values);
  auto const other = *bca_interval(values, {.seed = 2});
  CHECK(first.low == again.low);
  CHECK(first.high == again.high);
  CHECK(first.low != other.low);
  CHECK(first.low == Approx(other.low).margin(0.02));
}

TEST_CASE("on many normal differences the bootstrap agrees with the t interval", "[study]") {
  auto const values = normal_sample(60, 3);
  auto const bootstrap = *bca_interval(values), t = *t_interval(spread_of(values), 0.05);
  double const width = t.high - t.low;
  CHECK(bootstrap.low == Approx(t.low).margin(0.07 * width));
  CHECK(bootstrap.high == Approx(t.high).margin(0.07 * width));
}

TEST_CASE("a mirrored sample gives the mirrored interval, a skewed one leans to its tail",
          "[study]") {
  std::mt19937_64 random(4);
  std::exponential_distribution<double> skewed(1);
  std::vector<SeedValue> values(30), mirrored(30);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i].value = skewed(random);
    mirrored[i].value = -values[i].value;
  }
  auto const right = *bca_interval(values), left = *bca_interval(mirrored);
  CHECK(right.low == Approx(-left.high).margin(0.03));
  CHECK(right.high == Approx(-left.low).margin(0.03));
  double const mean = spread_of(values).mean;
  CHECK(right.high - mean > 1.1 * (mean - right.low));
}

TEST_CASE("the BCa interval of twelve pairs covers nearly what it promises", "[study]") {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal(0, 1);
  int covered = 0;
  int const trials = 1000;
  std::vector<SeedValue> values(12);
  for (int trial = 0; trial < trials; ++trial) {
    for (auto& each : values) each.value = normal(random);
    auto const interval = *bca_interval(values, {.resamples = 999});
    covered += interval.low <= 0 && 0 <= interval.high;
  }
  CHECK(double(covered) / trials > 0.89);
  CHECK(double(covered) / trials < 0.97);
}
