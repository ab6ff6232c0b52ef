// No include guard: included once per instruction set, after kernels.inl; see kernels.hpp.

namespace detail {

template <class T>
using PackedVector = typename Lanes<T>::Vector;

/// Lane l of the first or second row of a butterfly whose wings are `half` lanes apart; numbers
/// from `lanes` on mean the second operand.
constexpr int butterfly_lane(int lane, int half, int lanes, bool second) {
  bool const own = ((lane & half) != 0) == second;
  int const from = own ? lane : (second ? lane + half : lane - half);
  return from + (own == second ? lanes : 0);
}

template <class T, int half, int... lane>
void butterfly(PackedVector<T>& first, PackedVector<T>& second,
               std::integer_sequence<int, lane...>) {
  constexpr int lanes = Lanes<T>::count;
  PackedVector<T> const upper = first, lower = second;
  first = __builtin_shufflevector(upper, lower, butterfly_lane(lane, half, lanes, false)...);
  second = __builtin_shufflevector(upper, lower, butterfly_lane(lane, half, lanes, true)...);
}

/// A square of vectors with rows and columns exchanged: swaps the off-diagonal quarters, then those
/// of every quarter, down to single elements.
template <class T, int half = Lanes<T>::count / 2>
void transpose_square(PackedVector<T>* rows) {
  if constexpr (half > 0) {
#pragma GCC unroll 16
    for (int i = 0; i < Lanes<T>::count; ++i) {
      if ((i & half) == 0) {
        butterfly<T, half>(rows[i], rows[i + half],
                           std::make_integer_sequence<int, Lanes<T>::count>{});
      }
    }
    transpose_square<T, half / 2>(rows);
  }
}

/// One panel whose rows lie along memory: squares are transposed in registers. Where a panel is
/// narrower than a vector, what is stored beyond column k is overwritten by column k + 1.
template <class T, int panel>
void pack_across(T const* from, std::int64_t stride, int rows, std::int64_t depth, T* out) {
  typedef T Loose __attribute__((vector_size(vector_bytes), aligned(alignof(T)), may_alias));
  constexpr int lanes = Lanes<T>::count;
  std::int64_t k = 0;
  for (; k + lanes <= depth; k += lanes) {
    for (int next = 0; next < panel; next += lanes) {
      int const i = std::max(0, std::min(next, panel - lanes));  // the last square may overlap
      PackedVector<T> square[lanes];
#pragma GCC unroll 16
      for (int row = 0; row < lanes; ++row) {
        square[row] =
            i + row < rows
                ? PackedVector<T>(*reinterpret_cast<Loose const*>(from + (i + row) * stride + k))
                : PackedVector<T>{};
      }
      transpose_square<T>(square);
#pragma GCC unroll 16
      for (int col = 0; col < lanes; ++col) {
        *reinterpret_cast<Loose*>(out + (k + col) * panel + i) = Loose(square[col]);
      }
    }
  }
  for (; k < depth; ++k) {
    for (int i = 0; i < panel; ++i) out[k * panel + i] = i < rows ? from[i * stride + k] : T(0);
  }
}

}  // namespace detail

/// Columns [0, depth) of the rows of m, in panels of `panel` rows: out[k * panel + i] within a
/// panel; the last panel is filled up with zeros. A transposed view packs columns of b the same
/// way. `out` has room for a vector beyond the last panel.
template <class T, int panel>
TAILOR_RUNNER void pack(MatrixView<T const> m, T* out) {
  std::int64_t const depth = m.cols;
  for (int first = 0; first < m.rows; first += panel, out += depth * panel) {
    int const rows = std::min(panel, m.rows - first);
    if (!m.flipped) {
      detail::pack_across<T, panel>(m.data + first * m.stride, m.stride, rows, depth, out);
      continue;
    }
    T const* from = m.data + first;
    T* to = out;
    if (rows == panel) {
      for (std::int64_t k = 0; k < depth; ++k, from += m.stride, to += panel) {
        __builtin_memcpy(to, from, sizeof(T) * panel);  // a few vectors: the size is known
      }
    } else {
      for (std::int64_t k = 0; k < depth; ++k, from += m.stride, to += panel) {
        for (int i = 0; i < panel; ++i) to[i] = i < rows ? from[i] : T(0);
      }
    }
  }
}
