#include <tailor/train/learning_rate.hpp>

#include <support/catch.hpp>

using namespace tailor;

TEST_CASE("the rate is peak at the end of the warm-up and floor at the last step", "[train]") {
  LearningRate const rate{.peak = 2e-3, .floor = 2e-4, .warmup = 10, .steps = 110};
  CHECK(rate.at(1) == Approx(2e-4));
  CHECK(rate.at(10) == 2e-3);
  CHECK(rate.at(60) == Approx(1.1e-3));
  CHECK(rate.at(110) == 2e-4);
  CHECK(rate.at(1000) == 2e-4);
}

TEST_CASE("the rate rises through the warm-up and never rises after it", "[train]") {
  LearningRate const rate{.peak = 1, .floor = 0.1, .warmup = 7, .steps = 50};
  for (int step = 1; step < 7; ++step) CHECK(rate.at(step) < rate.at(step + 1));
  for (int step = 7; step < 60; ++step) CHECK(rate.at(step) >= rate.at(step + 1));
}

TEST_CASE("a run of one step, or of warm-up alone, has positive rates", "[train]") {
  CHECK(LearningRate{.peak = 1, .floor = 0.1, .warmup = 1, .steps = 1}.at(1) == 1);
  CHECK(LearningRate{.peak = 1, .floor = 0.1, .warmup = 0, .steps = 1}.at(1) == 0.1);
  CHECK(LearningRate{.peak = 1, .floor = 0.1, .warmup = 4, .steps = 4}.at(2) == 0.5);
}

TEST_CASE("the default rate is 3e-3 up to a million parameters and 2.5e-4 at 906 million",
          "[train]") {
  CHECK(default_learning_rate(1000) == 3e-3);
  CHECK(default_learning_rate(1000000) == 3e-3);
  CHECK(default_learning_rate(905969664) == Approx(2.5e-4).epsilon(0.01));
  for (std::int64_t n = 1000000; n < 2000000000; n *= 2) {
    CHECK(default_learning_rate(2 * n) < default_learning_rate(n));
  }
}

TEST_CASE("the default warm-up is one step in twenty, from 1 to 100", "[train]") {
  CHECK(default_warmup(1) == 1);
  CHECK(default_warmup(500) == 25);
  CHECK(default_warmup(100000) == 100);
}
