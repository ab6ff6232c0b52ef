#include <tailor/arch/plan_of.hpp>      // under test
#include <tailor/arch/transformer.hpp>  // tailor::Transformer

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;
using Widths = std::vector<int>;

namespace {
constexpr Dims dims{.d_model = 32, .layers = 3, .heads = 2};
}

TEST_CASE("sizes and widths at run time make the plan of the type", "[arch]") {
  CHECK(uniform_plan(dims, 128) == plan_of<Transformer<Conventional<4>, dims>>());
  CHECK(plan_of(dims, {{8, 8}, {8, 8}, {8, 8}}) == plan_of<Transformer<Hourglass<2, 8>, dims>>());
}

TEST_CASE("widths_of(with_widths(plan, w)) == w", "[arch]") {
  auto const plan = plan_of<Transformer<Hourglass<2, 8>, dims>>();
  CHECK(widths_of(plan) == Widths{16, 16, 16});
  CHECK(widths_of(with_widths(plan, {5, 0, 7})) == Widths{5, 0, 7});
  CHECK(with_widths(plan, {5, 0, 7}) == plan_of<Transformer<LayerwiseWidths<5, 0, 7>, dims>>());
}

TEST_CASE("a list of widths of another length is refused", "[arch]") {
  CHECK_THROWS_WITH(with_widths(uniform_plan(dims, 8), {1, 2}),
                    "with_widths: one width per layer: the plan has 3 layers, got 2 widths");
  CHECK_THROWS_WITH(plan_of(dims, {{1}}),
                    "plan_of: one list of widths per layer: layers is 3, got 1 lists");
}
