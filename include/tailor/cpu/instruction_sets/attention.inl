// No include guard: included once per instruction set, after kernels.inl; see kernels.hpp.
//
// A panel is as many queries as two vectors have lanes, and every matrix of the panel is stored
// with its queries as columns. So the softmax runs down the columns without a sum across lanes, and
// keys, values and probabilities are all used where they lie: nothing is packed.

template <class T>
inline constexpr int panel_width = tile_cols<T>;

/// `rows` x `vectors` registers of c from an a that is read in place.
template <class T, int rows, int vectors>
void multiply_strip(Unpacked<T> const& p, T const* a, T const* b, T* c, int cols) {
  typedef T Vector __attribute__((vector_size(vector_bytes), aligned(alignof(T)), may_alias));
  constexpr int lanes = Lanes<T>::count;
  Vector sums[rows][vectors] = {};
  for (std::int64_t k = 0; k < p.depth; ++k, a += p.a_col, b += p.b_stride) {
    Vector factors[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) factors[v] = *reinterpret_cast<Vector const*>(b + v * lanes);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      Vector const factor = a[i * p.a_row] - Vector{};
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) sums[i][v] += factor * factors[v];
    }
  }
  T const alpha = p.alpha;
  if (cols == vectors * lanes) {
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) {
        Vector* const out = reinterpret_cast<Vector*>(c + i * p.c_stride + v * lanes);
        *out = p.add ? *out + alpha * sums[i][v] : alpha * sums[i][v];
      }
    }
    return;
  }
  for (int i = 0; i < rows; ++i) {
    T const* const sum = reinterpret_cast<T const*>(sums[i]);
    T* const out = c + i * p.c_stride;
    for (int j = 0; j < cols; ++j) out[j] = p.add ? out[j] + alpha * sum[j] : alpha * sum[j];
  }
}

template <class T, int vectors>
void multiply_columns(Unpacked<T> const& p, int col, int cols) {
  auto const strip = [&](auto rows, int row) {
    multiply_strip<T, rows, vectors>(p, p.a + row * p.a_row, p.b + col,
                                     p.c + row * p.c_stride + col, cols);
  };
  int row = 0;
  for (; row + strip_rows <= p.rows; row += strip_rows) {
    strip(std::integral_constant<int, strip_rows>{}, row);
  }
  for (; row + 2 <= p.rows; row += 2) strip(std::integral_constant<int, 2>{}, row);
  if (row < p.rows) strip(std::integral_constant<int, 1>{}, row);
}

/// c = alpha a b, or c += alpha a b, with rows of b that may be read up to a whole vector.
template <class T>
TAILOR_RUNNER void multiply_unpacked(Unpacked<T> const& p) {
  constexpr int lanes = Lanes<T>::count;
  int col = 0;
  for (; p.cols - col > lanes; col += 2 * lanes) {
    multiply_columns<T, 2>(p, col, std::min(2 * lanes, p.cols - col));
  }
  if (col < p.cols) multiply_columns<T, 1>(p, col, p.cols - col);
}

/// panel[d][query] = rows[query][d]; queries from `count` on are zero.
template <class T>
void load_panel(T const* rows, std::int64_t stride, int count, int depth, T* panel) {
  constexpr int width = panel_width<T>;
  for (int d = 0; d < depth; ++d, panel += width) {
    for (int q = 0; q < count; ++q) panel[q] = rows[q * stride + d];
    for (int q = count; q < width; ++q) panel[q] = T(0);
  }
}

/// rows[query][d] = factors[query] panel[d][query] for the first `count` queries.
template <class T>
void store_panel(T const* panel, T const* factors, int count, int depth, T* rows,
                 std::int64_t stride) {
  for (int q = 0; q < count; ++q, rows += stride) {
    for (int d = 0; d < depth; ++d) rows[d] = factors[q] * panel[d * panel_width<T> + q];
  }
}

/// The queries of a panel, as lanes, that see a key: [first, last).
struct SeenBy {
  int first, last;
};

template <class T>
SeenBy seen_by(AttentionSizes<T> const& s, int query, int key) {
  int const first = key - (s.keys - s.length + query);
  return {first, s.window > 0 ? first + s.window : std::numeric_limits<int>::max()};
}

template <class T>
void cap_panel(T soft_cap, T* scores, int keys) {
  if (soft_cap == T(0)) return;
  for (std::int64_t i = 0; i < std::int64_t(keys) * panel_width<T>; ++i) {
    scores[i] = soft_cap * hyperbolic_tangent(scores[i] / soft_cap);
  }
}

/// One head of one sequence, forward, key chunk by key chunk: what was summed before is scaled down
/// when a later chunk holds a larger score (online softmax).
template <class T>
TAILOR_RUNNER void attend(AttentionForward<T> const& a, int sequence, int head, T* scratch) {
  constexpr int width = panel_width<T>;
  AttentionSizes<T> const s = a.sizes;
  T* const queries = scratch;
  T* const values = queries + s.head_dim * width;
  T* const scores = values + s.head_dim * width;
  std::int64_t const key_row = std::int64_t(sequence) * (a.key_rows == 0 ? s.keys : a.key_rows);
  std::int64_t const key_col = std::int64_t(head / (s.heads / s.kv_heads)) * s.head_dim;
  T const* const k = a.k.data + key_row * a.k.stride + key_col;
  T const* const v = a.v.data + key_row * a.v.stride + key_col;

  for (int query = 0; query < s.length; query += width) {
    int const count = std::min(width, s.length - query);
    int const token = sequence * s.length + query;
    std::int64_t const col = std::int64_t(head) * s.head_dim;
    load_panel(a.q.row(token) + col, a.q.stride, count, s.head_dim, queries);
    T largest[width], sums[width], factors[width];
    for (int q = 0; q < width; ++q) {
      largest[q] = std::numeric_limits<T>::lowest();
      sums[q] = T(0);
    }
    KeyRange const keys = visible_keys(s, query, count);
    for (int first = keys.first; first < keys.first + keys.count; first += key_chunk) {
      int const n = std::min(key_chunk, keys.first + keys.count - first);
      multiply_unpacked<T>({.a = k + first * a.k.stride,
                            .a_row = a.k.stride,
                            .a_col = 1,
                            .b = queries,
                            .b_stride = width,
                            .c = scores,
                            .c_stride = width,
                            .rows = n,
                            .cols = width,
                            .depth = s.head_dim,
                            .alpha = s.scale});
      cap_panel(s.soft_cap, scores, n);
      T before[width];
      for (int q = 0; q < width; ++q) before[q] = largest[q];
      for (int key = 0; key < n; ++key) {
        T const* const row = scores + key * width;
        SeenBy const seen = seen_by(s, query, first + key);
        for (int q = 0; q < width; ++q) {
          T const score = q >= seen.first && q < seen.last ? row[q] : largest[q];
          largest[q] = score > largest[q] ? score : largest[q];
        }
      }
      for (int q = 0; q < width; ++q) {
        factors[q] = exponential(before[q] - largest[q]);
        sums[q] *= factors[q];
      }
      for (int key = 0; key < n; ++key) {
        T* const row = scores + key * width;
        SeenBy const seen = seen_by(s, query, first + key);
        for (int q = 0; q < width; ++q) {
          T const power = exponential(row[q] - largest[q]);
          row[q] = q >= seen.first && q < seen.last ? power : T(0);
          sums[q] += row[q];
        }
      }
      if (first > keys.first) {
        for (int d = 0; d < s.head_dim; ++d) {
          for (int q = 0; q < width; ++q) values[d * width + q] *= factors[q];
        }
      }
      multiply_unpacked<T>({.a = v + first * a.v.stride,
                            .a_row = 1,
                            .a_col = a.v.stride,
                            .b = scores,
                            .b_stride = width,
                            .c = values,
                            .c_stride = width,
                            .rows = s.head_dim,
                            .cols = width,
                            .depth = n,
                            .add = first > keys.first});
    }
    for (int q = 0; q < width; ++q) factors[q] = T(1) / sums[q];
    store_panel(values, factors, count, s.head_dim, a.y.row(token) + col, a.y.stride);
    for (int q = 0; q < count; ++q) {
      a.log_sum_exp(token + q, head) = largest[q] + std::log(sums[q]);
    }
  }
}

/// All query heads of one key head of one sequence, backward.
template <class T>
TAILOR_RUNNER void attend_backward(AttentionBackward<T> const& a, int sequence, int kv_head,
                                   T* scratch) {
  constexpr int width = panel_width<T>;
  AttentionSizes<T> const s = a.sizes;
  int const group = s.heads / s.kv_heads;
  int const padded = (s.head_dim + Lanes<T>::count - 1) / Lanes<T>::count * Lanes<T>::count;
  T* const queries = scratch;                         // [head_dim][width]
  T* const dy_panel = queries + s.head_dim * width;   // [head_dim][width]
  T* const dq_panel = dy_panel + s.head_dim * width;  // [head_dim][width]
  T* const scores = dq_panel + s.head_dim * width;    // [key_chunk][width]
  T* const slopes = scores + key_chunk * width;       // [key_chunk][width]
  T* const query_rows = slopes + key_chunk * width;   // [width][padded]
  T* const dy_rows = query_rows + width * padded;     // [width][padded]
  T const curve = s.soft_cap == T(0) ? T(0) : T(1) / (s.soft_cap * s.soft_cap);
  int const key_row = sequence * s.keys;
  std::int64_t const key_col = std::int64_t(kv_head) * s.head_dim;
  for (int key = 0; key < s.keys; ++key) {
    std::fill_n(a.dk.row(key_row + key) + key_col, s.head_dim, T(0));
    std::fill_n(a.dv.row(key_row + key) + key_col, s.head_dim, T(0));
  }

  for (int head = kv_head * group; head < (kv_head + 1) * group; ++head) {
    for (int query = 0; query < s.length; query += width) {
      int const count = std::min(width, s.length - query);
      int const token = sequence * s.length + query;
      std::int64_t const col = std::int64_t(head) * s.head_dim;
      load_panel(a.q.row(token) + col, a.q.stride, count, s.head_dim, queries);
      load_panel(a.dy.row(token) + col, a.dy.stride, count, s.head_dim, dy_panel);
      T logarithms[width] = {}, means[width] = {}, ones[width];
      for (int q = 0; q < width; ++q) ones[q] = T(1);
      for (int q = 0; q < count; ++q) {
        T const* const q_row = a.q.row(token + q) + col;
        T const* const y_row = a.y.row(token + q) + col;
        T const* const dy_row = a.dy.row(token + q) + col;
        std::copy_n(q_row, s.head_dim, query_rows + q * padded);
        std::copy_n(dy_row, s.head_dim, dy_rows + q * padded);
        T mean = 0;
        for (int d = 0; d < s.head_dim; ++d) mean += y_row[d] * dy_row[d];
        means[q] = mean;
        logarithms[q] = a.log_sum_exp(token + q, head);
      }
      KeyRange const keys = visible_keys(s, query, count);
      for (int first = keys.first; first < keys.first + keys.count; first += key_chunk) {
        int const n = std::min(key_chunk, keys.first + keys.count - first);
        T const* const k = a.k.row(key_row + first) + key_col;
        T const* const v = a.v.row(key_row + first) + key_col;
        multiply_unpacked<T>({.a = k,
                              .a_row = a.k.stride,
                              .a_col = 1,
                              .b = queries,
                              .b_stride = width,
                              .c = scores,
                              .c_stride = width,
                              .rows = n,
                              .cols = width,
                              .depth = s.head_dim,
                              .alpha = s.scale});
        multiply_unpacked<T>({.a = v,
                              .a_row = a.v.stride,
                              .a_col = 1,
                              .b = dy_panel,
                              .b_stride = width,
                              .c = slopes,
                              .c_stride = width,
                              .rows = n,
                              .cols = width,
                              .depth = s.head_dim});
        cap_panel(s.soft_cap, scores, n);
        for (int key = 0; key < n; ++key) {
          T* const score = scores + key * width;
          T* const slope = slopes + key * width;
          SeenBy const seen = seen_by(s, query, first + key);
          for (int q = 0; q < width; ++q) {
            bool const sees = q >= seen.first && q < seen.last;
            T const power = exponential(score[q] - logarithms[q]);
            T const change = power * (slope[q] - means[q]) * (T(1) - score[q] * score[q] * curve);
            score[q] = sees ? power : T(0);
            slope[q] = sees ? change : T(0);
          }
        }
        multiply_unpacked<T>({.a = scores,
                              .a_row = width,
                              .a_col = 1,
                              .b = dy_rows,
                              .b_stride = padded,
                              .c = a.dv.row(key_row + first) + key_col,
                              .c_stride = a.dv.stride,
                              .rows = n,
                              .cols = s.head_dim,
                              .depth = count,
                              .add = true});
        multiply_unpacked<T>({.a = slopes,
                              .a_row = width,
                              .a_col = 1,
                              .b = query_rows,
                              .b_stride = padded,
                              .c = a.dk.row(key_row + first) + key_col,
                              .c_stride = a.dk.stride,
                              .rows = n,
                              .cols = s.head_dim,
                              .depth = count,
                              .alpha = s.scale,
                              .add = true});
        multiply_unpacked<T>({.a = k,
                              .a_row = 1,
                              .a_col = a.k.stride,
                              .b = slopes,
                              .b_stride = width,
                              .c = dq_panel,
                              .c_stride = width,
                              .rows = s.head_dim,
                              .cols = width,
                              .depth = n,
                              .alpha = s.scale,
                              .add = first > keys.first});
      }
      store_panel(dq_panel, ones, count, s.head_dim, a.dq.row(token) + col, a.dq.stride);
    }
  }
}
