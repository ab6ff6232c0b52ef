#include <tailor/arch/names.hpp>  // under test

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

TEMPLATE_TEST_CASE("from_name gives back the value of name_of", "[arch]", Activation, NormPlacement,
                   QkNorm, LayerNormScaling, RopeScaling::Kind, Count) {
  int index = 0;
  for (auto const name : names_of<TestType>()) {
    auto const value = from_name<TestType>(name);
    REQUIRE(value);
    CHECK(static_cast<int>(*value) == index++);
    CHECK(name_of(*value) == name);
  }
  CHECK(!from_name<TestType>("tanh"));
  CHECK(name_of(static_cast<TestType>(99)) == "unknown");
}

TEST_CASE("names follow the enumerators", "[arch]") {
  STATIC_REQUIRE(name_of(Activation::swiglu) == "swiglu");
  STATIC_REQUIRE(name_of(Activation::relu2) == "relu2");
  STATIC_REQUIRE(name_of(NormPlacement::both) == "both");
  STATIC_REQUIRE(name_of(QkNorm::per_head) == "per_head");
  STATIC_REQUIRE(name_of(LayerNormScaling::by_sub_block) == "by_sub_block");
  STATIC_REQUIRE(name_of(RopeScaling::Kind::llama3) == "llama3");
  STATIC_REQUIRE(name_of(Count::all) == "all");
}
