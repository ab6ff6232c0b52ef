#include <tailor/train/options.hpp>

#include <support/catch.hpp>
#include <support/thrown_message.hpp>
#include <train/support.hpp>

using namespace tailor;

TEST_CASE("resolved options have the defaults of the plan's size", "[train]") {
  auto const plan = plan_of<TinyModel>();
  auto const options = resolved({.steps = 400}, plan);
  CHECK(options.length == 16);
  CHECK(options.learning_rate == 3e-3);
  CHECK(options.warmup == 20);
  CHECK(tokens_per_step(options) == 256);
  CHECK(schedule_of(options).at(20) == 3e-3);
  CHECK(schedule_of(options).at(400) == Approx(3e-4));
  auto const own = resolved({.length = 8, .learning_rate = 0.5, .warmup = 3}, plan);
  CHECK(own.length == 8);
  CHECK(own.learning_rate == 0.5);
  CHECK(own.warmup == 3);
}

TEST_CASE("an option out of its range is named with range and value", "[train]") {
  auto const plan = plan_of<TinyModel>();
  auto const message = [&](TrainOptions const& options) {
    return thrown_message<std::invalid_argument>([&] { resolved(options, plan); });
  };
  CHECK(message({.steps = 0}) == "train: steps must be at least 1, got 0");
  CHECK(contains(message({.sequences = 0}), "sequences"));
  CHECK(contains(message({.accumulate = -1}), "accumulate"));
  CHECK(contains(message({.length = 17}), "length must be from 1 to the plan's context, got 17"));
  CHECK(contains(message({.sequences = 1 << 30, .accumulate = 2}), "2^31"));
  CHECK(contains(message({.learning_rate = -1}), "learning_rate"));
  CHECK(contains(message({.steps = 5, .warmup = 6}), "warmup"));
  CHECK(contains(message({.min_rate_fraction = 2}), "min_rate_fraction"));
  CHECK(contains(message({.weight_decay = -1}), "weight_decay"));
  CHECK(contains(message({.clip = -1}), "clip"));
  CHECK(contains(message({.beta1 = 1}), "beta1"));
  CHECK(contains(message({.beta2 = 1}), "beta2"));
  CHECK(contains(message({.eps = 0}), "eps"));
  CHECK(contains(message({.log_every = 0}), "log_every"));
  CHECK(contains(message({.evaluate_every = -1}), "evaluate_every"));
  CHECK(contains(message({.checkpoint_every = 5}), "need a checkpoint path"));
  CHECK(contains(message({.resume = true}), "need a checkpoint path"));
}
