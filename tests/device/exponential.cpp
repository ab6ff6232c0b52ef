#include <tailor/device/exponential.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"

using namespace tailor;

namespace {

/// The largest relative error of `ours` against `theirs` over evenly spaced floats.
template <class Ours, class Theirs>
double largest_error(float first, float last, Ours ours, Theirs theirs) {
  double largest = 0;
  constexpr int steps = 400000;
  for (int i = 0; i <= steps; ++i) {
    float const x = first + (last - first) * (static_cast<float>(i) / steps);
    double const truth = theirs(double(x));
    largest = std::max(largest, std::abs(double(ours(x)) - truth) / std::abs(truth));
  }
  return largest;
}

}  // namespace

TEST_CASE("exponential is within 3e-7 of e^x in float", "[device]") {
  auto const theirs = [](double x) { return std::exp(x); };
  auto const ours = [](float x) { return exponential(x); };
  CHECK(largest_error(-87, 88, ours, theirs) < 3e-7);
  CHECK(largest_error(-1, 1, ours, theirs) < 3e-7);
  CHECK(exponential(0.0f) == 1.0f);
}

TEST_CASE("exponential saturates and keeps NaN", "[device]") {
  CHECK(exponential(-1e30f) == exponential(-87.0f));
  CHECK(exponential(-INFINITY) == exponential(-87.0f));
  CHECK(exponential(1e30f) == exponential(88.0f));
  CHECK(std::isfinite(exponential(INFINITY)));
  CHECK(exponential(-87.0f) > 0);
  CHECK(std::isnan(exponential(static_cast<float>(NAN))));
  CHECK(exponential(1.5) == std::exp(1.5));
}

TEST_CASE("exponential never falls", "[device]") {
  float before = 0;
  for (float x = -88; x < 89; x += 1.0f / 1024) {
    float const value = exponential(x);
    REQUIRE(value >= before);
    before = value;
  }
}

TEST_CASE("sigmoid and the hyperbolic tangent follow their formulas", "[device]") {
  CHECK(largest_error(
            -80, 80, [](float x) { return sigmoid(x); },
            [](double x) { return 1 / (1 + std::exp(-x)); }) < 1e-6);
  for (float x = -30; x < 30; x += 0.01f) {
    CHECK(std::abs(hyperbolic_tangent(x) - std::tanh(double(x))) < 2e-7);
    CHECK(std::abs(sigmoid(x) + sigmoid(-x) - 1) < 2e-7);
  }
  CHECK(hyperbolic_tangent(1e30f) == 1);
  CHECK(hyperbolic_tangent(-1e30f) == -1);
}
