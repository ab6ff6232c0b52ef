#include <tailor/nn/rope.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

#include <complex>

using namespace tailor;

namespace {

constexpr int heads = 3, head_dim = 10, half = head_dim / 2, length = 7, positions = 16;

template <class T, class D>
void rotate(D& dev, std::vector<T>& x, RopeTable<T> const& table, int first, bool inverse = false) {
  int const rows = int(x.size()) / (heads * head_dim);
  rope(dev, Rope<T>{.x = matrix(x.data(), rows, heads * head_dim),
                    .cosines = matrix(table.cosines.data(), positions, half),
                    .sines = matrix(table.sines.data(), positions, half),
                    .heads = heads,
                    .head_dim = head_dim,
                    .length = length,
                    .first_position = first,
                    .inverse = inverse});
}

}  // namespace

TEMPLATE_TEST_CASE("RoPE turns element i and i + head_dim / 2 as one complex number", "[nn]",
                   TestDevice, naive::Device) {
  TestType dev;
  auto const frequencies = rope_frequencies(head_dim, 10000);
  auto const x = normal_values<double>(2 * length * heads * head_dim, 1);
  auto y = x;
  rotate(dev, y, rope_table<double>(positions, frequencies), 4);
  std::vector<double> expected(x.size());
  for (int token = 0; token < 2 * length; ++token) {
    for (int head = 0; head < heads; ++head) {
      for (int i = 0; i < half; ++i) {
        int const at = (token * heads + head) * head_dim + i;
        double const angle = (4 + token % length) * std::pow(10000.0, -i / double(half));
        auto const turned = std::complex(x[at], x[at + half]) * std::polar(1.0, angle);
        expected[at] = turned.real();
        expected[at + half] = turned.imag();
      }
    }
  }
  CHECK(relative_distance(y, expected) < tolerance<double>);
}

TEMPLATE_TEST_CASE("inverse undoes RoPE, and is its gradient", "[nn]", TestDevice, naive::Device) {
  TestType dev;
  auto const table = rope_table<double>(positions, rope_frequencies(head_dim, 500));
  auto x = normal_values<double>(length * heads * head_dim, 1);
  auto const dy = normal_values<double>(length * heads * head_dim, 2);
  auto back = x, dx = dy;
  rotate(dev, back, table, 3);
  rotate(dev, back, table, 3, true);
  CHECK(relative_distance(back, x) < tolerance<double>);
  rotate(dev, dx, table, 3, true);
  auto const value = [&] {
    auto y = x;
    rotate(dev, y, table, 3);
    return dot(y, dy);
  };
  CHECK(gradient_error(x, dx, value) < gradient_tolerance);
}

TEST_CASE("rotated queries and keys meet by the difference of their positions alone", "[nn]") {
  TestDevice dev;
  auto const table = rope_table<double>(positions, rope_frequencies(head_dim, 10000));
  // Every token holds the same vector, so that products differ by positions only.
  auto const token = normal_values<double>(heads * head_dim, 1);
  std::vector<double> x;
  for (int i = 0; i < length; ++i) x.insert(x.end(), token.begin(), token.end());
  auto const product = [&](int i, int j) {
    double sum = 0;
    for (int c = 0; c < head_dim; ++c) {
      sum += x[i * heads * head_dim + c] * x[j * heads * head_dim + c];
    }
    return sum;
  };
  rotate(dev, x, table, 5);
  CHECK(product(3, 1) == Approx(product(6, 4)).epsilon(1e-12));
  CHECK(std::abs(product(3, 1) - product(3, 2)) > 1e-3);
}

TEST_CASE("RoPE frequencies fall from 1 to almost 1 / base", "[nn]") {
  auto const frequencies = rope_frequencies(64, 10000);
  REQUIRE(frequencies.size() == 32);
  CHECK(frequencies.front() == 1);
  CHECK(frequencies.back() == Approx(1e-4 * std::pow(10000.0, 1.0 / 32)).epsilon(1e-12));
}

TEST_CASE("linear scaling divides every RoPE frequency", "[nn]") {
  auto const plain = rope_frequencies(8, 10000);
  auto const scaled = rope_frequencies(8, 10000, {.kind = RopeScaling::Kind::linear, .factor = 8});
  for (int i = 0; i < 4; ++i) CHECK(scaled[i] == plain[i] / 8);
}

// The settings of Llama 3.1.
TEST_CASE("llama3 scaling keeps short waves, stretches long ones and blends between", "[nn]") {
  RopeScaling const scaling{.kind = RopeScaling::Kind::llama3,
                            .factor = 8,
                            .low_frequency_factor = 1,
                            .high_frequency_factor = 4,
                            .original_context = 8192};
  auto const plain = rope_frequencies(128, 500000);
  auto const scaled = rope_frequencies(128, 500000, scaling);
  constexpr double turn = 6.283185307179586;
  int kept = 0, blended = 0, stretched = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    double const wave = turn / plain[i];
    if (wave < 8192 / 4.0) {
      ++kept;
      CHECK(scaled[i] == plain[i]);
    } else if (wave > 8192) {
      ++stretched;
      CHECK(scaled[i] == plain[i] / 8);
    } else {
      ++blended;
      double const share = (8192 / wave - 1) / 3;
      CHECK(scaled[i] == Approx(plain[i] * ((1 - share) / 8 + share)).epsilon(1e-12));
      CHECK(scaled[i] < plain[i]);
      CHECK(scaled[i] > plain[i] / 8);
    }
    if (i > 0) CHECK(scaled[i] < scaled[i - 1]);
  }
  CHECK((kept > 0 && blended > 0 && stretched > 0));
}

TEST_CASE("RoPE refuses odd heads and tables that end too early", "[nn]") {
  TestDevice dev;
  CHECK(thrown_message<std::invalid_argument>([] { rope_frequencies(7, 10000); }) ==
        "rope_frequencies: head_dim must be even and not negative");
  auto x = normal_values<double>(length * heads * head_dim, 1);
  auto const table = rope_table<double>(positions, rope_frequencies(head_dim, 10000));
  CHECK(thrown_message<std::invalid_argument>([&] { rotate(dev, x, table, 10); }) ==
        "rope: the tables must reach the last position");
}
