#include <tailor/geometry/reliability.hpp>  // what is tested

#include <support/catch.hpp>  // Catch2

#include <cmath>
#include <vector>

using namespace tailor;
using Values = std::vector<double>;

TEST_CASE("equal values share the mean of their ranks", "[geometry]") {
  CHECK(ranks(Values{30, 10, 20}) == Values{3, 1, 2});
  CHECK(ranks(Values{1, 5, 1, 5, 5}) == Values{1.5, 4, 1.5, 4, 4});
}

TEST_CASE("rank correlation is 1 under increasing maps, -1 under decreasing ones", "[geometry]") {
  Values const x{.1, 2, .5, 9, 4};
  Values up;
  Values down;
  for (double const value : x) {
    up.push_back(std::exp(value));
    down.push_back(1 / value);
  }
  CHECK(rank_correlation(x, up).value() == Approx(1));
  CHECK(rank_correlation(x, down).value() == Approx(-1));
  CHECK(rank_correlation(Values{1, 2, 3, 4}, Values{1, 2, 4, 3}).value() == Approx(.8));
  CHECK_FALSE(rank_correlation(Values{1, 1, 1}, Values{1, 2, 3}));
  CHECK_FALSE(rank_correlation(Values{1, 2}, Values{1, 2}));
  CHECK_THROWS_AS(rank_correlation(Values{1, 2, 3}, Values{1, 2}), std::invalid_argument);
}

TEST_CASE("the mean rank correlation is over all pairs", "[geometry]") {
  Values const a{1, 2, 3, 4};
  Values const b{1, 2, 4, 3};
  CHECK(mean_rank_correlation(std::vector<Values>{a, b}).value() == Approx(.8));
  // Pairs of .8, .8 and 1 over three profiles.
  CHECK(mean_rank_correlation(std::vector<Values>{a, b, b}).value() == Approx(2.6 / 3));
  CHECK_FALSE(mean_rank_correlation(std::vector<Values>{}));
  CHECK_FALSE(mean_rank_correlation(std::vector<Values>{{1, 2, 3}}));
  CHECK_FALSE(mean_rank_correlation(std::vector<Values>{{1, 2}, {1, 2}}));
  CHECK_FALSE(mean_rank_correlation(std::vector<Values>{{1, 1, 1}, {1, 2, 3}}));
}

TEST_CASE("the reliability of a mean is the correlation lifted by Spearman and Brown",
          "[geometry]") {
  CHECK(reliability_of_mean(.8, 1) == Approx(.8));
  CHECK(reliability_of_mean(.8, 2) == Approx(2 * .8 / 1.8));
  CHECK(reliability_of_mean(1, 7) == 1);
  CHECK(reliability_of_mean(0, 7) == 0);
  CHECK(reliability_of_mean(-.4, 7) == 0);
  // The correlation of .75 between samples of the topological statistic takes seven for 0.95.
  CHECK(reliability_of_mean(.75, 6) < .95);
  CHECK(reliability_of_mean(.75, 7) > .95);
}
