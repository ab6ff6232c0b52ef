#pragma once
// The arguments of the matrix product, the primitive that every device brings.

#include <tailor/device/view.hpp>  // tailor::MatrixView

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailor {

/// c = alpha a b + beta c, for `batch` products whose operands are `*_step` elements apart.
/// Shapes: a [m, k], b [k, n], c [m, n]; a and b may be transposed views, c may not.
/// Domain: any size, 0 included; no overlap of c with a or b.
/// @post beta == 0 writes c without reading it, so c may hold anything, NaN included
template <class T, class Space = Host>
struct Gemm {
  MatrixView<T const, Space> a, b;
  MatrixView<T, Space> c;
  T alpha = 1;
  T beta = 0;
  int batch = 1;
  std::int64_t a_step = 0;
  std::int64_t b_step = 0;
  std::int64_t c_step = 0;
};

/// Throws std::invalid_argument where the shapes of a product do not fit together.
template <class T, class Space>
void check(Gemm<T, Space> const& g) {
  auto const shape = [](auto const& m) {
    return "[" + std::to_string(m.rows) + ", " + std::to_string(m.cols) + "]";
  };
  if (g.a.cols != g.b.rows || g.a.rows != g.c.rows || g.b.cols != g.c.cols || g.c.flipped) {
    throw std::invalid_argument("gemm: a " + shape(g.a) + " times b " + shape(g.b) +
                                " does not give " + (g.c.flipped ? "a transposed c " : "c ") +
                                shape(g.c));
  }
}

}  // namespace tailor
