#pragma once
// One token's row of the embedding table, read and added to.

#include <tailor/device/operations/embedding.hpp>  // tailor::EmbeddingForward

#include <cstdint>

namespace tailor {

/// One row of x = scale table[ids].
template <class T, class Space = Host>
struct EmbeddingForwardRow {
  EmbeddingForward<T, Space> args;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T const* const from = args.table.row(args.ids[row]);
    T* const to = args.x.row(int(row));
    T const scale = args.scale;
    team.for_each(args.x.cols, [=](std::int64_t j) { to[j] = scale * from[j]; });
  }
};

/// All tokens of one id, if `row` is the first of them in sorted order, nothing otherwise: so every
/// row of the table has one writer, which adds in the order of the positions.
template <class T, class Space = Host>
struct EmbeddingBackwardRun {
  EmbeddingBackward<T, Space> args;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    std::int32_t const* const order = args.order.data;
    std::int32_t const* const ids = args.ids.data;
    std::int32_t const id = ids[order[row]];
    if (row > 0 && ids[order[row - 1]] == id) return;
    T* const to = args.table_gradient.row(id);
    T const scale = args.scale;
    for (std::int64_t i = row; i < args.order.size && ids[order[i]] == id; ++i) {
      T const* const from = args.dx.row(order[i]);
      team.for_each(args.dx.cols, [=](std::int64_t j) { to[j] += scale * from[j]; });
    }
  }
};

}  // namespace tailor
