#include <tailor/allocation/surrogate.hpp>  // what is tested

#include "support/catch.hpp"

#include <limits>
#include <vector>

using namespace tailor;

TEST_CASE("the exponent is 2 over the intrinsic dimension within [0.1, 2]", "[allocation]") {
  CHECK(exponent_from_dimension(4) == 0.5);
  CHECK(exponent_from_dimension(0.5) == 2);
  CHECK(exponent_from_dimension(400) == 0.1);
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(exponent_from_dimension(bad), std::invalid_argument);
}

TEST_CASE("the common exponent is the median over layers", "[allocation]") {
  CHECK(common_exponent({0.4, 2, 0.1}) == std::vector<double>{0.4, 0.4, 0.4});
  CHECK(common_exponent({0.5, 2, 0.1, 1}) == std::vector<double>(4, 0.75));
  CHECK(common_exponent({}).empty());
}

TEST_CASE("at the reference widths the surrogate is the sum of the difficulties", "[allocation]") {
  Surrogate const s{
      .difficulty = {1, 2, 3}, .exponents = {0.1, 1, 2}, .reference_widths = {8, 16, 24}};
  CHECK(surrogate_error(s, s.reference_widths) == Approx(6).epsilon(1e-14));
  auto weighted = s;
  weighted.sensitivity = {2, 1, 0.5};
  weighted.power = 2;
  CHECK(surrogate_error(weighted, s.reference_widths) == Approx(2 + 4 + 4.5).epsilon(1e-14));
}

TEST_CASE("a zero, negative or undefined difficulty is an error that names the layer",
          "[allocation]") {
  double const inf = std::numeric_limits<double>::infinity();
  for (double bad : {0.0, -2.0, inf, std::numeric_limits<double>::quiet_NaN()}) {
    Surrogate const s{.difficulty = {1, bad}, .exponents = {1, 1}, .reference_widths = {8, 8}};
    CHECK_THROWS_WITH(require_valid(s), Catch::Contains("difficulty of layer 1"));
  }
  CHECK_THROWS_WITH(
      require_valid(Surrogate{.difficulty = {1, 1}, .exponents = {1}, .reference_widths = {8, 8}}),
      Catch::Contains("expected 2 values of exponent") && Catch::Contains("got 1"));
  CHECK_THROWS_AS(require_valid(Surrogate{}), std::invalid_argument);
}
