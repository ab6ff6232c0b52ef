#include <tailor/study/comparison.hpp>  // what is tested

#include "support/catch.hpp"

#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace tailor;

namespace {

std::vector<SeedValue> numbered(std::vector<double> const& values) {
  std::vector<SeedValue> result;
  for (double value : values) result.push_back({result.size() + 1, value});
  return result;
}

/// Losses of a rule whose differences from `reference` are these.
RuleLosses shifted(std::string name, std::vector<SeedValue> losses, std::vector<double> const& by) {
  losses.resize(by.size());
  for (std::size_t i = 0; i < by.size(); ++i) losses[i].value += by[i];
  return {std::move(name), std::move(losses)};
}

std::vector<SeedValue> const reference = numbered({2.5, 2.25, 3, 2.75, 2.5, 3.5});

}  // namespace

TEST_CASE(
    "Holm multiplies the smallest p by their number, the next by one less, and keeps the order",
    "[study]") {
  auto const adjusted = holm(std::vector<double>{0.04, 0.01, 0.03, 0.5});
  CHECK(adjusted[1] == Approx(0.04));
  CHECK(adjusted[2] == Approx(0.09));
  CHECK(adjusted[0] == Approx(0.09));  // 2 * 0.04, but not below its predecessor
  CHECK(adjusted[3] == Approx(0.5));
  CHECK(holm(std::vector<double>{0.9, 0.8}) == std::vector<double>{1, 1});
  CHECK(holm(std::vector<double>{}).empty());
}

TEST_CASE("no adjusted value is below its p value or above 1, and the order is kept", "[study]") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(0, 0.4);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> p(1 + trial % 9);
    for (double& each : p) each = uniform(random);
    auto const adjusted = holm(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      CHECK(adjusted[i] >= p[i]);
      CHECK(adjusted[i] <= 1);
      for (std::size_t j = 0; j < p.size(); ++j)
        if (p[i] < p[j]) CHECK(adjusted[i] <= adjusted[j]);
    }
  }
}

TEST_CASE("below five pairs the verdict is that they are too few", "[study]") {
  for (std::size_t seeds = 0; seeds < 5; ++seeds) {
    std::vector<RuleLosses> const rules{
        shifted("narrow", reference, std::vector<double>(seeds, -1.0))};
    auto const found = compare(rules, reference).front();
    CHECK(found.status == ComparisonStatus::too_few);
    CHECK_THAT(found.verdict, Catch::Contains("too few seeds for a verdict"));
    CHECK_FALSE(found.holm_p);
  }
}

TEST_CASE("a clear gain is told with its interval, a clear loss as well", "[study]") {
  std::vector<double> const by{-0.25, -0.26, -0.24, -0.25, -0.27, -0.23};
  std::vector<double> worse;
  for (double d : by) worse.push_back(-d);
  std::vector<RuleLosses> const rules{shifted("better", reference, by),
                                      shifted("worse", reference, worse)};
  auto const found = compare(rules, reference);
  CHECK(found[0].verdict ==
        "lower by 0.250 nats (95 % interval 0.232 to 0.268, simultaneous over 2 rules, 6 seeds)");
  CHECK(found[1].verdict ==
        "higher by 0.250 nats (95 % interval 0.232 to 0.268, simultaneous over 2 rules, 6 seeds)");
  CHECK(found[0].simultaneous->low < found[0].interval->low);
  CHECK(*found[0].holm_p > *found[0].p);
  CHECK(*found[0].sign_flip == 2.0 / 64);
  CHECK_FALSE(found[0].bootstrap);
}

TEST_CASE("where nothing is seen the verdict says what would have been", "[study]") {
  std::vector<RuleLosses> const rules{
      shifted("same", reference, {0.01, -0.02, 0.03, -0.01, 0.02, -0.04})};
  auto const found = compare(rules, reference).front();
  CHECK(found.verdict == "no difference seen; effects above 0.038 nats would have been (6 seeds)");
  CHECK(*found.smallest_detectable == Approx(0.038).margin(0.0005));
}

TEST_CASE("rules with too few seeds do not widen the intervals of the others", "[study]") {
  std::vector<double> const by{-0.25, -0.26, -0.24, -0.25, -0.27, -0.23};
  auto const full = shifted("full", reference, by);
  auto const few = shifted("few", reference, {-0.1, 0.1, 0.2});
  auto const alone = compare(std::vector<RuleLosses>{full}, reference)[0];
  auto const beside = compare(std::vector<RuleLosses>{full, few, few}, reference)[0];
  CHECK(alone.family == 1);
  CHECK(beside.family == 1);
  CHECK(alone.simultaneous->low == beside.simultaneous->low);
  CHECK(alone.simultaneous->low == alone.interval->low);
  CHECK_THAT(alone.verdict, !Catch::Contains("simultaneous"));
}

TEST_CASE("differences without a spread have no interval and say so", "[study]") {
  std::vector<RuleLosses> const rules{{"itself", reference},
                                      shifted("constant", reference, std::vector<double>(6, 0.25))};
  auto const found = compare(rules, reference);
  CHECK(found[0].status == ComparisonStatus::no_spread);
  CHECK(found[0].verdict == "no difference: all 6 seeds are equal");
  CHECK_THAT(found[1].verdict, Catch::Contains("all 6 seeds differ by the same 0.25 nats"));
  CHECK_FALSE(found[0].interval);
}

TEST_CASE("the simultaneous intervals hold together in a share 1 - alpha of experiments",
          "[study]") {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal(0, 1);
  int held = 0;
  int const trials = 4000;
  std::vector<SeedValue> values(6);
  for (int trial = 0; trial < trials; ++trial) {
    bool all = true;
    for (int rule = 0; rule < 4; ++rule) {
      for (auto& each : values) each.value = normal(random);
      auto const interval = *t_interval(spread_of(values), 0.05 / 4);
      all = all && interval.low <= 0 && 0 <= interval.high;
    }
    held += all;
  }
  CHECK(double(held) / trials == Approx(0.951).margin(0.012));  // standard error 0.0034
}

TEST_CASE("levels outside 0 < alpha < power < 1 are errors", "[study]") {
  std::vector<RuleLosses> const rules{{"itself", reference}};
  CHECK_THROWS_AS(compare(rules, reference, {.alpha = 0}), std::invalid_argument);
  CHECK_THROWS_AS(compare(rules, reference, {.alpha = 0.05, .power = 1}), std::invalid_argument);
}
