#include <tailor/study/stability.hpp>  // what is tested

#include <tailor/arch/plan_of.hpp>  // tailor::uniform_plan

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using namespace tailor;

/// Every statistic of layer l is 1 + l, times e^(noise) anew in every sample; dimension 4.
SampledProfile noisy(int layers, int samples, double noise, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Profile frame;
  frame.layers.resize(std::size_t(layers));
  SampledProfile sampled(frame);
  sampled.resize(samples);
  for (int l = 0; l < layers; ++l) {
    for (int s = 0; s < samples; ++s) {
      Work& work = sampled.at(l, s);
      double const value = (1 + l) * std::exp(noise * normal(engine));
      for (WorkValue& each : work.statistics) each.value = value;
      work.dimension.value = 4;
    }
  }
  return sampled;
}

Plan plan(int layers) {
  return uniform_plan({.d_model = 64, .layers = layers, .heads = 2, .vocab = 64, .context = 32},
                      256);
}

StatisticName const shift_raw = parse_statistic("shift/raw");
StatisticName const angle = parse_statistic("shift/spherical");

}  // namespace

TEST_CASE("the jackknife of a mean is its standard error s / sqrt(k)", "[study]") {
  std::vector<double> const x{3, 1, 4, 1, 5, 9};
  std::vector<std::vector<double>> without(x.size(), std::vector<double>{0, 7});
  for (std::size_t s = 0; s < x.size(); ++s) {
    for (std::size_t i = 0; i < x.size(); ++i) without[s][0] += i == s ? 0 : x[i] / 5;
  }
  auto const errors = jackknife_errors(without);
  CHECK(errors[0] == Approx(estimate(x).standard_error.value()));
  CHECK(errors[1] == Approx(0).margin(1e-12));
}

TEST_CASE("samples that agree give widths without an error", "[study]") {
  for (double const error : width_errors(noisy(6, 4, 0, 1), plan(6), {})) CHECK(error == 0);
}

TEST_CASE("the standard errors are the spread of widths between experiments", "[study]") {
  int const layers = 6;
  int const experiments = 300;
  AllocationOptions const options{.statistic = "shift/raw"};
  std::vector<double> sums(layers, 0.0), squares(layers, 0.0), variances(layers, 0.0);
  for (int e = 0; e < experiments; ++e) {
    SampledProfile const sampled = noisy(layers, 10, 0.2, unsigned(e));
    auto const allocation = allocate(sampled.mean(), plan(layers), options);
    auto const errors = width_errors(sampled, plan(layers), options);
    for (std::size_t l = 0; l < std::size_t(layers); ++l) {
      double const width = allocation.continuous[l] / allocation.grain;
      sums[l] += width / experiments;
      squares[l] += width * width / experiments;
      variances[l] += errors[l] * errors[l] / experiments;
    }
  }
  for (std::size_t l = 0; l < std::size_t(layers); ++l) {
    CHECK(variances[l] > 0);
    CHECK(std::sqrt(variances[l]) ==
          Approx(std::sqrt(squares[l] - sums[l] * sums[l])).epsilon(0.15));
  }
}

TEST_CASE("a profile is reliable where the least of its statistics is", "[study]") {
  SampledProfile sampled = noisy(20, 4, 0.1, 3);
  Stability const good = until_reliable(0.9)(sampled);
  CHECK(good.criterion == "reliability");
  CHECK(good.wanted == 0.9);
  CHECK(good.stable);
  CHECK(good.reached.value() == sampled.mean().reliability[0].value());

  std::mt19937_64 engine(1);
  for (int l = 0; l < 20; ++l) {
    for (int s = 0; s < 4; ++s) sampled.at(l, s).statistics[angle.index()].value = double(engine());
  }
  Stability const bad = until_reliable(0.9)(sampled);
  CHECK_FALSE(bad.stable);
  CHECK(bad.reached.value() < 0.9);
  CHECK(until_reliable(0.9, {shift_raw})(sampled).stable);
}

TEST_CASE("where a reliability is undefined nothing is reached, and the reason is said",
          "[study]") {
  Stability const one = until_reliable(0.9)(noisy(20, 1, 0.1, 3));
  CHECK_FALSE(one.stable);
  CHECK_FALSE(one.reached);
  CHECK(one.reason == "the reliability of shift/raw is undefined over 20 layers and 1 samples");
  CHECK_THROWS_AS(until_reliable(1), std::invalid_argument);
  CHECK_THROWS_AS(until_reliable(0.9, {}), std::invalid_argument);
}

TEST_CASE("widths settle where their largest standard error is under a grain", "[study]") {
  auto const rule = until_widths_settle(plan(6), {shift_raw});
  SampledProfile const quiet = noisy(6, 10, 0.01, 1);
  Stability const settled = rule(quiet);
  CHECK(settled.criterion == "width-error");
  CHECK(settled.wanted == 1);
  CHECK(settled.stable);
  auto const errors = width_errors(quiet, plan(6), {.statistic = "shift/raw"});
  CHECK(settled.reached.value() == *std::max_element(errors.begin(), errors.end()));
  Stability const loud = rule(noisy(6, 10, 0.6, 1));
  CHECK_FALSE(loud.stable);
  CHECK(loud.reached.value() > 1);
  CHECK(rule(noisy(6, 400, 0.6, 1)).reached.value() < loud.reached.value());
}

TEST_CASE("a statistic that gives no widths is no error but a reason", "[study]") {
  SampledProfile sampled = noisy(6, 4, 0.01, 1);
  for (int s = 0; s < 4; ++s) {
    sampled.at(3, s).statistics[angle.index()].outcome.status = Status::undefined;
  }
  Stability const result = until_widths_settle(plan(6), every_statistic())(sampled);
  CHECK_FALSE(result.stable);
  CHECK_FALSE(result.reached);
  CHECK(contains(result.reason, "shift/spherical: the statistic shift/spherical is undefined"));
  Stability const single = until_widths_settle(plan(6), {shift_raw})(noisy(6, 1, 0, 1));
  CHECK(contains(single.reason, "one sample says nothing"));
}

TEST_CASE("below twelve layers widths are judged, from twelve on the order of layers", "[study]") {
  CHECK(until_stable(0.95, plan(11))(noisy(11, 3, 0.1, 1)).criterion == "width-error");
  Stability const order = until_stable(0.9, plan(12))(noisy(12, 3, 0.1, 1));
  CHECK(order.criterion == "reliability");
  CHECK(order.wanted == 0.9);
  CHECK_THROWS_AS(until_stable(2, plan(4)), std::invalid_argument);
}
