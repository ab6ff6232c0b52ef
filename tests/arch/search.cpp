#include <tailor/arch/budget.hpp>  // tailor::parameters
#include <tailor/arch/search.hpp>  // under test

#include <algorithm>
#include <set>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

constexpr std::int64_t paper = 113'246'208;

/// The paper's fixed-attention sweep: layers, d_model and heads of the 113M reference.
SearchSpace fixed_attention() {
  return {.layers = {12, 12}, .d_model = {768, 768}, .heads = {12, 12}};
}

bool contains(SearchResult const& result, Configuration const& wanted) {
  return std::any_of(result.best.begin(), result.best.end(),
                     [&](Match const& m) { return m.configuration == wanted; });
}

/// All matches of a small space, by trying every width.
std::set<Configuration> scan(SearchSpace const& s, std::int64_t target, double tolerance) {
  std::set<Configuration> found;
  for (int k = s.sub_blocks.low; k <= s.sub_blocks.high; k += s.sub_blocks.step)
    for (int l = s.layers.low; l <= s.layers.high; l += s.layers.step)
      for (int d = s.d_model.low; d <= s.d_model.high; d += s.d_model.step)
        for (int h = s.heads.low; h <= s.heads.high; h += s.heads.step)
          for (int kv = s.kv_heads.low; kv <= s.kv_heads.high; kv += s.kv_heads.step)
            for (int w = s.width_grain; w <= s.highest_ratio * d; w += s.width_grain) {
              Configuration const c{k, l, d, w, h, kv == 0 ? h : kv, s.head_dim.low};
              if (h % c.kv_heads != 0 || w < s.lowest_ratio * d) continue;
              if (s.attention == AttentionWidth::d_model && h * c.head_dim != d) continue;
              auto const total = parameters(c, s.activation);
              if (std::abs(static_cast<double>(total - target)) <=
                  tolerance * static_cast<double>(target))
                found.insert(c);
            }
  return found;
}

}  // namespace

TEST_CASE("the exact matches of the paper's fixed-attention sweep are found", "[arch][search]") {
  auto const result = search(fixed_attention(), paper, {.tolerance = 0});
  for (auto const& [k, width] : {std::pair{1, 3072}, {2, 1536}, {4, 768}, {6, 512}, {8, 384}})
    CHECK(contains(result, {k, 12, 768, width, 12, 12, 64}));
  CHECK(result.found == 6);  // and K = 3: 1024
  CHECK(result.exact == 6);
}

TEST_CASE("half as many layers at twice the width is found with attention as wide as the model",
          "[arch][search]") {
  auto const result = search({.attention = AttentionWidth::d_model}, paper, {.tolerance = 0});
  CHECK(contains(result, {4, 6, 1536, 512, 24, 24, 64}));
  for (auto const& match : result.best) {
    CHECK(match.configuration.heads * 64 == match.configuration.d_model);
    CHECK(match.parameters == paper);
  }
}

TEST_CASE("attention parameters can be fixed instead of the attention width", "[arch][search]") {
  constexpr std::int64_t attention = 28'311'552;
  auto const result = search({.attention_parameters = attention}, paper, {.tolerance = 0});
  CHECK(contains(result, {4, 12, 768, 768, 12, 12, 64}));
  CHECK(result.found > 6);
  for (auto const& match : result.best) CHECK(match.attention == attention);
}

TEST_CASE("every match is within the tolerance, and a scan of all widths finds no other",
          "[arch][search]") {
  SearchSpace const space{.sub_blocks = {1, 4},
                          .layers = {2, 6, 2},
                          .d_model = {32, 96, 8},
                          .heads = {1, 8},
                          .kv_heads = {0, 3},
                          .head_dim = {8, 8},
                          .width_grain = 2,
                          .activation = Activation::gelu};
  for (double const tolerance : {0., 1e-3, 2e-2}) {
    for (auto const attention : {AttentionWidth::any, AttentionWidth::d_model}) {
      for (std::int64_t const target : {100'000, 65'536}) {
        auto given = space;
        given.attention = attention;
        auto const result = search(given, target, {.tolerance = tolerance, .limit = 1'000'000});
        std::multiset<Configuration> found;
        for (auto const& match : result.best) {
          found.insert(match.configuration);
          CHECK(match.parameters == parameters(match.configuration, Activation::gelu));
        }
        auto const scanned = scan(given, target, tolerance);
        CHECK(std::set<Configuration>(found.begin(), found.end()) == scanned);
        CHECK(result.found == static_cast<std::int64_t>(scanned.size()));
        CHECK(found.size() == scanned.size());
      }
    }
  }
}

TEST_CASE("a configuration and its plan have the same counts", "[arch][search]") {
  auto const result = search({.heads = {4, 24, 4}, .kv_heads = {2, 4, 2}}, paper, {.limit = 50});
  REQUIRE(result.best.size() == 50);
  for (auto const& match : result.best) {
    auto const plan = plan_of(match.configuration, {.vocab = 1000});
    CHECK_NOTHROW(validate(plan));
    CHECK(parameters(plan, Count::matrices) == match.parameters);
    CHECK(parameters(plan, Count::attention) == match.attention);
    CHECK(std::abs(match.parameters - paper) <= 1132);
  }
}

TEST_CASE("matches are listed best first and the limit keeps the best", "[arch][search]") {
  auto const all = search({}, paper, {.limit = 1'000'000});
  CHECK(all.best.size() == static_cast<std::size_t>(all.found));
  CHECK(all.exact > 0);
  auto const aspect = [](Match const& m) {
    return static_cast<double>(m.configuration.d_model) / m.configuration.layers;
  };
  auto const ratio = [](Match const& m) {
    return std::abs(static_cast<double>(m.configuration.width) / m.configuration.d_model - .4);
  };
  for (std::size_t i = 1; i < all.best.size(); ++i) {
    auto const& a = all.best[i - 1];
    auto const& b = all.best[i];
    auto const off_a = std::abs(a.parameters - paper), off_b = std::abs(b.parameters - paper);
    REQUIRE(off_a <= off_b);
    bool const both_good =
        aspect(a) >= 100 && aspect(a) <= 250 && aspect(b) >= 100 && aspect(b) <= 250;
    if (off_a == off_b && both_good) REQUIRE(ratio(a) <= ratio(b));
  }
  auto const few = search({}, paper, {.limit = 7});
  REQUIRE(few.best.size() == 7);
  CHECK(few.found == all.found);
  for (std::size_t i = 0; i < 7; ++i) CHECK(few.best[i].configuration == all.best[i].configuration);
  CHECK(search({}, paper, {.limit = 0}).found == all.found);
}

TEST_CASE("the share of the FFN and the ratio of widths are bounds", "[arch][search]") {
  auto const result = search(
      {.sub_blocks = {2, 8}, .lowest_ratio = .4, .highest_ratio = .6, .highest_ffn_share = .5},
      paper);
  REQUIRE(result.found > 0);
  for (auto const& match : result.best) {
    CHECK(2 * match.attention >= match.parameters);
    double const ratio =
        static_cast<double>(match.configuration.width) / match.configuration.d_model;
    CHECK((ratio >= .4 && ratio <= .6));
  }
}

TEST_CASE("a ratio bound that is whole but for rounding keeps its end", "[arch][search]") {
  // 0.1 * 160 is 16 only up to the last bit.
  Configuration const c{1, 4, 160, 16, 2, 2, 16};
  SearchSpace const space{.sub_blocks = {1, 1},
                          .layers = {4, 4},
                          .d_model = {160, 160},
                          .heads = {2, 2},
                          .head_dim = {16, 16}};
  CHECK(contains(search(space, parameters(c, space.activation), {.tolerance = 0}), c));
}

TEST_CASE("a bad bound is refused by the name of its field", "[arch][search]") {
  auto const refused = [](SearchSpace const& space, std::string const& part) {
    CHECK_THROWS_WITH(search(space, paper), Catch::Matchers::Contains(part));
  };
  refused({.sub_blocks = {0, 8}}, "search: sub_blocks: needs 1 <= low <= high <= 256");
  refused({.layers = {8, 4}}, "search: layers: ");
  refused({.d_model = {256, 4096, 0}}, "search: d_model: ");
  refused({.heads = {1, 1 << 20}}, "search: heads: ");
  refused({.kv_heads = {-1, 2}}, "search: kv_heads: ");
  refused({.head_dim = {0, 64}}, "search: head_dim: ");
  refused({.attention_parameters = -1}, "search: attention_parameters: ");
  refused({.width_grain = 0}, "search: width_grain: ");
  refused({.lowest_ratio = 5}, "search: lowest_ratio, highest_ratio: ");
  refused({.highest_ffn_share = 2}, "search: lowest_ffn_share, highest_ffn_share: ");
  refused({.layers = {1, 4096}, .d_model = {1, 1 << 20}, .heads = {1, 4096}}, "more than 1e10");
  CHECK_THROWS_WITH(search({}, 0), Catch::Matchers::Contains("search: target: "));
  CHECK_THROWS_WITH(search({}, paper, {.tolerance = -1}),
                    Catch::Matchers::Contains("search: tolerance: "));
  CHECK_THROWS_WITH(search({}, paper, {.limit = 1u << 30}),
                    Catch::Matchers::Contains("search: limit: "));
  CHECK_THROWS_WITH(search({}, paper, {.best_ratio = -1}),
                    Catch::Matchers::Contains("search: best_ratio: "));
}

TEST_CASE("a configuration is counted at compile time", "[arch][search]") {
  STATIC_REQUIRE(parameters(Configuration{4, 6, 1536, 512, 24, 24, 64}, Activation::swiglu) ==
                 paper);
}
