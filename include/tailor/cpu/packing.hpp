#pragma once
// Copies one cache block of an operand into panels that the micro-kernel reads front to back.

#include <tailor/device/view.hpp>  // tailor::MatrixView

#include <algorithm>
#include <cstdint>

namespace tailor::cpu {

/// Columns [0, depth) of rows [0, rows) of m, in panels of `panel` rows: out[k * panel + i] within
/// a panel; the last panel is filled up with zeros. A transposed view packs columns of b the same
/// way.
template <class T>
void pack(MatrixView<T const> m, T* out, int panel) {
  int const depth = m.cols;
  std::int64_t const along = m.flipped ? 1 : m.stride;   // from row to row
  std::int64_t const across = m.flipped ? m.stride : 1;  // from column to column
  for (int first = 0; first < m.rows; first += panel, out += std::int64_t(depth) * panel) {
    int const rows = std::min(panel, m.rows - first);
    T const* const from = m.data + first * along;
    if (m.flipped && rows == panel) {
      for (int k = 0; k < depth; ++k) std::copy_n(from + k * across, panel, out + k * panel);
      continue;
    }
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < depth; ++k) out[k * panel + i] = from[i * along + k * across];
    }
    for (int i = rows; i < panel; ++i) {
      for (int k = 0; k < depth; ++k) out[k * panel + i] = T(0);
    }
  }
}

}  // namespace tailor::cpu
