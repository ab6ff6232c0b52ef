#include <tailor/arch/compute.hpp>  // tailor::sequential_depth
#include <tailor/arch/plan_of.hpp>  // tailor::plan_of
#include <tailor/nn/sub_blocks.hpp>

#include "support/catch.hpp"

using namespace tailor;

namespace {

Plan mixed_plan(LayerNormScaling scaling) {
  return plan_of({.d_model = 8, .layers = 3, .heads = 2, .layer_norm_scaling = scaling},
                 {{3, 0, 4}, {0}, {5}});
}

}  // namespace

TEST_CASE("there are sequential_depth(plan) sub-blocks, in the order in which they run") {
  auto const plan = mixed_plan(LayerNormScaling::none);
  auto const blocks = sub_blocks_of(plan);
  REQUIRE(blocks.size() == std::size_t(sequential_depth(plan)));
  struct Expected {
    int layer, index;
    bool first, last;
  };
  Expected const expected[] = {{0, -1, false, false}, {0, 0, true, false},   {0, 2, false, true},
                               {1, -1, false, false}, {2, -1, false, false}, {2, 0, true, true}};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    CHECK(blocks[i].layer == expected[i].layer);
    CHECK(blocks[i].index == expected[i].index);
    CHECK(blocks[i].first_of_ffn == expected[i].first);
    CHECK(blocks[i].last_of_ffn == expected[i].last);
    CHECK(blocks[i].pre_scale == 1);
  }
}

TEST_CASE("LayerNorm Scaling counts layers, or sub-blocks as they run, from one") {
  auto const by_layer = sub_blocks_of(mixed_plan(LayerNormScaling::by_layer));
  auto const by_block = sub_blocks_of(mixed_plan(LayerNormScaling::by_sub_block));
  int const layers[] = {1, 1, 1, 2, 3, 3};
  for (std::size_t i = 0; i < by_layer.size(); ++i) {
    CHECK(by_layer[i].pre_scale == Approx(1 / std::sqrt(double(layers[i]))));
    CHECK(by_block[i].pre_scale == Approx(1 / std::sqrt(double(i + 1))));
  }
}
