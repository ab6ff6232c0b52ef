#include <tailor/arch/budget.hpp>       // tailor::parameters
#include <tailor/arch/shape.hpp>        // under test
#include <tailor/arch/transformer.hpp>  // tailor::Transformer, tailor::plan_of

#include <type_traits>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;
using Widths = std::vector<int>;

namespace {

constexpr Dims wide{.d_model = 768, .layers = 12, .heads = 12};
constexpr Dims plain{.d_model = 768, .layers = 12, .heads = 12, .activation = Activation::gelu};

/// FFN parameters of one layer.
template <class S, Dims D>
constexpr std::int64_t per_layer = parameters<Transformer<S, D>>(Count::ffn) / std::int64_t{
                                                                                   D.layers};

/// A user's shape: half as wide in every next layer, one sub-block more.
struct Pyramid {
  static constexpr int sub_blocks(int layer, Dims) { return 1 + layer; }
  static constexpr int width(int layer, int sub_block, Dims d) {
    return (d.d_model >> layer) + sub_block;
  }
  static constexpr bool fits(Dims d) { return (d.d_model >> (d.layers - 1)) > 0; }
};

struct AnswersInLong {
  static constexpr long sub_blocks(int, Dims) { return 1; }
  static constexpr long width(int, int, Dims) { return 1; }
  static constexpr bool fits(Dims) { return true; }
};

}  // namespace

static_assert(per_layer<Conventional<4>, wide> == 7'077'888);
static_assert(per_layer<Hourglass<4, 768>, wide> == 7'077'888);

TEST_CASE("the shapes of case O17 have the known FFN parameters", "[arch]") {
  STATIC_REQUIRE(per_layer<Conventional<4>, plain> == 4'718'592);
  STATIC_REQUIRE(per_layer<Conventional<Ratio{8, 3}>, wide> == 4'718'592);
  STATIC_REQUIRE(per_layer<Hourglass<4, 512>, wide> == 4'718'592);
}

TEST_CASE("equal ratios make equal shapes", "[arch]") {
  STATIC_REQUIRE(std::is_same_v<Conventional<Ratio{8, 2}>, Conventional<4>>);
  STATIC_REQUIRE(std::is_same_v<Conventional<Ratio{16, 6}>, Conventional<Ratio{8, 3}>>);
  STATIC_REQUIRE(!std::is_same_v<Conventional<3>, Conventional<4>>);
}

TEST_CASE("a ratio fits where it makes a whole width", "[arch]") {
  using Shape = Conventional<Ratio{8, 3}>;
  STATIC_REQUIRE(Shape::fits({.d_model = 768}));
  STATIC_REQUIRE(!Shape::fits({.d_model = 512}));
  STATIC_REQUIRE(!Conventional<(1 << 30)>::fits({.d_model = 4}));  // beyond an int
}

TEST_CASE("an hourglass may be wider than the model", "[arch]") {
  STATIC_REQUIRE(parameters<Transformer<Hourglass<2, 1536>, wide>>() == 113'246'208);
}

TEST_CASE("layerwise widths are asked by layer and 0 is a layer without FFN", "[arch]") {
  constexpr Dims dims{.d_model = 16, .layers = 3, .heads = 2};
  using Model = Transformer<LayerwiseWidths<8, 0, 6>, dims>;
  CHECK(widths_of(plan_of<Model>()) == Widths{8, 0, 6});
  STATIC_REQUIRE(!LayerwiseWidths<8, 0>::fits(dims));
  STATIC_REQUIRE(parameters<Model>(Count::ffn) == 3 * 16 * 14);
}

TEST_CASE("a layerwise list asks each shape with the index of its layer", "[arch]") {
  constexpr Dims dims{.d_model = 16, .layers = 3, .heads = 2};
  using Mixed = Layerwise<Conventional<2>, Pyramid, Hourglass<2, 5>>;
  auto const plan = plan_of<Transformer<Mixed, dims>>();
  CHECK(plan.layers[0].widths == Widths{32});
  CHECK(plan.layers[1].widths == Widths{8, 9});
  CHECK(plan.layers[2].widths == Widths{5, 5});
  STATIC_REQUIRE(!Layerwise<Conventional<2>>::fits(dims));
  STATIC_REQUIRE(!Layerwise<Conventional<Ratio{1, 3}>, Pyramid, Pyramid>::fits(dims));
}

TEST_CASE("anyone may write a shape", "[arch]") {
  STATIC_REQUIRE(Shape<Pyramid>);
  STATIC_REQUIRE(!Shape<AnswersInLong>);
  STATIC_REQUIRE(!Shape<int>);
  auto const plan = plan_of<Transformer<Pyramid, Dims{.d_model = 64, .layers = 3, .heads = 4}>>();
  CHECK(plan.layers[2].widths == Widths{16, 17, 18});
}
