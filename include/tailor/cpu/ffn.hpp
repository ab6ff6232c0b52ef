#pragma once
// A feed-forward sub-block on the CPU: panel by panel of tokens, so that the hidden values of a
// panel are still in the second-level cache when they are used.

#include <tailor/cpu/gemm.hpp>                       // tailor::cpu::gemm
#include <tailor/cpu/primitives.hpp>                 // tailor::cpu::rows
#include <tailor/device/check_ffn.hpp>               // tailor::check
#include <tailor/device/ffn_projections.hpp>         // tailor::ffn_projections
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
    constexpr int multiple = 168;
    std::int64_t const fitting = (512 << 10) / (2 * std::int64_t(sizeof(T)) * std::max(width, 1));
    int const size = int(std::clamp<std::int64_t>(fitting / multiple, 1, 4)) * multiple;
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
    project<T>(dev, rows_of(a.x, first, count), ffn_projections(a, hidden));
    activate(dev, a.kind, hidden, width);
    gemm(dev, Gemm<T>{.a = cols_of(hidden, 0, width),
                      .b = transposed(a.down),
                      .c = rows_of(a.y, first, count),
                      .beta = a.beta});
  });
}

/// dx = gradient + beta dx, weight gradients += gradient, on the CPU.
/// @post equals the generic body
/// @post the same bits for every number of threads
template <class T>
void ffn(Device& dev, FfnBackward<T> const& a) {
  check(a);
  int const width = a.up.rows;
  auto const panels = TokenPanels::of<T>(a.x.rows, width);
  parallel(dev, panels.count, [&](std::int64_t panel) {
    int const first = panels.first(panel), count = panels.rows(panel);
    auto const hidden = rows_of(a.hidden, first, count);
    auto const gradient = rows_of(a.hidden_gradient, first, count);
    project<T>(dev, rows_of(a.x, first, count), ffn_projections(a, hidden));
    gemm(dev,
         Gemm<T>{.a = rows_of(a.dy, first, count), .b = a.down, .c = cols_of(gradient, 0, width)});
    activate_backward(dev, a.kind, hidden, gradient, width);
    input_gradient(dev, ffn_projections(a, gradient), rows_of(a.dx, first, count), a.beta);
  });
  // All tokens are summed in one product per matrix, whose cut the shape decides.
  add_weight_gradients<T>(dev, a.x, ffn_projections(a, a.hidden_gradient));
  gemm(dev, Gemm<T>{.a = transposed(a.dy),
                    .b = cols_of(a.hidden, 0, width),
                    .c = a.down_gradient,
                    .beta = 1});
}

}  // namespace tailor::cpu
