#include <tailor/arch/memory.hpp>  // under test

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

constexpr Dims grouped{.d_model = 64, .layers = 3, .heads = 6, .kv_heads = 2, .head_dim = 8};
using Model = Transformer<Hourglass<2, 48>, grouped>;

}  // namespace

TEST_CASE("a layer keeps its residual streams, queries, keys, values, output and log-sum-exp",
          "[arch]") {
  // Attention: x 64, q and output 48 each, k and v 16 each, 6 log-sum-exp; two sub-MLPs keep x.
  constexpr std::int64_t layer = 64 + 2 * 48 + 2 * 16 + 6 + 2 * 64;
  STATIC_REQUIRE(kept_per_token<Model>() == 3 * layer + 64);
  STATIC_REQUIRE(activation_bytes<Model>(100) == 100 * 4 * (3 * layer + 64));
  STATIC_REQUIRE(activation_bytes<Model>(100, 2) == activation_bytes<Model>(100) / 2);
}

TEST_CASE("the width of a sub-MLP does not change what is kept, its presence does", "[arch]") {
  auto plan = plan_of<Model>();
  auto const before = kept_per_token(plan);
  plan.layers[0].widths = {4800, 1};
  CHECK(kept_per_token(plan) == before);
  plan.layers[0].widths = {4800, 0};
  CHECK(kept_per_token(plan) == before - 64);
}

TEST_CASE("a batch of no tokens or beyond 64 bits is refused", "[arch]") {
  auto const plan = plan_of<Model>();
  CHECK_THROWS_WITH(activation_bytes(plan, 0),
                    Catch::Matchers::Contains("must be positive, got 0"));
  CHECK_THROWS_WITH(activation_bytes(plan, std::int64_t{1} << 60),
                    Catch::Matchers::Contains("do not fit 64 bits"));
}

TEST_CASE("the optimizer keeps two moments of every parameter", "[arch]") {
  STATIC_REQUIRE(optimizer_bytes<Model>() == 8 * parameters<Model>(Count::all));
}

TEST_CASE("the key-value cache grows with the key heads alone", "[arch]") {
  STATIC_REQUIRE(kv_cache_bytes_per_token<Model>() == 3 * 2 * 16 * 4);
  STATIC_REQUIRE(kv_cache_bytes_per_token<Model>(2) == 3 * 2 * 16 * 2);
}
