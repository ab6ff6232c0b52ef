#pragma once
// A feed-forward sub-block on the CPU: panel by panel of tokens, so that the hidden values of a
// panel are still in the second-level cache when they are used.

#include <tailor/cpu/gemm.hpp>                       // tailor::cpu::gemm
#include <tailor/cpu/primitives.hpp>                 // tailor::cpu::rows
#include <tailor/device/check_ffn.hpp>               // tailor::check, tailor::is_gated
#include <tailor/device/operations/ffn.hpp>          // tailor::FfnForward, tailor::FfnBackward
#include <tailor/device/row_kernels/activation.hpp>  // tailor::activate

#include <algorithm>
#include <cstdint>

namespace tailor::cpu {

/// How tokens are cut into panels. The shape alone decides: so do the bits.
struct TokenPanels {
  int tokens, size;
  std::int64_t count;

  /// Panels whose hidden values take about half of a 1 MB second-level cache, in multiples of every
  /// row tile, but not so small that packing the weights for each outweighs the product.
  template <class T>
  static TokenPanels of(int tokens, int width) {
    constexpr int multiple = 84;
    std::int64_t const fitting = (512 << 10) / (2 * std::int64_t(sizeof(T)) * std::max(width, 1));
    int const size = int(std::clamp<std::int64_t>(fitting / multiple, 1, 8)) * multiple;
    return {tokens, size, (tokens + size - 1) / size};
  }

  int first(std::int64_t panel) const { return int(panel) * size; }
  int rows(std::int64_t panel) const { return std::min(size, tokens - first(panel)); }
};

/// y = beta y + down act(gate x, up x) on the CPU.
/// @post equals the generic body
/// @post the same bits for every number of threads
template <class T>
void ffn(Device& dev, FfnForward<T> const& a) {
  check(a);
  int const width = a.up.rows;
  auto const panels = TokenPanels::of<T>(a.x.rows, width);
  dev.workers().run(panels.count, [&](std::int64_t panel, int worker) {
    int const first = panels.first(panel), count = panels.rows(panel);
    // One piece of the scratch per worker, which stays in its cache; the last panel may be short.
    bool const enough = panels.count > dev.threads();
    auto const hidden = rows_of(a.hidden, enough ? worker * panels.size : first, count);
    auto const x = rows_of(a.x, first, count);
    auto const left = cols_of(hidden, 0, width);
    if (is_gated(a.kind)) {
      gemm(dev, Gemm<T>{.a = x, .b = transposed(a.gate), .c = left});
      gemm(dev, Gemm<T>{.a = x, .b = transposed(a.up), .c = cols_of(hidden, width, width)});
    } else {
      gemm(dev, Gemm<T>{.a = x, .b = transposed(a.up), .c = left});
    }
    activate(dev, a.kind, hidden, width);
    gemm(dev,
         Gemm<T>{
             .a = left, .b = transposed(a.down), .c = rows_of(a.y, first, count), .beta = a.beta});
  });
}

/// dx = gradient + beta dx, weight gradients += gradient, on the CPU.
/// @post equals the generic body
/// @post the same bits for every number of threads
template <class T>
void ffn(Device& dev, FfnBackward<T> const& a) {
  check(a);
  int const width = a.up.rows;
  bool const gated = is_gated(a.kind);
  auto const panels = TokenPanels::of<T>(a.x.rows, width);
  parallel(dev, panels.count, [&](std::int64_t panel) {
    int const first = panels.first(panel), count = panels.rows(panel);
    auto const hidden = rows_of(a.hidden, first, count);
    auto const gradient = rows_of(a.hidden_gradient, first, count);
    auto const x = rows_of(a.x, first, count);
    auto const dx = rows_of(a.dx, first, count);
    auto const left = cols_of(hidden, 0, width);
    auto const left_gradient = cols_of(gradient, 0, width);
    if (gated) gemm(dev, Gemm<T>{.a = x, .b = transposed(a.gate), .c = left});
    gemm(dev,
         Gemm<T>{.a = x, .b = transposed(a.up), .c = gated ? cols_of(hidden, width, width) : left});
    gemm(dev, Gemm<T>{.a = rows_of(a.dy, first, count), .b = a.down, .c = left_gradient});
    activate_backward(dev, a.kind, hidden, gradient, width);
    gemm(dev,
         Gemm<T>{
             .a = cols_of(gradient, gated ? width : 0, width), .b = a.up, .c = dx, .beta = a.beta});
    if (gated) gemm(dev, Gemm<T>{.a = left_gradient, .b = a.gate, .c = dx, .beta = 1});
  });
  // All tokens are summed in one product per matrix, whose cut the shape decides.
  auto const add = [&](MatrixView<T const> left, MatrixView<T const> right, MatrixView<T> out) {
    gemm(dev, Gemm<T>{.a = transposed(left), .b = right, .c = out, .beta = 1});
  };
  add(a.dy, cols_of(a.hidden, 0, width), a.down_gradient);
  add(cols_of(a.hidden_gradient, gated ? width : 0, width), a.x, a.up_gradient);
  if (gated) add(cols_of(a.hidden_gradient, 0, width), a.x, a.gate_gradient);
}

}  // namespace tailor::cpu
