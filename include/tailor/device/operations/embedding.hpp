#pragma once
// Arguments of the token embedding, forward and backward.

#include <tailor/device/view.hpp>  // tailor::MatrixView, tailor::VectorView

#include <cstdint>

namespace tailor {

/// x = scale table[ids]. Shapes: ids [tokens], table [vocab, d], x [tokens, d]; ids within the
/// table.
template <class T, class Space = Host>
struct EmbeddingForward {
  VectorView<std::int32_t const, Space> ids;
  MatrixView<T const, Space> table;
  MatrixView<T, Space> x;
  T scale = 1;
};

/// table_gradient[ids] += scale dx, equal ids added in the order of their positions.
/// Shapes: as forward; `order` [tokens] is scratch.
template <class T, class Space = Host>
struct EmbeddingBackward {
  VectorView<std::int32_t const, Space> ids;
  VectorView<std::int32_t, Space> order;
  MatrixView<T const, Space> dx;
  MatrixView<T, Space> table_gradient;
  T scale = 1;
};

}  // namespace tailor
