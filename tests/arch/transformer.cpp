#include <tailor/arch/transformer.hpp>  // under test
#include <tailor/arch/validate.hpp>     // tailor::validate

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

using Plain = Transformer<Conventional<4>, Dims{.d_model = 64, .layers = 2, .heads = 4}>;
using Grouped = Transformer<Hourglass<2, 48>, Dims{.d_model = 64,
                                                   .layers = 3,
                                                   .heads = 6,
                                                   .kv_heads = 2,
                                                   .head_dim = 16,
                                                   .vocab = 500,
                                                   .context = 32,
                                                   .activation = Activation::geglu,
                                                   .norms = NormPlacement::both,
                                                   .qk_norm = QkNorm::per_head,
                                                   .layer_norm_scaling = LayerNormScaling::by_layer,
                                                   .tied = false,
                                                   .rope_base = 5e5,
                                                   .norm_eps = 1e-6}>;
using NoAttention = Transformer<Conventional<4>, Dims{.d_model = 64, .layers = 2, .heads = 0}>;

}  // namespace

TEMPLATE_TEST_CASE("every Transformer that compiles has a plan that validate accepts", "[arch]",
                   Plain, Grouped, NoAttention) {
  STATIC_REQUIRE(Architecture<TestType>);
  CHECK_NOTHROW(validate(plan_of<TestType>()));
}

TEST_CASE("head_dim and kv_heads that are not given follow from heads", "[arch]") {
  auto const layer = plan_of<Plain>().layers[0];
  CHECK(layer.head_dim == 16);
  CHECK(layer.kv_heads == 4);
  auto const none = plan_of<NoAttention>().layers[0];
  CHECK(none.head_dim == 0);
  CHECK(none.kv_heads == 0);
}

TEST_CASE("a plan carries every size and switch of its architecture", "[arch]") {
  LayerPlan const layer{.heads = 6,
                        .kv_heads = 2,
                        .head_dim = 16,
                        .rope_base = 5e5,
                        .norms = NormPlacement::both,
                        .qk_norm = QkNorm::per_head,
                        .widths = {48, 48}};
  CHECK(plan_of<Grouped>() == Plan{.d_model = 64,
                                   .vocab = 500,
                                   .context = 32,
                                   .activation = Activation::geglu,
                                   .norm_eps = 1e-6,
                                   .tied = false,
                                   .layer_norm_scaling = LayerNormScaling::by_layer,
                                   .layers = {layer, layer, layer}});
}

TEST_CASE("the attention width does not depend on d_model", "[arch]") {
  CHECK(plan_of<Grouped>().layers[0].attention_width() == 96);
  CHECK(plan_of<Grouped>().layers[0].kv_width() == 32);
}

TEST_CASE("a type that is no architecture is not taken for one", "[arch]") {
  STATIC_REQUIRE(!Architecture<int>);
  STATIC_REQUIRE(!Architecture<Conventional<4>>);
}
