#include <tailor/arch/elementary.hpp>  // under test

#include <cmath>
#include <numbers>

#include "support/catch.hpp"  // TEST_CASE, CHECK

TEST_CASE("cos_pi agrees with the cosine and is exact at its landmarks", "[arch]") {
  STATIC_REQUIRE(tailor::cos_pi(0) == 1);
  STATIC_REQUIRE(tailor::cos_pi(.5) == 0);
  STATIC_REQUIRE(tailor::cos_pi(1) == -1);
  for (int i = 0; i <= 1000; ++i) {
    double const t = i / 1000.;
    CHECK(std::abs(tailor::cos_pi(t) - std::cos(std::numbers::pi * t)) < 1e-15);
  }
}

TEST_CASE("the exponential series agrees with the library's", "[arch]") {
  STATIC_REQUIRE(tailor::exp_series(0) == 1);
  for (int i = -200; i <= 200; ++i) {
    double const x = i / 10.;
    CHECK(std::abs(tailor::exp_series(x) / std::exp(x) - 1) < 2e-15);
  }
  CHECK(tailor::exp_series(-700) == Approx(std::exp(-700.)));
  CHECK(tailor::exp_series(700) == Approx(std::exp(700.)));
}
