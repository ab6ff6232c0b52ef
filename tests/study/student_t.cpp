#include <tailor/study/student_t.hpp>  // what is tested

#include "support/catch.hpp"

#include <cmath>
#include <random>

using namespace tailor;

TEST_CASE("critical values of t are those of the printed tables", "[study]") {
  CHECK(critical_t(0.05, 1) == Approx(12.7062047364).epsilon(1e-10));
  CHECK(critical_t(0.05, 4) == Approx(2.7764451052).epsilon(1e-10));
  CHECK(critical_t(0.05, 5) == Approx(2.5705818356).epsilon(1e-10));
  CHECK(critical_t(0.01, 9) == Approx(3.2498355416).epsilon(1e-10));
}

TEST_CASE("the p value at a critical value is its level", "[study]") {
  int const degrees = GENERATE(1, 4, 5, 29);
  double const alpha = GENERATE(0.05, 0.05 / 7, 1e-6);
  CHECK(two_sided_p(critical_t(alpha, degrees), degrees) == Approx(alpha).epsilon(1e-9));
  CHECK(two_sided_p(-critical_t(alpha, degrees), degrees) == Approx(alpha).epsilon(1e-9));
}

TEST_CASE("an infinite t has p 0, a t of 0 has p 1", "[study]") {
  CHECK(two_sided_p(std::numeric_limits<double>::infinity(), 4) == 0);
  CHECK(two_sided_p(0, 4) == Approx(1));
}

TEST_CASE("at the detectable shift the power is the one asked for, without a shift it is the level",
          "[study]") {
  int const degrees = GENERATE(1, 4, 5, 9, 100);
  double const alpha = GENERATE(0.05, 0.01);
  CHECK(t_test_power(0, alpha, degrees) == Approx(alpha).epsilon(1e-9));
  double const shift = detectable_shift(alpha, 0.8, degrees);
  CHECK(t_test_power(shift, alpha, degrees) == Approx(0.8).epsilon(1e-8));
  CHECK(shift > critical_t(alpha, degrees));
}

TEST_CASE("a simulation of the t test finds the power that was asked for", "[study]") {
  int const n = 6;
  double const shift = detectable_shift(0.05, 0.8, n - 1), critical = critical_t(0.05, n - 1);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(shift / std::sqrt(double(n)), 1);
  int rejected = 0;
  int const trials = 40000;
  for (int trial = 0; trial < trials; ++trial) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      double const x = normal(random);
      sum += x;
      squares += x * x;
    }
    double const variance = (squares - sum * sum / n) / (n - 1);
    rejected += std::abs(sum / n) > critical * std::sqrt(variance / n);
  }
  CHECK(double(rejected) / trials == Approx(0.8).margin(0.01));  // standard error 0.002
}
