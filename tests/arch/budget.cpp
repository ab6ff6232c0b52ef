#include <tailor/arch/budget.hpp>  // under test

#include <numeric>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

constexpr Dims paper{.d_model = 768, .layers = 12, .heads = 12, .vocab = 50257};
constexpr Dims tall{.d_model = 1536, .layers = 6, .heads = 24, .vocab = 50257};
using Reference = Transformer<Conventional<4>, paper>;

using Narrow = Transformer<Hourglass<3, 16>, Dims{.d_model = 64, .layers = 4, .heads = 4}>;
using Wide = Transformer<Conventional<Ratio{5, 2}>, Dims{.d_model = 32,
                                                         .layers = 2,
                                                         .heads = 6,
                                                         .kv_heads = 2,
                                                         .head_dim = 8,
                                                         .activation = Activation::relu2,
                                                         .norms = NormPlacement::both,
                                                         .qk_norm = QkNorm::whole,
                                                         .tied = false}>;
using Tapered = Transformer<LayerwiseWidths<9, 0, 4>, Dims{.d_model = 16,
                                                           .layers = 3,
                                                           .heads = 2,
                                                           .norms = NormPlacement::post,
                                                           .qk_norm = QkNorm::per_head}>;

}  // namespace

static_assert(same_budget<Transformer<Hourglass<4, 768>, paper>, Reference>);

TEST_CASE("the papers' configurations have the papers' counts", "[arch]") {
  STATIC_REQUIRE(parameters<Reference>() == 113'246'208);
  STATIC_REQUIRE(
      parameters<
          Transformer<Conventional<4>, Dims{.d_model = 1024, .layers = 24, .heads = 16}>>() ==
      402'653'184);
  STATIC_REQUIRE(
      parameters<
          Transformer<Conventional<4>, Dims{.d_model = 1536, .layers = 24, .heads = 16}>>() ==
      905'969'664);
  STATIC_REQUIRE(
      parameters<
          Transformer<Conventional<4>, Dims{.d_model = 2048, .layers = 16, .heads = 16}>>() ==
      1'073'741'824);
}

TEST_CASE("the fixed-attention sweep at 113M is exact", "[arch]") {
  STATIC_REQUIRE(same_budget<Transformer<Hourglass<2, 1536>, paper>, Reference>);
  STATIC_REQUIRE(same_budget<Transformer<Hourglass<4, 768>, paper>, Reference>);
  STATIC_REQUIRE(same_budget<Transformer<Hourglass<6, 512>, paper>, Reference>);
  STATIC_REQUIRE(same_budget<Transformer<Hourglass<8, 384>, paper>, Reference>);
  STATIC_REQUIRE(same_budget<Transformer<Hourglass<4, 512>, tall>, Reference>);
}

TEMPLATE_TEST_CASE(
    "the matrices are attention plus FFN, and all is embedding plus matrices plus norms", "[arch]",
    Narrow, Wide, Tapered, Reference) {
  STATIC_REQUIRE(parameters<TestType>(Count::matrices) ==
                 parameters<TestType>(Count::attention) + parameters<TestType>(Count::ffn));
  STATIC_REQUIRE(parameters<TestType>(Count::all) == parameters<TestType>(Count::embedding) +
                                                         parameters<TestType>(Count::matrices) +
                                                         parameters<TestType>(Count::norms));
  STATIC_REQUIRE(parameters<TestType>() == parameters<TestType>(Count::matrices));
}

TEMPLATE_TEST_CASE("FFN parameters are matrices_of(activation) times d_model per unit of width",
                   "[arch]", Narrow, Wide, Tapered, Reference) {
  auto const plan = plan_of<TestType>();
  std::int64_t units = 0;
  for (auto const& layer : plan.layers)
    units += std::accumulate(layer.widths.begin(), layer.widths.end(), 0);
  CHECK(parameters<TestType>(Count::ffn) == price_of_width(plan) * units);
  CHECK(price_of_width(plan) == matrices_of(plan.activation) * TestType::dims.d_model);
}

TEMPLATE_TEST_CASE("a type and its plan have the same counts", "[arch]", Narrow, Wide, Tapered) {
  for (auto const count : {Count::embedding, Count::attention, Count::ffn, Count::norms,
                           Count::matrices, Count::all}) {
    CHECK(parameters<TestType>(count) == parameters(plan_of<TestType>(), count));
  }
}

TEST_CASE("attention is four projections between d_model and the widths of queries and keys",
          "[arch]") {
  // a = 48, kv = 16: q and o 32 x 48, k and v 32 x 16, in two layers.
  STATIC_REQUIRE(parameters<Wide>(Count::attention) == 2 * (2 * 32 * 48 + 2 * 32 * 16));
}

TEST_CASE("norms are counted per branch that is there", "[arch]") {
  // Per layer attention and three sub-MLPs, and the last norm.
  STATIC_REQUIRE(parameters<Narrow>(Count::norms) == 64 * (4 * 4 + 1));
  // `both`: two gains per branch; queries and keys whole: 48 + 16.
  STATIC_REQUIRE(parameters<Wide>(Count::norms) == 2 * (2 * 2 * 32 + 48 + 16) + 32);
  // A layer without FFN has no FFN norm; queries and keys per head: 2 * 8.
  STATIC_REQUIRE(parameters<Tapered>(Count::norms) == 3 * (16 + 2 * 8) + 2 * 16 + 16);
}

TEST_CASE("a layer without attention and without FFN has no parameters", "[arch]") {
  auto plan = plan_of<Narrow>();
  auto const before = parameters(plan, Count::all);
  plan.layers.push_back({.qk_norm = QkNorm::whole, .widths = {0, 0}});
  CHECK(parameters(plan, Count::all) == before);
}

TEST_CASE("an output head that is not tied counts as a second table", "[arch]") {
  STATIC_REQUIRE(parameters<Narrow>(Count::embedding) == 256 * 64);
  STATIC_REQUIRE(parameters<Wide>(Count::embedding) == 2 * 256 * 32);
}

TEST_CASE("same_budget compares the named count", "[arch]") {
  using Hour = Transformer<Hourglass<4, 768>, paper>;
  STATIC_REQUIRE(same_budget<Hour, Reference, Count::attention>);
  STATIC_REQUIRE(same_budget<Hour, Reference, Count::ffn>);
  STATIC_REQUIRE(!same_budget<Hour, Reference, Count::all>);  // three more norms per layer
  STATIC_REQUIRE(parameters<Hour>(Count::all) - parameters<Reference>(Count::all) == 12 * 3 * 768);
}
