#include <tailor/allocation/width_budget.hpp>  // what is tested

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <vector>

using namespace tailor;

TEST_CASE("the total of a plan is budget(plan), its Count::ffn", "[allocation]") {
  Plan plan{.d_model = 64,
            .layers = {LayerPlan{.widths = {96}}, LayerPlan{.widths = {32, 16}}, {}}};
  auto const gated = width_budget(plan);
  CHECK(gated.reference_widths == std::vector<int>{96, 48, 0});
  CHECK(gated.prices == std::vector<std::int64_t>(3, 3 * 64));
  CHECK(gated.total == 3 * 64 * (96 + 48));
  CHECK(gated.total == budget(plan));
  plan.activation = Activation::gelu;
  CHECK(width_budget(plan).total == 2 * 64 * (96 + 48));
}

TEST_CASE("a price beyond 64 bits is an error, not a wrapped number", "[allocation]") {
  auto const most = std::numeric_limits<std::int64_t>::max();
  CHECK(price_of(std::vector<std::int64_t>{most / 2}, std::vector<int>{2}) == most - 1);
  CHECK_THROWS_WITH(price_of(std::vector<std::int64_t>{1, most}, std::vector<int>{1, 1}),
                    Catch::Contains("layer 1"));
  CHECK_THROWS_AS(price_of(std::vector<std::int64_t>{1}, std::vector<int>{}),
                  std::invalid_argument);
  CHECK_THROWS_AS(price_of(std::vector<std::int64_t>{1}, std::vector<int>{-1}),
                  std::invalid_argument);
}
