#include <tailor/cpu/ffn.hpp>
#include <tailor/nn/ffn.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace tailor;

namespace {

/// Inputs and outputs of a forward and a backward pass in one arena, with random values.
template <class T>
struct Block {
  FfnKind kind;
  int tokens, d, width;
  std::vector<T> arena;

  Block(FfnKind kind_, int tokens_, int d_, int width_)
      : kind(kind_), tokens(tokens_), d(d_), width(width_) {
    arena.resize(std::size_t(4 * tokens * d + 6 * width * d + 4 * tokens * width));
    std::mt19937 random(11);
    std::normal_distribution<double> normal(0, 0.5);
    for (T& value : arena) value = T(normal(random));
  }

  struct Views {
    FfnForward<T> forward;
    FfnBackward<T> backward;
  };
  Views views() {
    T* at = arena.data();
    auto const next = [&](int rows, int cols) {
      T* const data = at;
      at += std::int64_t{rows} * cols;
      return matrix(data, rows, cols);
    };
    auto const x = next(tokens, d), y = next(tokens, d), dy = next(tokens, d), dx = next(tokens, d);
    int const gate_rows = is_gated(kind) ? width : 0;
    auto const gate = next(gate_rows, d), dgate = next(gate_rows, d);
    auto const up = next(width, d), dup = next(width, d);
    auto const down = next(d, width), ddown = next(d, width);
    auto const hidden = next(tokens, 2 * width), dhidden = next(tokens, 2 * width);
    return {.forward = {.kind = kind,
                        .x = x,
                        .gate = gate,
                        .up = up,
                        .down = down,
                        .hidden = hidden,
                        .y = y,
                        .beta = T(0.5)},
            .backward = {.kind = kind,
                         .x = x,
                         .gate = gate,
                         .up = up,
                         .down = down,
                         .dy = dy,
                         .dx = dx,
                         .gate_gradient = dgate,
                         .up_gradient = dup,
                         .down_gradient = ddown,
                         .hidden = hidden,
                         .hidden_gradient = dhidden,
                         .beta = T(0.5)}};
  }

  /// y, dx and the weight gradients, one after another.
  std::vector<T> results() {
    auto const v = views();
    std::vector<T> all;
    for (auto const& m : {v.forward.y, v.backward.dx, v.backward.gate_gradient,
                          v.backward.up_gradient, v.backward.down_gradient}) {
      all.insert(all.end(), m.data, m.data + std::int64_t{m.rows} * m.cols);
    }
    return all;
  }
};

FfnKind const kinds[] = {FfnKind::swiglu, FfnKind::geglu, FfnKind::gelu, FfnKind::relu2};

template <class T>
std::vector<T> own(FfnKind kind, int threads, int tokens, int d, int width) {
  cpu::Device dev{{.threads = threads}};
  Block<T> block(kind, tokens, d, width);
  ffn(dev, block.views().forward);
  ffn(dev, block.views().backward);
  return block.results();
}

template <class T>
std::vector<T> generic(FfnKind kind, int tokens, int d, int width) {
  cpu::Device dev{{.threads = 1}};
  Block<T> block(kind, tokens, d, width);
  tailor::ffn(dev, block.views().forward);
  tailor::ffn(dev, block.views().backward);
  return block.results();
}

}  // namespace

TEMPLATE_TEST_CASE("the FFN of the CPU device equals the generic body", "", float, double) {
  auto const kind = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  struct Shape {
    int tokens, d, width;
  };
  for (auto const [tokens, d, width] : {Shape{0, 4, 5}, Shape{1, 8, 3}, Shape{167, 24, 40},
                                        Shape{700, 16, 171}, Shape{90, 64, 900}}) {
    auto const a = own<TestType>(kind, 2, tokens, d, width);
    auto const b = generic<TestType>(kind, tokens, d, width);
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      worst = std::max(worst, double(std::abs(a[i] - b[i])));
      scale = std::max(scale, double(std::abs(b[i])));
    }
    CHECK(worst <= (sizeof(TestType) == 4 ? 2e-6 : 1e-14) * scale);
  }
}

TEST_CASE("the FFN has the same bits for every number of threads") {
  auto const kind = GENERATE(FfnKind::swiglu, FfnKind::gelu);
  auto const one = own<float>(kind, 1, 1500, 24, 171);
  CHECK(own<float>(kind, 2, 1500, 24, 171) == one);
  CHECK(own<float>(kind, 5, 1500, 24, 171) == one);
  CHECK(own<float>(kind, 40, 1500, 24, 171) == one);
}
