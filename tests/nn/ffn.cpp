#include <tailor/arch/dims.hpp>
#include <tailor/nn/ffn.hpp>

#include "support/catch.hpp"
#include "support/naive_device.hpp"

#include <cmath>
#include <random>
#include <vector>

using namespace tailor;

namespace {

/// A sub-block in double with room for everything.
struct Block {
  int tokens, d, width;
  FfnKind kind;
  std::vector<double> x, gate, up, down, y, dy, dx, dgate, dup, ddown, hidden, dhidden;

  Block(FfnKind k, int tokens_, int d_, int width_)
      : tokens(tokens_), d(d_), width(width_), kind(k) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    auto const drawn = [&](int size) {
      std::vector<double> values(static_cast<std::size_t>(size));
      for (double& value : values) value = normal(random);
      return values;
    };
    x = drawn(tokens * d), y = drawn(tokens * d), dy = drawn(tokens * d), dx = drawn(tokens * d);
    gate = drawn(gate_rows() * d), up = drawn(width * d), down = drawn(d * width);
    dgate = drawn(gate_rows() * d), dup = drawn(width * d), ddown = drawn(d * width);
    hidden = drawn(tokens * 2 * width), dhidden = drawn(tokens * 2 * width);
  }
  int gate_rows() const { return is_gated(kind) ? width : 0; }

  FfnForward<double> forward(double beta) {
    return {.kind = kind,
            .x = matrix(x.data(), tokens, d),
            .gate = matrix(gate.data(), gate_rows(), d),
            .up = matrix(up.data(), width, d),
            .down = matrix(down.data(), d, width),
            .hidden = matrix(hidden.data(), tokens, 2 * width),
            .y = matrix(y.data(), tokens, d),
            .beta = beta};
  }
  FfnBackward<double> backward(double beta) {
    return {.kind = kind,
            .x = matrix(x.data(), tokens, d),
            .gate = matrix(gate.data(), gate_rows(), d),
            .up = matrix(up.data(), width, d),
            .down = matrix(down.data(), d, width),
            .dy = matrix(dy.data(), tokens, d),
            .dx = matrix(dx.data(), tokens, d),
            .gate_gradient = matrix(dgate.data(), gate_rows(), d),
            .up_gradient = matrix(dup.data(), width, d),
            .down_gradient = matrix(ddown.data(), d, width),
            .hidden = matrix(hidden.data(), tokens, 2 * width),
            .hidden_gradient = matrix(dhidden.data(), tokens, 2 * width),
            .beta = beta};
  }

  /// dy . ffn(x), whose gradients the backward pass gives.
  double projection() {
    naive::Device dev;
    ffn(dev, forward(0));
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += dy[i] * y[i];
    return sum;
  }

  /// The largest error of `gradient` as the derivative of projection() by `values`.
  double worst_error(std::vector<double>& values, std::vector<double> const& gradient) {
    double worst = 0, scale = 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double const held = values[i], step = 1e-5;
      values[i] = held + step;
      double const above = projection();
      values[i] = held - step;
      double const below = projection();
      values[i] = held;
      scale = std::max(scale, std::abs(gradient[i]));
      worst = std::max(worst, std::abs((above - below) / (2 * step) - gradient[i]));
    }
    return worst / scale;
  }
};

FfnKind const kinds[] = {FfnKind::swiglu, FfnKind::geglu, FfnKind::gelu, FfnKind::relu2};

double curve(FfnKind kind, double x) {
  if (kind == FfnKind::swiglu) return x / (1 + std::exp(-x));
  if (kind == FfnKind::relu2) return x > 0 ? x * x : 0;
  return x / 2 *
         (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
}

}  // namespace

TEST_CASE("the FFN is down act(gate x, up x), added to beta y") {
  auto const kind = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  Block block(kind, 3, 4, 5);
  auto const before = block.y;
  naive::Device dev;
  ffn(dev, block.forward(0.5));
  auto const a = block.forward(0);
  for (int t = 0; t < block.tokens; ++t) {
    for (int i = 0; i < block.d; ++i) {
      double expected = 0.5 * before[static_cast<std::size_t>(t * block.d + i)];
      for (int unit = 0; unit < block.width; ++unit) {
        double g = 0, u = 0;
        for (int j = 0; j < block.d; ++j) {
          u += a.up(unit, j) * a.x(t, j);
          if (is_gated(kind)) g += a.gate(unit, j) * a.x(t, j);
        }
        expected += a.down(i, unit) * (is_gated(kind) ? curve(kind, g) * u : curve(kind, u));
      }
      CHECK(a.y(t, i) == Approx(expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("FFN gradients agree with central differences of the forward pass") {
  auto const kind = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  Block block(kind, 3, 4, 5);
  for (auto* gradient : {&block.dgate, &block.dup, &block.ddown}) {
    gradient->assign(gradient->size(), 0);
  }
  naive::Device dev;
  ffn(dev, block.backward(0));
  CHECK(block.worst_error(block.x, block.dx) < 1e-8);
  CHECK(block.worst_error(block.gate, block.dgate) < 1e-8);
  CHECK(block.worst_error(block.up, block.dup) < 1e-8);
  CHECK(block.worst_error(block.down, block.ddown) < 1e-8);
}

TEST_CASE("FFN weight gradients are added to, and dx to beta dx") {
  auto const kind = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  naive::Device dev;
  Block once(kind, 3, 4, 5), twice(kind, 3, 4, 5);
  auto const dx = once.dx, dup = once.dup;
  ffn(dev, once.backward(0));
  ffn(dev, twice.backward(0.25));
  for (std::size_t i = 0; i < dx.size(); ++i) {
    CHECK(twice.dx[i] == Approx(once.dx[i] + 0.25 * dx[i]));
  }
  ffn(dev, once.backward(0));
  for (std::size_t i = 0; i < dup.size(); ++i) {
    CHECK(once.dup[i] - dup[i] == Approx(2 * (twice.dup[i] - dup[i])));
  }
}

TEST_CASE("a unit whose down column is zero does not change the result") {
  Block narrow(FfnKind::swiglu, 3, 4, 5), wide(FfnKind::swiglu, 3, 4, 6);
  wide.x = narrow.x;
  for (int i = 0; i < 5 * 4; ++i) {
    wide.gate[std::size_t(i)] = narrow.gate[std::size_t(i)];
    wide.up[std::size_t(i)] = narrow.up[std::size_t(i)];
  }
  for (int i = 0; i < 4; ++i) {
    for (int unit = 0; unit < 5; ++unit) {
      wide.down[std::size_t(i * 6 + unit)] = narrow.down[std::size_t(i * 5 + unit)];
    }
    wide.down[std::size_t(i * 6 + 5)] = 0;
  }
  naive::Device dev;
  ffn(dev, narrow.forward(0));
  ffn(dev, wide.forward(0));
  CHECK(narrow.y == wide.y);
}

TEST_CASE("an FFN is gated where its activation has three matrices") {
  for (auto activation :
       {Activation::swiglu, Activation::geglu, Activation::gelu, Activation::relu2}) {
    CHECK(is_gated(ffn_kind(activation)) == (matrices_of(activation) == 3));
  }
}

TEST_CASE("an FFN whose shapes do not fit is refused") {
  naive::Device dev;
  Block block(FfnKind::gelu, 3, 4, 5);
  auto forward = block.forward(0);
  forward.down = matrix(block.down.data(), 4, 4);
  CHECK_THROWS_AS(ffn(dev, forward), std::invalid_argument);
  auto backward = block.backward(0);
  backward.gate = backward.up;
  CHECK_THROWS_AS(ffn(dev, backward), std::invalid_argument);
}
