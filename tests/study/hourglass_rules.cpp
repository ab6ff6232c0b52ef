#include <tailor/arch/plan_of.hpp>           // uniform_plan
#include <tailor/study/hourglass_rules.hpp>  // what is tested

#include "support/catch.hpp"

#include <numeric>

using namespace tailor;

namespace {

constexpr Dims paper{.d_model = 768, .layers = 12, .heads = 12, .vocab = 50257, .context = 1024};
constexpr Dims small{.d_model = 64, .layers = 6, .heads = 4, .vocab = 256, .context = 128};

}  // namespace

TEST_CASE("the hourglass has the smallest K with sub-blocks of at most half of d_model",
          "[study]") {
  auto const plan = hourglass_of(uniform_plan(paper, 3072));
  for (auto const& layer : plan.layers) CHECK(layer.widths == std::vector<int>(8, 384));
  CHECK(parameters(plan) == 113'246'208);
  CHECK(hourglass_of(uniform_plan(small, 32)) == uniform_plan(small, 32));  // K = 1: half already
  CHECK(hourglass_of(uniform_plan(small, 33 * 2)).layers[0].widths == std::vector<int>(3, 22));
  CHECK(hourglass_of(uniform_plan(small, 0)) == uniform_plan(small, 0));
}

TEST_CASE("the hourglass has the parameters of its reference", "[study]") {
  for (int const width : {8, 64, 96, 128, 256, 270})
    CHECK(parameters(hourglass_of(uniform_plan(small, width))) ==
          parameters(uniform_plan(small, width)));
}

TEST_CASE("a width that K does not divide is an error that names the nearest widths", "[study]") {
  CHECK_THROWS_WITH(
      hourglass_of(uniform_plan(small, 170)),
      Catch::Contains("170 of layer 0 is not divisible by 6") && Catch::Contains("168 and 174"));
}

TEST_CASE("the reallocated hourglass matches the budget and gives attention at least half",
          "[study]") {
  for (Dims const& d : {paper, small, Dims{.d_model = 48, .layers = 4, .heads = 3},
                        Dims{.d_model = 128, .layers = 8, .heads = 8, .kv_heads = 2}}) {
    auto const reference = uniform_plan(d, 4 * d.d_model);
    auto const plan = reallocated_hourglass(reference);
    CHECK_NOTHROW(validate(plan));
    CHECK(parameters(plan) == parameters(reference));
    CHECK(2 * parameters(plan, Count::ffn) <= parameters(plan));
    for (auto const& layer : plan.layers) {
      CHECK(layer.widths.size() >= 2);
      CHECK(layer.widths[0] >= 0.4 * plan.d_model);
      CHECK(layer.widths[0] <= 0.6 * plan.d_model);
      CHECK(layer.head_dim == reference.layers[0].head_dim);
      CHECK(layer.heads * reference.layers[0].kv_heads ==
            layer.kv_heads * reference.layers[0].heads);
    }
    CHECK(plan.vocab == reference.vocab);
    CHECK(reallocated_hourglass(reference) == plan);
  }
}

TEST_CASE("at the paper's 113M the reallocated hourglass has the paper's proportions", "[study]") {
  auto const plan = reallocated_hourglass(uniform_plan(paper, 3072));
  double const aspect = double(plan.d_model) / double(plan.layers.size());
  CHECK((aspect >= 100 && aspect <= 250));
  CHECK(plan.layers[0].widths[0] / double(plan.d_model) == Approx(0.4).margin(0.05));
}

TEST_CASE("without attention, or with layers that differ, nothing can be reallocated", "[study]") {
  auto plan = uniform_plan(small, 128);
  plan.layers[2].window = 16;
  CHECK_THROWS_WITH(reallocated_hourglass(plan), Catch::Contains("widths only"));
  CHECK_THROWS_AS(
      reallocated_hourglass(uniform_plan({.d_model = 64, .layers = 2, .heads = 0}, 128)),
      std::invalid_argument);
}
