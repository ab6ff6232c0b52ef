#pragma once
// The arguments of the primitives beside the matrix product.

#include <tailor/device/view.hpp>  // tailor::VectorView, tailor::MatrixView

namespace tailor {

/// out = sum over the rows of `in` + beta out, in an order that depends on the shape alone.
/// Shapes: in [rows, cols], out [cols].
/// @post beta == 0 writes out without reading it
template <class T, class Space = Host>
struct SumRows {
  MatrixView<T const, Space> in;
  VectorView<T, Space> out;
  T beta = 0;
};

/// order = the positions 0 .. size - 1, sorted by id and, among equal ids, by position.
/// Shapes: ids [size], order [size].
template <class Space = Host>
struct SortIds {
  VectorView<std::int32_t const, Space> ids;
  VectorView<std::int32_t, Space> order;
};

}  // namespace tailor
