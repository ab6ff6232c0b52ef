#include <tailor/device/square_root.hpp>

#include "support/catch.hpp"

#include <cmath>

using namespace tailor;

TEST_CASE("square_root is within 3e-7 of the square root in float", "[device]") {
  double largest = 0;
  for (float x = 1e-37f; x < 1e38f; x *= 1.0003f) {
    double const truth = std::sqrt(double(x));
    largest = std::max(largest, std::abs(square_root(x) - truth) / truth);
  }
  CHECK(largest < 3e-7);
  CHECK(largest > 0);
}

TEST_CASE("square_root is 0 at 0 and finite everywhere", "[device]") {
  CHECK(square_root(0.0f) == 0);
  CHECK(square_root(INFINITY) == Approx(std::sqrt(3e38)));
  CHECK(square_root(2.0) == std::sqrt(2.0));
}
