#include <tailor/geometry/metric.hpp>  // what is tested
#include <tailor/geometry/shift.hpp>   // tailor::distance_between

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace {

using tailor::distance_between;
using tailor::Euclidean;
using tailor::Hyperbolic;
using tailor::Poincare;
using tailor::Spherical;
using Point = std::vector<double>;
constexpr double pi = std::numbers::pi;

template <class M>
double between(M const& metric, Point const& x, Point const& y) {
  return distance_between(metric, std::span(x), std::span(y)).value();
}

Approx exactly(double value) {
  return Approx(value).epsilon(1e-14).margin(0);
}

}  // namespace

TEST_CASE("angles are those of the directions, whatever the lengths", "[geometry]") {
  CHECK(between(Spherical{}, {3, 0, 0}, {-7, 0, 0}) == pi);
  CHECK(between(Spherical{}, {1, 0}, {0, 5}) == exactly(pi / 2));
  CHECK(between(Spherical{}, {2, 0}, {5, 0}) == 0);
  CHECK(between(Spherical{}, {1e130, 0}, {1e-140, 1e-140}) == exactly(pi / 4));
}

TEST_CASE("the angle is exactly zero on equal directions", "[geometry]") {
  Point const x{1, 2, 3, -7, 1e-5, 0};
  for (double const factor : {2.0, 3.0, 7.0, 1000.0}) {
    Point y;
    for (double const value : {1.0, 2.0, 3.0, -7.0, 0.0, 11.0}) y.push_back(value * factor);
    CHECK(between(Spherical{}, {1, 2, 3, -7, 0, 11}, y) == 0);
    CHECK(between(Spherical{}, y, {1, 2, 3, -7, 0, 11}) == 0);
    CHECK(between(Hyperbolic{}, {1, 2, 3, -7, 0, 11}, y) == 0);
  }
  CHECK(between(Spherical{}, x, x) == 0);
}

TEST_CASE("small angles are right to 1e-13 of themselves", "[geometry]") {
  // With b across a and as long, y = 3 a + t b is at the angle atan(t / 3), and all is exact.
  Point const a{3, -7, 11, 2, 5, 1};
  Point const b{7, 3, -2, 11, -1, 5};
  for (int const power : {-4, -10, -20, -30, -45}) {
    double const t = std::ldexp(1.0, power);
    Point y;
    Point opposite;
    for (std::size_t i = 0; i < a.size(); ++i) {
      y.push_back(3 * a[i] + t * b[i]);
      opposite.push_back(-y.back());
    }
    double const angle = std::atan(t / 3);
    CHECK(between(Spherical{}, a, y) == Approx(angle).epsilon(1e-13).margin(0));
    CHECK(between(Spherical{}, y, a) == Approx(angle).epsilon(1e-13).margin(0));
    CHECK(between(Spherical{}, a, opposite) == exactly(pi - angle));
    CHECK(between(Hyperbolic{}, a, y) ==
          Approx(2 * std::asinh(0.5 * 2 * std::sin(angle / 2) / 0.75)).epsilon(1e-13).margin(0));
  }
  CHECK(between(Spherical{}, {1, 0}, {1, 1e-9}) == exactly(1e-9));
}

TEST_CASE("Poincare distances are those of the ball of curvature -1", "[geometry]") {
  CHECK(between(Poincare{}, {0, 0}, {.5, 0}) == exactly(std::log(3.0)));
  CHECK(between(Poincare{}, {.5, 0}, {-.5, 0}) == exactly(2 * std::log(3.0)));
  CHECK(between(Poincare{}, {.5, 0}, {0, .5}) == exactly(1.6806997724280035));
  CHECK(between(Poincare{}, {.3, .4}, {.3, .4}) == 0);
}

TEST_CASE("curvature -c scales the ball and the distance by 1 / sqrt(c)", "[geometry]") {
  Poincare const half{.curvature = 4};
  CHECK(between(half, {.25, 0}, {0, .25}) == exactly(between(Poincare{}, {.5, 0}, {0, .5}) / 2));
}

TEST_CASE("a point on or outside the sphere is an error that names the token", "[geometry]") {
  for (double const x : {1.0, 1.5, 1e100}) {
    CHECK(contains(thrown_message<std::invalid_argument>([&] {
                     between(Poincare{}, {0, 0}, {x, 0});
                   }),
                   "Poincare: token 1 lies outside the ball"));
  }
  double const last = std::nextafter(1.0, 0.0);
  CHECK(std::isfinite(between(Poincare{}, {last, 0}, {-last, 0})));
  CHECK_THROWS_AS(between(Poincare{.curvature = 0}, {0, 0}, {0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(between(Hyperbolic{.rho = 1}, {1, 0}, {0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(between(Hyperbolic{.curvature = -1}, {1, 0}, {0, 1}), std::invalid_argument);
}

TEST_CASE("the ball at a fixed radius is the Poincare ball after the map rho / sqrt(c) x / |x|",
          "[geometry]") {
  for (double const rho : {.2, .5, .9}) {
    for (double const c : {.5, 1.0, 3.0}) {
      double const r = rho / std::sqrt(c);
      Point const x{3, 4};
      Point const y{-5, 12};
      Point const p{r * 3 / 5, r * 4 / 5};
      Point const q{-r * 5 / 13, r * 12 / 13};
      double const distance = between(Hyperbolic{.rho = rho, .curvature = c}, x, y);
      CHECK(distance == Approx(between(Poincare{.curvature = c}, p, q)).epsilon(1e-13));
      CHECK(Hyperbolic{.rho = rho, .curvature = c}.at_angle(between(Spherical{}, x, y)) ==
            Approx(distance).epsilon(1e-13));
    }
  }
}

TEST_CASE("a metric of directions has no distance to the zero vector, and none one to NaN",
          "[geometry]") {
  Point const zero{0, 0};
  Point const x{1, 0};
  Point const nan{std::numeric_limits<double>::quiet_NaN(), 0};
  CHECK_FALSE(
      distance_between(Spherical{}, std::span<double const>(zero), std::span<double const>(x)));
  CHECK_FALSE(
      distance_between(Hyperbolic{}, std::span<double const>(x), std::span<double const>(zero)));
  CHECK_FALSE(
      distance_between(Euclidean{}, std::span<double const>(x), std::span<double const>(nan)));
  CHECK(between(Euclidean{}, zero, {3, 4}) == 5);
}
