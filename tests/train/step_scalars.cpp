#include <tailor/train/step_scalars.hpp>

#include <support/catch.hpp>

#include <cmath>
#include <limits>

using namespace tailor;

namespace {

struct Run {
  RunState state;
  AdamWScalars scalars;
  double loss = 40, squared_norm = 9;
  double clip = 1;

  void step() {
    PrepareUpdate{.state = &state,
                  .scalars = &scalars,
                  .loss_sum = &loss,
                  .squared_norm = &squared_norm,
                  .rate = {.peak = 1, .floor = 0.1, .warmup = 10, .steps = 100},
                  .tokens = 20,
                  .clip = clip,
                  .beta1 = 0.9,
                  .beta2 = 0.95}(0);
  }
};

}  // namespace

TEST_CASE("the update is scaled so that the norm of the gradient is at most clip", "[train]") {
  Run run;
  run.step();
  CHECK(run.scalars.gradient_scale == Approx(1.0 / 3));
  CHECK(run.state.gradient_norm == 3);
  run.squared_norm = 0.25;
  run.step();
  CHECK(run.scalars.gradient_scale == 1);
  run.clip = 0;
  run.squared_norm = 1e6;
  run.step();
  CHECK(run.scalars.gradient_scale == 1);
  run.squared_norm = 0;
  run.step();
  CHECK(run.scalars.gradient_scale == 1);
}

TEST_CASE("rate and bias corrections follow the step count", "[train]") {
  Run run;
  for (int step = 1; step <= 5; ++step) {
    run.step();
    CHECK(run.state.step == step);
    CHECK(run.scalars.learning_rate == Approx(0.1 * step));
    CHECK(run.scalars.first_correction == Approx(1 / (1 - std::pow(0.9, step))));
    CHECK(run.scalars.second_correction == Approx(1 / (1 - std::pow(0.95, step))));
  }
  CHECK(run.state.loss_sum == 5 * 2.0);
}

TEST_CASE("from the first loss or norm that is not finite on, no update is made", "[train]") {
  double const bad =
      GENERATE(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
  bool const in_loss = GENERATE(true, false);
  Run run;
  run.step();
  double& place = in_loss ? run.loss : run.squared_norm;
  double const good = place;
  place = bad;
  run.step();
  CHECK(run.scalars.gradient_scale == 0);
  CHECK(run.state.diverged_at == 2);
  CHECK(run.state.step == 1);
  CHECK(run.state.loss_sum == 2);
  place = good;
  run.step();
  CHECK(run.scalars.gradient_scale == 0);
  CHECK(run.state.diverged_at == 2);
}
