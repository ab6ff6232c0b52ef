#include <tailor/geometry/dimension.hpp>  // what is tested

#include <support/catch.hpp>      // Catch2
#include <support/clouds.hpp>     // cube_cloud
#include <support/euclidean.hpp>  // euclidean

#include <cmath>
#include <numbers>
#include <vector>

namespace {

using namespace tailor;

}  // namespace

TEST_CASE("TwoNN by maximum likelihood counts ties as ratios of one", "[geometry]") {
  CHECK(two_nn_mle(euclidean({0, 1, 2, 3}, 4)).value ==
        Approx(4 / (2 * std::numbers::ln2)).epsilon(1e-12));
  auto const ten = two_nn_mle(euclidean({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 10));
  CHECK(ten.value == Approx(10 / (2 * std::numbers::ln2)).epsilon(1e-12));
  CHECK(ten.outcome.n_used == 10);
  CHECK(ten.outcome.n_undefined == 0);
}

TEST_CASE("TwoNN leaves out tokens with a duplicate and counts them", "[geometry]") {
  auto const result = two_nn_mle(euclidean({0, 0, 1, 3, 7}, 5));
  CHECK(result.outcome.n_used == 3);
  CHECK(result.outcome.n_undefined == 2);
  CHECK(result.outcome.reason == "2 tokens have a duplicate");
  // Of 1, 3 and 7 the nearest two are (0, 0), (1, 0) and (3, 1) away: 1/1, 3/2 and 6/4.
  CHECK(result.value == Approx(3 / (2 * std::log(1.5))).epsilon(1e-12));
}

TEST_CASE("identical tokens have no dimension and no participation ratio", "[geometry]") {
  std::vector<double> x;
  for (int i = 0; i < 8; ++i) x.insert(x.end(), {0.1, 0.2, 0.3});
  auto const d = euclidean(x, 8);
  for (auto const& result : {two_nn_mle(d), two_nn_fit(d)}) {
    CHECK(result.outcome.status == Status::undefined);
    CHECK(result.outcome.n_undefined == 8);
    CHECK(result.outcome.reason == "every token has a duplicate");
  }
  CHECK(participation_ratio(d).outcome.status == Status::undefined);
  CHECK(participation_ratio(d).outcome.reason == "all tokens coincide");
}

TEST_CASE("where all ratios are one or there are fewer than three tokens TwoNN is undefined",
          "[geometry]") {
  auto const square = euclidean({0, 0, 0, 1, 1, 0, 1, 1}, 4);
  for (auto const& result : {two_nn_mle(square), two_nn_fit(square)}) {
    CHECK(result.outcome.status == Status::undefined);
    CHECK(result.outcome.reason == "every token has its two nearest neighbours at one distance");
  }
  CHECK(two_nn_mle(euclidean({0, 1}, 2)).outcome.reason == "fewer than 3 tokens");
  CHECK(two_nn_fit(DenseDistances(0)).outcome.status == Status::undefined);
  CHECK(participation_ratio(DenseDistances(1)).outcome.status == Status::undefined);
  CHECK(participation_ratio(euclidean({0, 1e130, 3e130}, 3)).outcome.status == Status::ok);
  struct Far {
    int size() const { return 3; }
    double operator()(int i, int j) const { return i == j ? 0 : 1e200; }
  };
  CHECK(participation_ratio(Far{}).outcome.reason == "squared distances are out of range");
}

TEST_CASE("both variants of TwoNN find the dimension of an evenly filled cube", "[geometry]") {
  for (int const dimension : {1, 2, 4}) {
    auto const d = euclidean(cube_cloud(1000, dimension, 3), 1000);
    CHECK(two_nn_mle(d).value == Approx(dimension).epsilon(0.12));
    CHECK(two_nn_fit(d).value == Approx(dimension).epsilon(0.12));
  }
}

TEST_CASE("the fit is exact on ratios that follow the law", "[geometry]") {
  // Token i of n has r1 = 1 and r2 = (1 - i / n)^(-1 / 3): a row of such a matrix for each token.
  struct Law {
    int n = 50;
    int size() const { return n; }
    double operator()(int i, int j) const {
      if (i == j) return 0;
      if (j == (i + 1) % n) return 1;
      return j == (i + 2) % n && i + 1 < n ? std::pow(1 - double(i + 1) / n, -1.0 / 3) : 1e9;
    }
  };
  CHECK(two_nn_fit(Law{}).value == Approx(3).epsilon(1e-12));
  CHECK(two_nn_fit(Law{}, {.kept = 1}).value == Approx(3).epsilon(1e-12));
  CHECK_THROWS_AS(two_nn_fit(Law{}, {.kept = 0}), std::invalid_argument);
}

TEST_CASE("both variants of TwoNN are unchanged by scaling the distances", "[geometry]") {
  auto const x = cube_cloud(60, 3, 5);
  auto scaled = x;
  for (double& value : scaled) value = 1e-7 * value + 3e-7;
  auto const d = euclidean(x, 60);
  auto const e = euclidean(scaled, 60);
  CHECK(two_nn_mle(e).value == Approx(two_nn_mle(d).value).epsilon(1e-7));
  CHECK(two_nn_fit(e).value == Approx(two_nn_fit(d).value).epsilon(1e-7));
}

TEST_CASE("the participation ratio is unchanged by rotating, shifting or scaling the cloud",
          "[geometry]") {
  auto x = cube_cloud(60, 3, 5);
  for (std::size_t i = 0; i < x.size(); i += 6) x[i] *= 5;
  double const ratio = participation_ratio(euclidean(x, 60)).value;
  CHECK(ratio > 1);
  for (std::size_t i = 0; i < x.size(); i += 6) {
    double const first = x[i];
    x[i] = 40 * (0.6 * first - 0.8 * x[i + 4]) + 7;
    x[i + 4] = 40 * (0.8 * first + 0.6 * x[i + 4]) - 3;
    for (std::size_t const j : {i + 1, i + 2, i + 3, i + 5}) x[j] *= 40;
  }
  CHECK(participation_ratio(euclidean(x, 60)).value == Approx(ratio).epsilon(1e-12));
}

TEST_CASE("the participation ratio counts equal eigenvalues", "[geometry]") {
  std::vector<double> hexagon(6 * 8, 0.0);
  for (std::size_t i = 0; i < 6; ++i) {
    hexagon[8 * i + 2] = std::cos(double(i) * std::numbers::pi / 3);
    hexagon[8 * i + 5] = std::sin(double(i) * std::numbers::pi / 3);
  }
  CHECK(participation_ratio(euclidean(hexagon, 6)).value == Approx(2).epsilon(1e-12));
  std::vector<double> basis(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) basis[7 * i] = 1;
  CHECK(participation_ratio(euclidean(basis, 6)).value == Approx(5).epsilon(1e-12));
  CHECK(participation_ratio(euclidean({0, 0, 3, 0, 0, 4, 3, 4}, 4)).value ==
        Approx(625.0 / 337).epsilon(1e-12));
}
