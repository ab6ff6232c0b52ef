#include <tailor/allocation/smoothing.hpp>  // what is tested

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace tailor;

TEST_CASE("sigma 0 changes nothing, and it is the default below 8 layers", "[allocation]") {
  std::vector<double> const profile{3, 1, 4, 1, 5, 9, 2};
  CHECK(default_smoothing(7) == 0);
  CHECK(default_smoothing(8) == 0.5);
  CHECK(smooth(profile, default_smoothing(7)) == profile);
}

TEST_CASE("a constant profile stays constant, at the ends too", "[allocation]") {
  double const sigma = GENERATE(0.1, 0.5, 2.0, 1e6);
  for (double value : smooth(std::vector<double>(12, 7.25), sigma))
    CHECK(value == Approx(7.25).epsilon(1e-14));
}

TEST_CASE("a mirrored profile gives the mirrored result between its smallest and largest value",
          "[allocation]") {
  std::vector<double> profile{3, 1, 4, 1, 5, 9, 2, 6, 5};
  auto const forward = smooth(profile, 0.5);
  std::reverse(profile.begin(), profile.end());
  auto backward = smooth(profile, 0.5);
  std::reverse(backward.begin(), backward.end());
  for (std::size_t l = 0; l < forward.size(); ++l) {
    CHECK(forward[l] == Approx(backward[l]).epsilon(1e-14));
    CHECK((forward[l] > 1 && forward[l] < 9));
  }
}

TEST_CASE(
    "an inner layer is the Gaussian average of its neighbours, an end layer of the one side it has",
    "[allocation]") {
  double const near = std::exp(-2.0), far = std::exp(-8.0);  // sigma 1/2: exp(-k^2 / 2 / 0.25)
  auto const result = smooth(std::vector<double>{1, 0, 0}, 0.5);
  CHECK(result[0] == Approx(1 / (1 + near + far)).epsilon(1e-14));
  CHECK(result[1] == Approx(near / (1 + 2 * near)).epsilon(1e-14));
}

TEST_CASE("an undefined value is an error that names its layer, not a hole that spreads",
          "[allocation]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(smooth(std::vector<double>{1, 2, nan, 4}, 0.5),
                    Catch::Contains("layer 2") && Catch::Contains("nan"));
  CHECK_THROWS_AS(smooth(std::vector<double>{1, 2}, -1), std::invalid_argument);
  CHECK_THROWS_AS(smooth(std::vector<double>{1, 2}, nan), std::invalid_argument);
}
