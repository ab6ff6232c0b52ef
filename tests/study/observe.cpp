#include <tailor/study/observe.hpp>  // under test

#include <tailor/arch/plan_of.hpp>  // tailor::uniform_plan
#include <tailor/cpu.hpp>           // tailor::cpu::Device

#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"

namespace {

tailor::Plan small_plan() {
  return tailor::uniform_plan({.d_model = 8, .layers = 3, .heads = 2, .vocab = 16, .context = 12},
                              12);
}

std::vector<std::int32_t> text_of(int size) {
  std::vector<std::int32_t> text;
  for (int i = 0; i < size; ++i) text.push_back((i * i + i / 7) % 16);
  return text;
}

bool equal(tailor::HostMatrix const& a, tailor::HostMatrix const& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.cols(); ++j) {
      if (a.view()(i, j) != b.view()(i, j)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("the clouds do not depend on how many windows pass at a time", "[study]") {
  tailor::cpu::Device device({.threads = 1});
  auto const model = tailor::build<float>(device, small_plan());
  auto const text = text_of(500);
  auto const one = tailor::observe(device, model, text,
                                   {.tokens = 50, .per_window = 4, .sequences = 1, .seed = 3});
  auto const many = tailor::observe(device, model, text,
                                    {.tokens = 50, .per_window = 4, .sequences = 5, .seed = 3});
  REQUIRE(one.size() == 3);
  REQUIRE(many.size() == 3);
  for (std::size_t l = 0; l < one.size(); ++l) {
    CHECK(one[l].tokens() == 50);
    CHECK(one[l].d_model() == 8);
    CHECK(equal(one[l].before, many[l].before));
    CHECK(equal(one[l].after, many[l].after));
  }
  CHECK(one[0].layer == "layer 00");
}

TEST_CASE("a layer's cloud after its FFN without FFN weights is its cloud before", "[study]") {
  tailor::cpu::Device device({.threads = 1});
  auto model = tailor::build<float>(device, small_plan());
  for (auto const& tensor : model.layout.tensors) {
    if (!tensor.name.ends_with("ffn.0.down")) continue;
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      model.parameters.view()[tensor.offset + i] = 0;
    }
  }
  for (auto const& cloud : tailor::observe(device, model, text_of(500), {.tokens = 32})) {
    CHECK(equal(cloud.before, cloud.after));
  }
}

TEST_CASE("layers without an FFN have no cloud", "[study]") {
  tailor::cpu::Device device({.threads = 1});
  auto const plan = tailor::with_widths(small_plan(), {12, 0, 12});
  auto const model = tailor::build<float>(device, plan);
  auto const clouds = tailor::observe(device, model, text_of(500), {.tokens = 16});
  REQUIRE(clouds.size() == 2);
  CHECK(clouds[0].layer == "layer 00");
  CHECK(clouds[1].layer == "layer 02");
}

TEST_CASE("no token is observed twice", "[study]") {
  auto const where = tailor::detail::observed_tokens(
      1000, 10, {.tokens = 95, .per_window = 3, .sequences = 4, .seed = 1});
  std::set<std::int64_t> tokens;
  std::int64_t count = 0;
  for (std::size_t w = 0; w < where.starts.size(); ++w) {
    for (int position : where.positions[w]) {
      tokens.insert(where.starts[w] + position);
      ++count;
    }
  }
  CHECK(count == 95);
  CHECK(std::int64_t(tokens.size()) == count);
}

TEST_CASE("a text too small to observe is told with what it needs", "[study]") {
  tailor::cpu::Device device({.threads = 1});
  auto const model = tailor::build<float>(device, small_plan());
  CHECK_THROWS_WITH(tailor::observe(device, model, text_of(100), {.tokens = 64, .per_window = 4}),
                    Catch::Contains("need a text of 193 tokens, got 100"));
  CHECK_THROWS_AS(tailor::observe(device, model, text_of(100), {.tokens = 0}),
                  std::invalid_argument);
  CHECK_THROWS_AS(tailor::observe(device, model, text_of(100), {.tokens = 8, .per_window = 0}),
                  std::invalid_argument);
}
