#include <tailor/arch/published_widths.hpp>  // under test

#include <tailor/arch/budget.hpp>   // tailor::parameters
#include <tailor/arch/plan_of.hpp>  // tailor::with_widths

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;
using List = std::vector<int>;

TEST_CASE("the Llama rule gives the published widths of case O18", "[arch]") {
  STATIC_REQUIRE(llama_width(4096, 1, 256) == 11008);
  STATIC_REQUIRE(llama_width(5120, 1, 256) == 13824);
  STATIC_REQUIRE(llama_width(8192, 1.3, 4096) == 28672);
  STATIC_REQUIRE(llama_width(4096, 1.3, 1024) == 14336);
}

TEST_CASE("OpenELM-270M has the published widths and FFN parameters of case O18", "[arch]") {
  auto const widths = open_elm_widths({});
  CHECK(widths == List{768, 1024, 1280, 1536, 1792, 2048, 2560, 2816, 3072, 3328, 3584, 3840, 4352,
                       4608, 4864, 5120});
  auto const plan =
      with_widths(uniform_plan({.d_model = 1280, .layers = 16, .heads = 20}, 0), widths);
  CHECK(parameters(plan, Count::ffn) == 178'913'280);
}

TEST_CASE("OpenELM-270M has the published query heads", "[arch]") {
  CHECK(open_elm_heads({}) == List{12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20});
}

TEST_CASE("make_divisible never falls below nine tenths of the value", "[arch]") {
  STATIC_REQUIRE(make_divisible(10, 256) == 256);
  STATIC_REQUIRE(make_divisible(384, 256) == 512);
  STATIC_REQUIRE(make_divisible(300, 256) == 512);  // 256 would be below 270
  for (int value = 1; value < 5000; ++value) {
    int const rounded = make_divisible(value, 256);
    CHECK((rounded % 256 == 0 && rounded >= .9 * value));
  }
}

TEST_CASE("published rules refuse what they cannot round", "[arch]") {
  CHECK_THROWS_AS(llama_width(0), std::invalid_argument);
  CHECK_THROWS_AS(llama_width(4096, 1e9), std::invalid_argument);
  CHECK_THROWS_AS(make_divisible(-1, 8), std::invalid_argument);
  CHECK_THROWS_AS(make_divisible(1, 0), std::invalid_argument);
  CHECK_THROWS_AS(open_elm_heads({.head_dim = 0}), std::invalid_argument);
}
