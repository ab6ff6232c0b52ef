#include <tailor/device/projections.hpp>

#include "support/catch.hpp"
#include "support/naive_device.hpp"

#include <cmath>
#include <vector>

using namespace tailor;

namespace {

constexpr int tokens = 3, inputs = 4, first = 2, second = 5;

/// Two matrices of one input, with `gap` elements between them and between their values.
struct Pair {
  int gap;
  std::vector<double> weights, gradients, values, in, dx;

  explicit Pair(int gap_) : gap(gap_) {
    int const count = (first + second) * inputs + gap;
    for (int i = 0; i < count; ++i) weights.push_back(std::sin(i < first * inputs ? i : i - gap));
    gradients.assign(weights.size(), 1);
    values.assign(std::size_t(tokens * (first + second + gap)), 0);
    for (int i = 0; i < tokens * inputs; ++i) in.push_back(std::cos(i));
    dx.assign(in.size(), 2);
  }
  Projections<double> all() {
    auto const hidden = matrix(values.data(), tokens, first + second + gap);
    Projections<double> list;
    list.add({.weight = matrix(weights.data(), first, inputs),
              .values = cols_of(hidden, 0, first),
              .weight_gradient = matrix(gradients.data(), first, inputs)});
    list.add({.weight = matrix(weights.data() + first * inputs + gap, second, inputs),
              .values = cols_of(hidden, first + gap, second),
              .weight_gradient = matrix(gradients.data() + first * inputs + gap, second, inputs)});
    return list;
  }
  /// Runs everything and returns the number of products.
  int run() {
    naive::Device dev;
    auto const x = matrix<Host>(static_cast<double const*>(in.data()), tokens, inputs);
    project<double>(dev, x, all());
    input_gradient(dev, all(), matrix(dx.data(), tokens, inputs), 0.5);
    add_weight_gradients<double>(dev, x, all());
    return dev.products;
  }
};

}  // namespace

TEST_CASE("projections that lie side by side are one product, with the same results") {
  Pair joined(0), apart(3);
  CHECK(joined.run() == 3);
  CHECK(apart.run() == 6);
  for (int t = 0; t < tokens; ++t) {
    for (int j = 0; j < first + second; ++j) {
      int const at = t * (first + second + 3) + (j < first ? j : j + 3);
      CHECK(joined.values[std::size_t(t * (first + second) + j)] == apart.values[std::size_t(at)]);
    }
  }
  for (std::size_t i = 0; i < joined.dx.size(); ++i) {
    CHECK(joined.dx[i] == Approx(apart.dx[i]).epsilon(1e-14));
  }
  for (int i = 0; i < (first + second) * inputs; ++i) {
    CHECK(joined.gradients[std::size_t(i)] ==
          apart.gradients[std::size_t(i < first * inputs ? i : i + 3)]);
  }
}
