#include <tailor/geometry/levina_bickel.hpp>  // what is tested

#include <support/catch.hpp>      // Catch2
#include <support/clouds.hpp>     // cube_cloud, sphere_cloud
#include <support/euclidean.hpp>  // euclidean

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace tailor;

/// By the letter of the paper, from a full sort.
double by_definition(Distances const& d, int k, DimensionAverage average) {
  double inverses = 0;
  double estimates = 0;
  for (int i = 0; i < d.size(); ++i) {
    std::vector<double> row;
    for (int j = 0; j < d.size(); ++j) {
      if (j != i) row.push_back(d(i, j));
    }
    std::sort(row.begin(), row.end());
    double sum = 0;
    for (int j = 0; j + 1 < k; ++j) sum += std::log(row[std::size_t(k - 1)] / row[std::size_t(j)]);
    inverses += sum / (k - 1) / d.size();
    estimates += (k - 1) / sum / d.size();
  }
  return average == DimensionAverage::levina_bickel ? estimates : 1 / inverses;
}

}  // namespace

TEST_CASE("the maximum likelihood of four points on a line is known", "[geometry]") {
  auto const line = euclidean({0, 1, 2, 3}, 4);
  // The ends see 1, 2, 3: ln 3 + ln 3/2. The others see 1, 1, 2: 2 ln 2. All: 2 ln 18 for 4 x 2.
  CHECK(levina_bickel(line, {.neighbours = 3}).value == Approx(4 / std::log(18.0)).epsilon(1e-12));
  auto const mean =
      levina_bickel(line, {.neighbours = 3, .average = DimensionAverage::levina_bickel});
  CHECK(mean.value == Approx(1 / std::log(4.5) + 1 / std::log(4.0)).epsilon(1e-12));
  CHECK(mean.outcome.n_used == 4);
  CHECK(levina_bickel(line).value == levina_bickel(line, {.neighbours = 3}).value);
}

TEST_CASE("with two neighbours the maximum likelihood is that of TwoNN", "[geometry]") {
  auto const d = euclidean(cube_cloud(80, 3, 1), 80);
  CHECK(levina_bickel(d, {.neighbours = 2}).value == Approx(two_nn_mle(d).value).epsilon(1e-13));
}

TEST_CASE("both averages are those of the definition", "[geometry]") {
  auto const d = euclidean(cube_cloud(60, 2, 4), 60);
  for (auto const average :
       {DimensionAverage::mackay_ghahramani, DimensionAverage::levina_bickel}) {
    CHECK(levina_bickel(d, {.neighbours = 7, .average = average}).value ==
          Approx(by_definition(d, 7, average)).epsilon(1e-12));
  }
}

TEST_CASE("the maximum likelihood is unchanged by scaling the distances", "[geometry]") {
  auto const x = cube_cloud(60, 3, 5);
  auto scaled = x;
  for (double& value : scaled) value *= 0x1p-40;
  CHECK(levina_bickel(euclidean(scaled, 60)).value == levina_bickel(euclidean(x, 60)).value);
}

TEST_CASE("the maximum likelihood finds the dimension of spheres", "[geometry]") {
  for (int const dimension : {1, 2, 4}) {
    auto const d = euclidean(sphere_cloud(1000, dimension, 7), 1000);
    CHECK(levina_bickel(d).value == Approx(dimension).epsilon(0.06));
  }
}

TEST_CASE("a cloud too small, of duplicates or of ties has no maximum likelihood", "[geometry]") {
  CHECK(levina_bickel(euclidean({0, 1}, 2)).outcome.reason == "fewer than 3 tokens");
  CHECK(levina_bickel(euclidean({0, 0, 4, 4}, 4), {.neighbours = 2}).outcome.reason ==
        "every token has a duplicate");
  std::vector<double> const triangle{0, 0, 1, 1, 0, 0, 0, 1, 0};
  auto const ties = levina_bickel(euclidean(triangle, 3), {.neighbours = 2});
  CHECK(ties.outcome.status == Status::undefined);
  CHECK(ties.outcome.reason == "all neighbours of a token are at one distance");
  CHECK_THROWS_AS(levina_bickel(DenseDistances(5), {.neighbours = 1}), std::invalid_argument);
}

TEST_CASE("the maximum likelihood leaves out tokens with a duplicate and counts them",
          "[geometry]") {
  // Of 1, 3 and 7 the nearest two are (1, 1), (2, 3) and (4, 6) away: 1, 3/2 and 3/2.
  auto const result = levina_bickel(euclidean({0, 0, 1, 3, 7}, 5), {.neighbours = 2});
  CHECK(result.value == Approx(3 / (2 * std::log(1.5))).epsilon(1e-12));
  CHECK(result.outcome.n_used == 3);
  CHECK(result.outcome.reason == "2 tokens have a duplicate");
}
