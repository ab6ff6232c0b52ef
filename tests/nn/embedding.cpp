#include <tailor/nn/embedding.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

TEMPLATE_TEST_CASE("embedding copies scaled rows of the table", "[nn]", TestDevice, naive::Device) {
  TestType dev;
  auto const table = normal_values<double>(6 * 5, 1);
  std::vector<std::int32_t> const ids{5, 0, 5, 2};
  std::vector<double> x(4 * 5), expected;
  embedding(dev, EmbeddingForward<double>{.ids = {ids.data(), 4},
                                          .table = matrix(table.data(), 6, 5),
                                          .x = matrix(x.data(), 4, 5),
                                          .scale = 3});
  for (int id : ids) {
    for (int j = 0; j < 5; ++j) expected.push_back(3 * table[id * 5 + j]);
  }
  CHECK(x == expected);
}

TEMPLATE_TEST_CASE("equal ids are added in the order of their positions", "[nn]", TestDevice,
                   naive::Device) {
  TestType dev;
  constexpr int tokens = 300, vocab = 40, d = 19;
  std::mt19937 random(1);
  std::vector<std::int32_t> ids(tokens), order(tokens);
  for (auto& id : ids) id = int(random() % vocab / 2) * 2;  // odd ids never occur
  auto const dx = normal_values<float>(tokens * d, 2);
  auto gradient = normal_values<float>(vocab * d, 3);
  auto expected = gradient;
  for (int i = 0; i < tokens; ++i) {
    // std::fma or not is the compiler's choice, hence the tolerance below.
    for (int j = 0; j < d; ++j) expected[ids[i] * d + j] += .5f * dx[i * d + j];
  }
  embedding(dev, EmbeddingBackward<float>{.ids = {ids.data(), tokens},
                                          .order = {order.data(), tokens},
                                          .dx = matrix(dx.data(), tokens, d),
                                          .table_gradient = matrix(gradient.data(), vocab, d),
                                          .scale = .5f});
  CHECK(relative_distance(gradient, expected) < tolerance<float>);
}

TEST_CASE("the gradient of the embedding agrees with central differences", "[nn]") {
  TestDevice dev;
  std::vector<std::int32_t> const ids{1, 3, 1, 1, 0};
  std::vector<std::int32_t> order(5);
  auto table = normal_values<double>(4 * 3, 1);
  auto const dx = normal_values<double>(5 * 3, 2);
  std::vector<double> gradient(4 * 3), x(5 * 3);
  embedding(dev, EmbeddingBackward<double>{.ids = {ids.data(), 5},
                                           .order = {order.data(), 5},
                                           .dx = matrix(dx.data(), 5, 3),
                                           .table_gradient = matrix(gradient.data(), 4, 3),
                                           .scale = 2});
  auto const value = [&] {
    embedding(dev, EmbeddingForward<double>{.ids = {ids.data(), 5},
                                            .table = matrix(table.data(), 4, 3),
                                            .x = matrix(x.data(), 5, 3),
                                            .scale = 2});
    return dot(x, dx);
  };
  CHECK(gradient_error(table, gradient, value) < gradient_tolerance);
}

TEST_CASE("embedding names the argument that does not fit", "[nn]") {
  TestDevice dev;
  std::vector<std::int32_t> const ids(4);
  std::vector<float> table(12), x(12);
  CHECK(thrown_message<std::invalid_argument>([&] {
          embedding(dev, EmbeddingForward<float>{.ids = {ids.data(), 4},
                                                 .table = matrix(table.data(), 4, 3),
                                                 .x = matrix(x.data(), 3, 3)});
        }) == "embedding: x must be [4, 3], got [3, 3]");
}
