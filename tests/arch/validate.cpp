#include <tailor/arch/budget.hpp>    // tailor::parameters
#include <tailor/arch/plan_of.hpp>   // tailor::uniform_plan
#include <tailor/arch/validate.hpp>  // under test

#include <functional>
#include <limits>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

Plan good() {
  return uniform_plan({.d_model = 64, .layers = 3, .heads = 4, .vocab = 256, .context = 64}, 128);
}

void refused(std::function<void(Plan&)> const& spoil, std::string const& message) {
  auto plan = good();
  spoil(plan);
  CHECK_THROWS_WITH(validate(plan), message);
}

}  // namespace

TEST_CASE("a plan that meets every rule passes", "[arch]") {
  CHECK_NOTHROW(validate(good()));
  auto plan = good();
  plan.layers[1].widths.clear();
  plan.layers[2] = {.widths = {0, 5}};
  CHECK_NOTHROW(validate(plan));
  CHECK(!find_fault(plan));
}

TEST_CASE("a bad plan is refused by layer and field", "[arch]") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](Plan& p) { p.d_model = 0; }, "plan.d_model: must be from 1 to 2^20, got 0");
  refused([](Plan& p) { p.vocab = -3; }, "plan.vocab: must be from 1 to 2^26, got -3");
  refused([](Plan& p) { p.context = 0; }, "plan.context: must be from 1 to 2^24, got 0");
  refused([](Plan& p) { p.activation = static_cast<Activation>(9); },
          "plan.activation: is not a known activation");
  refused([](Plan& p) { p.norm_eps = 0; }, "plan.norm_eps: must be positive, got 0");
  refused([&](Plan& p) { p.norm_eps = nan; }, "plan.norm_eps: must be positive, got nan");
  refused([&](Plan& p) { p.embedding_scale = infinite; },
          "plan.embedding_scale: must be positive, got inf");
  refused([](Plan& p) { p.attention_soft_cap = -1; },
          "plan.attention_soft_cap: must be 0 (off) or positive, got -1");
  refused([](Plan& p) { p.logit_soft_cap = -1; },
          "plan.logit_soft_cap: must be 0 (off) or positive, got -1");
  refused([](Plan& p) { p.rope_scaling.factor = .5; },
          "plan.rope_scaling.factor: must be at least 1, got 0.5");
  refused([](Plan& p) { p.rope_scaling.high_frequency_factor = 1; },
          "plan.rope_scaling.high_frequency_factor: must exceed low_frequency_factor, got 1");
  refused(
      [](Plan& p) { p.rope_scaling.kind = RopeScaling::Kind::llama3; },
      "plan.rope_scaling.original_context: must be positive for llama3 and never negative, got 0");
  refused([](Plan& p) { p.layers.clear(); }, "plan.layers: must be from 1 to 2^12, got 0");
  refused([](Plan& p) { p.layers[2].heads = -1; },
          "plan.layers[2].heads: must not be negative, got -1");
  refused([](Plan& p) { p.layers[1].kv_heads = 3; },
          "plan.layers[1].kv_heads: must divide heads, got 3");
  refused([](Plan& p) { p.layers[1].kv_heads = 0; },
          "plan.layers[1].kv_heads: must divide heads, got 0");
  refused([](Plan& p) { p.layers[0].head_dim = 5; },
          "plan.layers[0].head_dim: must be positive and even, for rotary positions, got 5");
  refused([](Plan& p) { p.layers[0].heads = 0; },
          "plan.layers[0].kv_heads: must be 0 in a layer without attention, got 4");
  refused([](Plan& p) { p.layers[0].window = -1; },
          "plan.layers[0].window: must be 0 (all) or positive, got -1");
  refused([](Plan& p) { p.layers[0].rope_base = -1; },
          "plan.layers[0].rope_base: must be positive, got -1");
  refused(
      [](Plan& p) {
        p.layers[2].widths = {5, -8};
      },
      "plan.layers[2].widths[1]: must be from 0 to 2^22, got -8");
  refused([](Plan& p) { p.layers[1].widths.assign(257, 1); },
          "plan.layers[1].widths: must be at most 2^8 sub-blocks, got 257");
  refused(
      [](Plan& p) {
        p.layer_norm_scaling = LayerNormScaling::by_layer;
        p.layers[1].norms = NormPlacement::post;
      },
      "plan.layers[1].norms: must have a pre-norm, which layer_norm_scaling scales");
}

TEST_CASE("absurd sizes are refused before anything is multiplied beyond 64 bits", "[arch]") {
  constexpr int most = std::numeric_limits<int>::max();
  refused([](Plan& p) { p.layers[0].heads = p.layers[0].kv_heads = most; },
          "plan.layers[0].heads: times head_dim must be at most 2^22, got 34359738352");
  refused([](Plan& p) { p.layers[0].widths = {most}; },
          "plan.layers[0].widths[0]: must be from 0 to 2^22, got 2147483647");
  auto plan = good();
  plan.d_model = PlanLimits::d_model;
  plan.layers.resize(PlanLimits::layers, plan.layers[0]);
  for (auto& layer : plan.layers) layer.widths.assign(PlanLimits::sub_blocks, PlanLimits::width);
  CHECK_THROWS_WITH(validate(plan), Catch::Matchers::Contains("at most 2^48 parameters"));
}

TEST_CASE("the counts of a valid plan stay within the limits", "[arch]") {
  auto plan = good();
  plan.d_model = PlanLimits::d_model;
  for (auto& layer : plan.layers) layer.widths.assign(16, PlanLimits::width / 4);
  validate(plan);
  CHECK(parameters(plan) == 3 * (4ll * 64 * plan.d_model + 3ll * plan.d_model * (16 << 20)));
}
