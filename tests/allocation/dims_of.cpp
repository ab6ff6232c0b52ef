#include <tailor/allocation/dims_of.hpp>  // what is tested

#include "support/catch.hpp"

using namespace tailor;

TEST_CASE("the plan of the Dims found is the plan", "[allocation]") {
  Dims dims{.d_model = 64, .layers = 3, .heads = 8, .kv_heads = 2, .head_dim = 16};
  dims.norms = NormPlacement::post;
  dims.tied = false;
  auto const plan = plan_of(dims, {{16}, {8, 8}, {}});
  CHECK(dims_of(plan) == dims);
  auto const short_hand = Dims{.d_model = 64, .layers = 1, .heads = 4};
  CHECK(plan_of(*dims_of(uniform_plan(short_hand, 8)), {{8}}) == uniform_plan(short_hand, 8));
}

TEST_CASE("a plan that Dims cannot say has none", "[allocation]") {
  auto const plan = uniform_plan({.d_model = 64, .layers = 3, .heads = 4}, 128);
  auto capped = plan, windowed = plan, scaled = plan, empty = plan;
  capped.logit_soft_cap = 30;
  windowed.layers[1].window = 16;
  scaled.rope_scaling.kind = RopeScaling::Kind::linear;
  empty.layers.clear();
  for (auto const& each : {capped, windowed, scaled, empty}) CHECK_FALSE(dims_of(each));
}
