#pragma once
// The token embedding on any device.

#include <tailor/device/check_shape.hpp>            // tailor::check_shape
#include <tailor/device/device.hpp>                 // tailor::Device
#include <tailor/device/operations/embedding.hpp>   // tailor::EmbeddingForward
#include <tailor/device/row_kernels/embedding.hpp>  // tailor::EmbeddingForwardRow

namespace tailor {

/// x = scale table[ids].
/// Domain: ids in [0, vocab), checked where data enters and not here.
/// Throws std::invalid_argument where shapes do not fit.
template <class T, Device D>
void embedding(D& dev, EmbeddingForward<T, typename D::Space> const& a) {
  check_shape("embedding", "table", a.table, a.table.rows, a.x.cols);
  check_shape("embedding", "x", a.x, a.ids.size, a.x.cols);
  rows(dev, a.ids.size, EmbeddingForwardRow<T, typename D::Space>{a});
}

/// table_gradient[ids] += scale dx.
/// Domain: as the forward pass.
/// Throws std::invalid_argument where shapes do not fit.
/// @post   equal ids are added in the order of their positions
template <class T, Device D>
void embedding(D& dev, EmbeddingBackward<T, typename D::Space> const& a) {
  check_shape("embedding backward", "order", a.order, a.ids.size);
  check_shape("embedding backward", "dx", a.dx, a.ids.size, a.dx.cols);
  check_shape("embedding backward", "table_gradient", a.table_gradient, a.table_gradient.rows,
              a.dx.cols);
  sort_ids(dev, SortIds<typename D::Space>{.ids = a.ids, .order = a.order});
  rows(dev, a.ids.size, EmbeddingBackwardRun<T, typename D::Space>{a});
}

}  // namespace tailor
