#include <tailor/nn/attention.hpp>

#include "support/attention_case.hpp"
#include "support/catch.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

namespace {

/// All kinds of attention, with lengths around the blocks in which it is computed.
template <class T>
std::vector<AttentionSizes<T>> all_kinds() {
  T const scale = T(.4);
  return {
      {.sequences = 1, .length = 1, .keys = 1, .head_dim = 1, .scale = scale},
      {.sequences = 2,
       .length = 5,
       .keys = 5,
       .heads = 3,
       .kv_heads = 3,
       .head_dim = 7,
       .scale = scale},
      {.sequences = 2,
       .length = 33,
       .keys = 33,
       .heads = 4,
       .kv_heads = 2,
       .head_dim = 16,
       .scale = scale},
      {.length = 65, .keys = 65, .heads = 6, .kv_heads = 1, .head_dim = 4, .scale = scale},
      {.sequences = 3,
       .length = 1,
       .keys = 20,
       .heads = 2,
       .kv_heads = 1,
       .head_dim = 8,
       .scale = scale},
      {.sequences = 2,
       .length = 40,
       .keys = 150,
       .heads = 2,
       .kv_heads = 2,
       .head_dim = 17,
       .scale = scale},
      {.length = 70,
       .keys = 70,
       .heads = 2,
       .kv_heads = 1,
       .head_dim = 6,
       .window = 1,
       .scale = scale},
      {.length = 140,
       .keys = 140,
       .heads = 2,
       .kv_heads = 2,
       .head_dim = 6,
       .window = 30,
       .scale = scale},
      {.length = 40,
       .keys = 300,
       .heads = 2,
       .kv_heads = 1,
       .head_dim = 33,
       .window = 140,
       .scale = scale},
      {.sequences = 2,
       .length = 9,
       .keys = 11,
       .heads = 2,
       .kv_heads = 2,
       .head_dim = 5,
       .scale = scale,
       .soft_cap = T(1.5)},
      {.length = 66,
       .keys = 66,
       .heads = 4,
       .kv_heads = 2,
       .head_dim = 8,
       .window = 20,
       .scale = scale,
       .soft_cap = T(2)},
  };
}

}  // namespace

TEMPLATE_TEST_CASE("attention equals its definition for groups, windows, caps and longer keys",
                   "[nn]", TestDevice, naive::Device) {
  TestType dev;
  for (auto const& sizes : all_kinds<double>()) {
    AttentionCase<double> wide(sizes);
    auto const expected = wide.reference();
    wide.forward(dev);
    CHECK(relative_distance(wide.y, expected.y) < tolerance<double>);
    CHECK(relative_distance(wide.log_sum_exp, expected.log_sum_exp) < tolerance<double>);
  }
  for (auto const& sizes : all_kinds<float>()) {
    AttentionCase<float> narrow(sizes);
    auto const expected = narrow.reference();
    narrow.forward(dev);
    CHECK(relative_distance(narrow.y, expected.y) < tolerance<float>);
    CHECK(relative_distance(narrow.log_sum_exp, expected.log_sum_exp) < tolerance<float>);
  }
}

TEMPLATE_TEST_CASE("the gradients of attention agree with central differences", "[nn]", TestDevice,
                   naive::Device) {
  TestType dev;
  for (auto const& sizes : all_kinds<double>()) {
    AttentionCase<double> c(sizes);
    c.forward(dev);
    c.backward(dev);
    auto const value = [&] {
      c.forward(dev);
      return dot(c.y, c.dy);
    };
    CHECK(gradient_error(c.q, c.dq, value) < gradient_tolerance);
    CHECK(gradient_error(c.k, c.dk, value) < gradient_tolerance);
    CHECK(gradient_error(c.v, c.dv, value) < gradient_tolerance);
  }
}

TEMPLATE_TEST_CASE(
    "a query's result does not depend on keys after its position or before its window", "[nn]",
    TestDevice, naive::Device) {
  TestType dev;
  AttentionSizes<double> const sizes{.length = 100,
                                     .keys = 100,
                                     .heads = 2,
                                     .kv_heads = 1,
                                     .head_dim = 8,
                                     .window = 30,
                                     .scale = 1};
  AttentionCase<double> before(sizes), after(sizes);
  // Query 60 sees keys 31 .. 60.
  for (int key = 0; key < 100; ++key) {
    if (key >= 31 && key <= 60) continue;
    for (int i = 0; i < 8; ++i) {
      after.k[key * 8 + i] += 100;
      after.v[key * 8 + i] *= -1e10;
    }
  }
  before.forward(dev);
  after.forward(dev);
  auto const row = [](auto const& c) {
    return std::vector<double>(c.y.begin() + 60 * 16, c.y.begin() + 61 * 16);
  };
  CHECK(row(before) == row(after));
}

TEST_CASE("the first query of a sequence returns its own value", "[nn]") {
  TestDevice dev;
  AttentionCase<float> c({.sequences = 2, .length = 9, .keys = 9, .head_dim = 5, .scale = 3});
  c.forward(dev);
  for (int sequence : {0, 1}) {
    for (int i = 0; i < 5; ++i) CHECK(c.y[sequence * 45 + i] == c.v[sequence * 45 + i]);
  }
}

TEST_CASE("query heads of one group read the same key head", "[nn]") {
  TestDevice dev;
  AttentionCase<double> grouped(
      {.length = 12, .keys = 12, .heads = 4, .kv_heads = 2, .head_dim = 3, .scale = 1});
  AttentionCase<double> repeated(
      {.length = 12, .keys = 12, .heads = 4, .kv_heads = 4, .head_dim = 3, .scale = 1});
  for (int key = 0; key < 12; ++key) {
    for (int head = 0; head < 4; ++head) {
      for (int i = 0; i < 3; ++i) {
        repeated.k[key * 12 + head * 3 + i] = grouped.k[key * 6 + head / 2 * 3 + i];
        repeated.v[key * 12 + head * 3 + i] = grouped.v[key * 6 + head / 2 * 3 + i];
      }
    }
  }
  grouped.forward(dev);
  repeated.forward(dev);
  CHECK(grouped.y == repeated.y);
}

TEMPLATE_TEST_CASE("keys of a sequence may have spare rows behind them", "[nn]", TestDevice,
                   naive::Device) {
  TestType dev;
  AttentionCase<double> c({.sequences = 3,
                           .length = 2,
                           .keys = 20,
                           .heads = 2,
                           .kv_heads = 1,
                           .head_dim = 4,
                           .scale = .5},
                          32);
  auto const expected = c.reference();
  c.forward(dev);
  CHECK(relative_distance(c.y, expected.y) < tolerance<double>);
}

TEST_CASE("large scores neither overflow nor vanish in attention", "[nn]") {
  TestDevice dev;
  AttentionCase<float> c(
      {.length = 40, .keys = 40, .heads = 1, .kv_heads = 1, .head_dim = 8, .scale = 1e4f});
  c.forward(dev);
  c.backward(dev);
  for (auto const* list : {&c.y, &c.dq, &c.dk, &c.dv}) {
    CHECK(std::all_of(list->begin(), list->end(), [](float x) { return std::isfinite(x); }));
  }
}

TEMPLATE_TEST_CASE("attention over no sequences or no queries does nothing", "[nn]", TestDevice,
                   naive::Device) {
  TestType dev;
  AttentionCase<float> none({.sequences = 0, .length = 4, .keys = 4, .scale = 1});
  AttentionCase<float> no_queries({.sequences = 2, .length = 0, .keys = 4, .scale = 1});
  none.forward(dev);
  none.backward(dev);
  no_queries.forward(dev);
  no_queries.backward(dev);
  CHECK(no_queries.dk == std::vector<float>(8, 0.0f));
}

TEST_CASE("attention needs scratch for two blocks of scores, not for all of them", "[nn]") {
  AttentionSizes<float> const sizes{
      .sequences = 4, .length = 4096, .keys = 4096, .heads = 32, .kv_heads = 8, .head_dim = 64};
  CHECK(attention_scratch(sizes) == 2 * 4 * std::int64_t{attention_block} * 4096);
}

TEMPLATE_TEST_CASE("attention says which sizes make no sense", "[nn]", TestDevice, naive::Device) {
  TestType dev;
  auto const message = [&](auto change) {
    return thrown_message<std::invalid_argument>([&] {
      AttentionCase<float> c({.length = 4, .keys = 4, .heads = 2, .kv_heads = 1, .head_dim = 2});
      change(c);
      c.forward(dev);
    });
  };
  CHECK(message([](auto& c) { c.sizes.keys = 3; }) ==
        "attention: sequences and length must not be negative, length at most keys");
  CHECK(message([](auto& c) { c.sizes.kv_heads = 3; }) ==
        "attention: heads must be a positive multiple of kv_heads");
  CHECK(message([](auto& c) { c.sizes.head_dim = 3; }) ==
        "attention: q must be [4, 6], got [4, 4]");
  CHECK(message([](auto& c) { c.scratch.resize(4); }) ==
        "attention: scratch must have attention_scratch(sizes) elements");
}
