#include <tailor/cpu/attention.hpp>
#include <tailor/nn/attention.hpp>

#include "support/attention_case.hpp"
#include "support/catch.hpp"
#include "support/cpu_devices.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

namespace {

template <class T>
std::vector<AttentionSizes<T>> kinds() {
  return {{.length = 1, .keys = 200, .heads = 4, .kv_heads = 2, .head_dim = 16, .scale = T(.3)},
          {.sequences = 3,
           .length = 130,
           .keys = 130,
           .heads = 4,
           .kv_heads = 2,
           .head_dim = 16,
           .scale = T(.3)},
          {.sequences = 2,
           .length = 61,
           .keys = 61,
           .heads = 2,
           .kv_heads = 2,
           .head_dim = 37,
           .window = 20,
           .scale = T(.3)},
          {.length = 150,
           .keys = 400,
           .heads = 3,
           .kv_heads = 1,
           .head_dim = 5,
           .window = 150,
           .scale = T(.3),
           .soft_cap = T(2)}};
}

template <class T>
std::vector<T> results(AttentionCase<T> const& c) {
  std::vector<T> all;
  for (auto const* list : {&c.y, &c.log_sum_exp, &c.dq, &c.dk, &c.dv}) {
    all.insert(all.end(), list->begin(), list->end());
  }
  return all;
}

/// The case as any other device computes it: by the generic body, on the primitives of the CPU.
template <class T>
std::vector<T> generic(AttentionSizes<T> sizes) {
  cpu::Device dev{{.threads = 1}};
  AttentionCase<T> c(sizes);
  tailor::attention(dev, c.forward_args());
  tailor::attention(dev, c.backward_args());
  return results(c);
}

template <class T>
std::vector<T> own(cpu::Device& dev, AttentionSizes<T> sizes) {
  AttentionCase<T> c(sizes);
  c.forward(dev);
  c.backward(dev);
  return results(c);
}

}  // namespace

TEMPLATE_TEST_CASE("the attention of the CPU device equals the generic body", "[cpu]", float,
                   double) {
  auto const set = GENERATE(from_range(instruction_sets()));
  INFO(name(set));
  cpu::Device dev{{.threads = 2, .instruction_set = set}};
  for (auto const& sizes : kinds<TestType>()) {
    CHECK(relative_distance(own(dev, sizes), generic(sizes)) < tolerance<TestType>);
  }
}

TEST_CASE("attention has the same bits for 1, 2, 3 and 5 threads", "[cpu]") {
  auto const set = GENERATE(from_range(instruction_sets()));
  for (auto const& sizes : kinds<float>()) {
    std::vector<std::vector<float>> all;
    for (int threads : {1, 2, 3, 5}) {
      cpu::Device dev{{.threads = threads, .instruction_set = set}};
      all.push_back(own(dev, sizes));
    }
    for (auto const& result : all) CHECK(result == all[0]);
  }
}

TEST_CASE("a sequence's attention does not depend on the sequences beside it", "[cpu]") {
  cpu::Device dev{{.threads = 2}};
  AttentionSizes<float> sizes{.sequences = 3,
                              .length = 45,
                              .keys = 45,
                              .heads = 2,
                              .kv_heads = 1,
                              .head_dim = 8,
                              .scale = 1};
  AttentionCase<float> together(sizes);
  together.forward(dev);
  sizes.sequences = 1;
  AttentionCase<float> alone(sizes);
  alone.forward(dev);
  CHECK(std::equal(alone.y.begin(), alone.y.end(), together.y.begin()));
}

TEST_CASE("the CPU device refuses heads that its scratch cannot hold", "[cpu]") {
  cpu::Device dev{{.threads = 1}};
  AttentionCase<float> c({.length = 2, .keys = 2, .head_dim = 2049, .scale = .02f});
  CHECK(thrown_message<std::invalid_argument>([&] { c.forward(dev); }) ==
        "attention: head_dim must be at most 2048");
  CHECK(thrown_message<std::invalid_argument>([&] { c.backward(dev); }) ==
        "attention backward: head_dim must be at most 2048");
  AttentionCase<double> widest({.length = 40, .keys = 150, .head_dim = 2048, .scale = .02});
  auto const expected = widest.reference();
  widest.forward(dev);
  widest.backward(dev);
  CHECK(relative_distance(widest.y, expected.y) < tolerance<double>);
}
