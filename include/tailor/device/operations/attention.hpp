#pragma once
// Arguments of causal grouped-query attention, forward and backward.

#include <tailor/device/check_shape.hpp>  // tailor::check_shape, tailor::check_rule
#include <tailor/device/view.hpp>         // tailor::MatrixView, tailor::VectorView

#include <cstdint>

namespace tailor {

/// Sizes of one attention. Query i of a sequence stands at position keys - length + i and sees the
/// positions up to its own, at most `window` of them (0: all). Query head h reads key head
/// h / (heads / kv_heads). Scores are scale q.k, then soft_cap tanh(score / soft_cap) if not 0.
template <class T>
struct AttentionSizes {
  int sequences = 1;
  int length = 0;  ///< queries per sequence
  int keys = 0;    ///< keys per sequence, length <= keys
  int heads = 1;
  int kv_heads = 1;
  int head_dim = 1;
  int window = 0;
  T scale = 1;
  T soft_cap = 0;
};

/// Queries of a sequence that attention works on at once.
inline constexpr int attention_block = 64;

/// Consecutive keys, `first` .. `first + count - 1`.
struct KeyRange {
  int first, count;
};

/// The keys that queries [query, query + queries) see between them.
template <class T>
TAILOR_HOST_DEVICE constexpr KeyRange visible_keys(AttentionSizes<T> const& s, int query,
                                                   int queries = 1) {
  int const position = s.keys - s.length + query;
  int const first = s.window > 0 && position >= s.window ? position - s.window + 1 : 0;
  return {first, position + queries - first};
}

/// Columns of a block of scores over `keys` keys: whole vectors of 16, so that no row kernel ends
/// in a remainder loop; the columns beyond `keys` hold anything.
TAILOR_HOST_DEVICE constexpr int score_columns(int keys) {
  return (keys + 15) / 16 * 16;
}

/// Elements of scratch that attention needs, forward or backward: two blocks of scores for every
/// sequence.
template <class T>
constexpr std::int64_t attention_scratch(AttentionSizes<T> const& s) {
  int const queries = s.length < attention_block ? s.length : attention_block;
  return std::int64_t(2) * s.sequences * queries * score_columns(s.keys);
}

/// y = softmax(scores) v, and the logarithm of every softmax's denominator for the backward pass.
/// Shapes: q, y [sequences * length, heads * head_dim]; k, v [sequences * keys, kv_heads *
/// head_dim], sequence s starting at row s * key_rows; log_sum_exp [sequences * length, heads];
/// scratch [attention_scratch(sizes)].
template <class T, class Space = Host>
struct AttentionForward {
  AttentionSizes<T> sizes;
  MatrixView<T const, Space> q, k, v;
  MatrixView<T, Space> y;
  MatrixView<T, Space> log_sum_exp;
  VectorView<T, Space> scratch;
  int key_rows = 0;  ///< rows from one sequence's keys to the next's; 0 means `keys`
};

/// dq, dk, dv = gradients (written, not added to). Shapes as in AttentionForward, y its result.
template <class T, class Space = Host>
struct AttentionBackward {
  AttentionSizes<T> sizes;
  MatrixView<T const, Space> q, k, v, y, dy;
  MatrixView<T const, Space> log_sum_exp;
  MatrixView<T, Space> dq, dk, dv;
  VectorView<T, Space> scratch;
};

/// Throws std::invalid_argument where the sizes make no sense or the arguments that both passes
/// have do not fit them.
template <class Args>
void check_attention(char const* operation, Args const& a, std::int64_t key_rows) {
  auto const s = a.sizes;
  check_rule(operation, s.sequences >= 0 && s.length >= 0 && s.length <= s.keys,
             "sequences and length must not be negative, length at most keys");
  check_rule(operation, s.kv_heads >= 1 && s.heads >= 1 && s.heads % s.kv_heads == 0,
             "heads must be a positive multiple of kv_heads");
  check_rule(operation, s.head_dim >= 1 && s.window >= 0,
             "head_dim must be positive and window not negative");
  check_rule(operation, key_rows >= s.keys, "key_rows must be at least keys");
  std::int64_t const queries = std::int64_t(s.sequences) * s.length;
  std::int64_t const width = std::int64_t(s.heads) * s.head_dim;
  std::int64_t const key_width = std::int64_t(s.kv_heads) * s.head_dim;
  std::int64_t const last_row = s.sequences == 0 ? 0 : (s.sequences - 1) * key_rows + s.keys;
  check_shape(operation, "q", a.q, queries, width);
  check_shape(operation, "y", a.y, queries, width);
  check_shape(operation, "log_sum_exp", a.log_sum_exp, queries, s.heads);
  check_shape(operation, "k", a.k, a.k.rows, key_width);
  check_shape(operation, "v", a.v, a.v.rows, key_width);
  check_rule(operation, a.k.rows >= last_row && a.v.rows >= last_row,
             "k and v must reach the last key of the last sequence");
  check_rule(operation, a.scratch.size >= attention_scratch(s),
             "scratch must have attention_scratch(sizes) elements");
}

template <class T, class Space>
void check(AttentionForward<T, Space> const& a) {
  check_attention("attention", a, a.key_rows == 0 ? a.sizes.keys : a.key_rows);
}

template <class T, class Space>
void check(AttentionBackward<T, Space> const& a) {
  check_attention("attention backward", a, a.sizes.keys);
  check_shape("attention backward", "dy", a.dy, a.q.rows, a.q.cols);
  check_shape("attention backward", "dq", a.dq, a.q.rows, a.q.cols);
  check_shape("attention backward", "dk", a.dk, a.k.rows, a.k.cols);
  check_shape("attention backward", "dv", a.dv, a.v.rows, a.v.cols);
}

}  // namespace tailor
