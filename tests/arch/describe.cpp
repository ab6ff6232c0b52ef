#include <tailor/arch/describe.hpp>  // under test
#include <tailor/arch/plan_of.hpp>   // tailor::with_widths

#include <sstream>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;
using Catch::Matchers::Contains;

namespace {

Plan plan() {
  return plan_of<
      Transformer<Hourglass<2, 24>, Dims{.d_model = 32, .layers = 4, .heads = 4, .kv_heads = 2}>>();
}

}  // namespace

TEST_CASE("a plan is printed with its sizes, its named counts and its layers", "[arch]") {
  auto const text = describe(plan());
  CHECK_THAT(text, Contains("d_model 32, layers 4"));
  CHECK_THAT(text, Contains("matrices " + std::to_string(parameters(plan()))));
  CHECK_THAT(text, Contains("all " + std::to_string(parameters(plan(), Count::all))));
  CHECK_THAT(text, Contains("layers 0-3: attention 4 heads x 8, 2 kv"));
  CHECK_THAT(text, Contains("FFN 24 + 24"));
  std::ostringstream stream;
  stream << plan();
  CHECK(stream.str() == text);
}

TEST_CASE("layers that differ are printed apart", "[arch]") {
  auto const text = describe(with_widths(plan(), {8, 8, 0, 8}));
  CHECK_THAT(text, Contains("layers 0-1: ") && Contains("layer 2: ") && Contains("layer 3: "));
}

TEST_CASE("every switch that is not at its default is printed", "[arch]") {
  auto changed = plan();
  changed.attention_soft_cap = 50;
  changed.logit_soft_cap = 30;
  changed.embedding_scale = 2;
  changed.unit_offset_gains = true;
  changed.rope_scaling = {.kind = RopeScaling::Kind::linear, .factor = 4};
  changed.layer_norm_scaling = LayerNormScaling::by_layer;
  changed.layers[1].window = 9;
  changed.layers[2].qk_norm = QkNorm::whole;
  changed.layers[3] = {};
  CHECK_THAT(describe(changed), Contains("attention cap 50") && Contains("logit cap 30") &&
                                    Contains("embedding x 2") && Contains("gains 1 + g") &&
                                    Contains("rope linear x 4") &&
                                    Contains("layer-norm scaling by_layer") &&
                                    Contains("window 9") && Contains("qk-norm whole") &&
                                    Contains("no attention; pre-norm; no FFN"));
}
