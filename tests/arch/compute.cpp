#include <tailor/arch/compute.hpp>   // under test
#include <tailor/arch/validate.hpp>  // tailor::PlanLimits, tailor::find_fault

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

constexpr Dims small{.d_model = 64, .layers = 3, .heads = 4, .vocab = 100, .context = 32};
using Model = Transformer<Hourglass<2, 48>, small>;

/// Multiply-adds of scores and weighted values over one context, counted pair by pair.
std::int64_t count_pairs(Plan const& plan, Attended attended) {
  std::int64_t count = 0;
  for (auto const& layer : plan.layers) {
    for (int query = 0; query < plan.context; ++query) {
      for (int key = 0; key < plan.context; ++key) {
        bool const near = layer.window == 0 || std::abs(query - key) < layer.window;
        bool const counted = attended == Attended::mean_causal
                                 ? key <= query && near
                                 : layer.window == 0 || key < layer.window;
        if (counted) count += 2 * layer.attention_width();
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("a forward pass costs two operations per matrix element, head element and attended pair",
          "[arch]") {
  auto plan = plan_of<Model>();
  plan.layers[1].window = 8;
  plan.layers[2].window = 1000;
  auto const matrices = parameters(plan) + 100 * 64;
  for (auto const attended : {Attended::mean_causal, Attended::full_context}) {
    CHECK(forward_flops_per_token(plan, attended) ==
          2 * matrices + 2 * count_pairs(plan, attended) / plan.context);
  }
}

TEST_CASE("training costs three times the forward pass", "[arch]") {
  STATIC_REQUIRE(training_flops_per_token<Model>() == 3 * forward_flops_per_token<Model>());
  STATIC_REQUIRE(training_flops_per_token<Model>(Attended::full_context) ==
                 3 * forward_flops_per_token<Model>(Attended::full_context));
}

TEST_CASE("recomputing the hidden activations repeats all matrices but the last", "[arch]") {
  STATIC_REQUIRE(recompute_flops_per_token<Model>() == 2 * 2 * 64 * 96 * 3);
  constexpr Dims plain{.d_model = 64, .layers = 3, .heads = 4, .activation = Activation::gelu};
  STATIC_REQUIRE(recompute_flops_per_token<Transformer<Conventional<4>, plain>>() ==
                 2 * 64 * 256 * 3);
}

TEST_CASE("equal matrices at equal attention have equal operations", "[arch]") {
  constexpr Dims dims{.d_model = 768, .layers = 12, .heads = 12};
  STATIC_REQUIRE(forward_flops_per_token<Transformer<Hourglass<4, 768>, dims>>() ==
                 forward_flops_per_token<Transformer<Conventional<4>, dims>>());
}

TEST_CASE("sequential depth counts the residual sub-blocks that are there", "[arch]") {
  STATIC_REQUIRE(sequential_depth<Model>() == 3 * 3);
  auto plan = plan_of<Model>();
  plan.layers[0].widths = {0, 5};
  plan.layers[1] = {};
  CHECK(sequential_depth(plan) == 2 + 0 + 3);
}

TEST_CASE("no count of a plan at the limits overflows", "[arch]") {
  Plan plan{.d_model = 1, .vocab = PlanLimits::vocab, .context = PlanLimits::context};
  LayerPlan const layer{.heads = 1 << 12, .kv_heads = 1 << 12, .head_dim = 1 << 10};
  plan.layers.assign(PlanLimits::layers, layer);
  REQUIRE(!find_fault(plan));
  double const scores = 4. * PlanLimits::width * PlanLimits::context * PlanLimits::layers;
  CHECK(static_cast<double>(training_flops_per_token(plan, Attended::full_context)) ==
        Approx(3 * scores).epsilon(1e-3));
  CHECK(recompute_flops_per_token(plan) == 0);
}
