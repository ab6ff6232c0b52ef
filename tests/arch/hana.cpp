#include <tailor/arch/hana.hpp>  // under test

#include <vector>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

constexpr Dims dims{.d_model = 768, .layers = 12, .heads = 12};
constexpr auto sweep = shapes<Conventional<4>, Hourglass<2, 1536>, Hourglass<4, 768>,
                              Hourglass<6, 512>, Hourglass<8, 384>>;

}  // namespace

TEST_CASE("equal budgets over a list are same_budget of every pair", "[arch]") {
  STATIC_REQUIRE(all_same_budget(at_dims<dims>(sweep)));
  STATIC_REQUIRE(!all_same_budget<Count::all>(at_dims<dims>(sweep)));
  STATIC_REQUIRE(!all_same_budget(at_dims<dims>(shapes<Conventional<4>, Conventional<3>>)));
  STATIC_REQUIRE(all_same_budget(architectures<Transformer<Conventional<4>, dims>>));
}

TEST_CASE("a list is walked first to last", "[arch]") {
  std::vector<int> depths;
  for_each_type(at_dims<dims>(sweep),
                [&]<class A>() { depths.push_back(int(plan_of<A>().layers[0].widths.size())); });
  CHECK(depths == std::vector<int>{1, 2, 4, 6, 8});
}
