#include <tailor/geometry/correlation_dimension.hpp>  // what is tested

#include <support/catch.hpp>      // Catch2
#include <support/clouds.hpp>     // cube_cloud, sphere_cloud
#include <support/euclidean.hpp>  // euclidean

#include <cmath>
#include <vector>

namespace {

using namespace tailor;

}  // namespace

TEST_CASE("the correlation dimension of points on a line is known", "[geometry]") {
  // 0 ... 4 with radii 1 and 2: second neighbours are 2, 1, 1, 1, 2 away, third ones 3, 2, 2, 2, 3.
  // Of the 20 ordered pairs 8 are within 1 and 14 within 2.
  auto const result =
      correlation_dimension(euclidean({0, 1, 2, 3, 4}, 5), {.inner = 2, .outer = 3});
  CHECK(result.value == Approx(std::log(14.0 / 8) / std::log(2.0)).epsilon(1e-12));
  CHECK(result.outcome.n_used == 5);
  // Of four points the medians are means of two: 1.5 and 2.5, with 6 and 10 of 12 pairs within.
  CHECK(correlation_dimension(euclidean({0, 1, 2, 3}, 4)).value ==
        Approx(std::log(10.0 / 6) / std::log(2.5 / 1.5)).epsilon(1e-12));
}

TEST_CASE("the correlation dimension is unchanged by scaling the distances", "[geometry]") {
  auto const x = cube_cloud(60, 3, 5);
  auto scaled = x;
  for (double& value : scaled) value *= 0x1p-40;
  CHECK(correlation_dimension(euclidean(scaled, 60)).value ==
        Approx(correlation_dimension(euclidean(x, 60)).value).epsilon(1e-13));
}

TEST_CASE("the correlation dimension finds the dimension of spheres", "[geometry]") {
  for (int const dimension : {1, 2, 4}) {
    auto const d = euclidean(sphere_cloud(1000, dimension, 7), 1000);
    CHECK(correlation_dimension(d).value == Approx(dimension).epsilon(0.1));
  }
}

TEST_CASE("a cloud too small, of duplicates or of ties has no correlation dimension",
          "[geometry]") {
  CHECK(correlation_dimension(euclidean({0, 1}, 2)).outcome.reason == "fewer than 3 tokens");
  CHECK(
      correlation_dimension(euclidean({0, 0, 4, 4}, 4), {.inner = 1, .outer = 2}).outcome.reason ==
      "every token has a duplicate");
  std::vector<double> const triangle{0, 0, 1, 1, 0, 0, 0, 1, 0};
  auto const ties = correlation_dimension(euclidean(triangle, 3), {.inner = 1, .outer = 2});
  CHECK(ties.outcome.status == Status::undefined);
  CHECK(ties.outcome.reason == "the range of radii has no width");
  CHECK_THROWS_AS(correlation_dimension(DenseDistances(5), {.inner = 3, .outer = 3}),
                  std::invalid_argument);
  CHECK_THROWS_AS(correlation_dimension(DenseDistances(5), {.inner = 0, .outer = 3}),
                  std::invalid_argument);
}

TEST_CASE("tokens with a duplicate count as second of a pair only", "[geometry]") {
  // Used are 1, 3 and 7, with radii 1 to 3 neighbours: medians 2 (of 1, 2, 4) and 3 (of 1, 3, 6).
  auto const result =
      correlation_dimension(euclidean({0, 0, 1, 3, 7}, 5), {.inner = 1, .outer = 2});
  // Within 2: three of token 1, one of token 3. Within 3: three of each.
  CHECK(result.value == Approx(std::log(6.0 / 4) / std::log(1.5)).epsilon(1e-12));
  CHECK(result.outcome.n_used == 3);
  CHECK(result.outcome.n_undefined == 2);
}
