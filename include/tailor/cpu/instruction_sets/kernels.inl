// No include guard: included once per instruction set, inside its namespace and target region, with
// `vector_bytes`, `tile_rows` and TAILOR_RUNNER defined there.

template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  static constexpr int count = vector_bytes / int(sizeof(T));
};

/// Columns of a tile: two vectors. With `tile_rows` rows of them in registers, two multiply-adds
/// per loaded element of b keep both arithmetic ports busy.
template <class T>
inline constexpr int tile_cols = 2 * Lanes<T>::count;

/// tile = a b for packed panels: a [depth][tile_rows], b [depth][tile_cols].
template <class T>
void multiply_tile(std::int64_t depth, T const* a, T const* b, T* tile) {
  using Vector = typename Lanes<T>::Vector;
  constexpr int lanes = Lanes<T>::count;
  Vector sums[tile_rows][2] = {};
  for (std::int64_t k = 0; k < depth; ++k, a += tile_rows, b += 2 * lanes) {
    Vector const left = *reinterpret_cast<Vector const*>(b);
    Vector const right = *reinterpret_cast<Vector const*>(b + lanes);
#pragma GCC unroll 16
    for (int i = 0; i < tile_rows; ++i) {
      Vector const factor = a[i] - Vector{};
      sums[i][0] += factor * left;
      sums[i][1] += factor * right;
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < tile_rows; ++i) {
    *reinterpret_cast<Vector*>(tile + i * 2 * lanes) = sums[i][0];
    *reinterpret_cast<Vector*>(tile + i * 2 * lanes + lanes) = sums[i][1];
  }
}

/// The leading [rows, cols] of c gets alpha tile + beta c; beta == 0 does not read c.
template <class T>
void store_tile(T const* tile, T* c, std::int64_t stride, int rows, int cols, T alpha, T beta) {
  for (int i = 0; i < rows; ++i, tile += tile_cols<T>, c += stride) {
    if (beta == T(0)) {
      for (int j = 0; j < cols; ++j) c[j] = alpha * tile[j];
    } else {
      for (int j = 0; j < cols; ++j) c[j] = alpha * tile[j] + beta * c[j];
    }
  }
}

/// One cache block of c from packed blocks of a and b, tile by tile; see cpu/gemm.hpp.
template <class T>
TAILOR_RUNNER void multiply_block(Block<T> const& block) {
  alignas(64) T tile[tile_rows * tile_cols<T>];
  for (int j = 0; j < block.cols; j += tile_cols<T>) {
    for (int i = 0; i < block.rows; i += tile_rows) {
      multiply_tile<T>(block.depth, block.a + i * block.depth, block.b + j * block.depth, tile);
      store_tile<T>(tile, block.c + i * block.stride + j, block.stride,
                    std::min(tile_rows, block.rows - i), std::min(tile_cols<T>, block.cols - j),
                    block.alpha, block.beta);
    }
  }
}

/// kernel(team, row) for rows [first, last). Everything is inlined here, so that row kernels
/// written without a thought of instruction sets are vectorised for this one.
template <class Kernel, class Team>
TAILOR_RUNNER void run_rows(Kernel const& kernel, Team const& team, std::int64_t first,
                            std::int64_t last) {
  for (std::int64_t row = first; row < last; ++row) kernel(team, row);
}

/// f(i) for elements [first, last).
template <class F>
TAILOR_RUNNER void run_elements(F const& f, std::int64_t first, std::int64_t last) {
#if !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::int64_t i = first; i < last; ++i) f(i);
}

/// The sum of term(i) over [first, last), in eight lanes, the same on every instruction set.
template <class F>
TAILOR_RUNNER double run_sum(F const& term, std::int64_t first, std::int64_t last) {
  double lanes[8] = {};
  for (std::int64_t i = first; i < last; ++i) lanes[(i - first) % 8] += term(i);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}
