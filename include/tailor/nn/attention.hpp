#pragma once
// Causal grouped-query attention on any device: block by block of queries, so that no matrix of all
// queries by all keys exists and keys that a whole block cannot see are never touched.

#include <tailor/device/device.hpp>                 // tailor::Device
#include <tailor/device/operations/attention.hpp>   // tailor::AttentionForward
#include <tailor/device/row_kernels/attention.hpp>  // tailor::AttentionSoftmaxRow

#include <algorithm>
#include <cstdint>

namespace tailor {

namespace detail {

// Calls f(block, keys in sight of the block, head) for every head and block of queries.
template <class T, class F>
void for_each_score_block(AttentionSizes<T> const& s, T* scores, F const& f) {
  for (int head = 0; head < s.heads; ++head) {
    for (int query = 0; query < s.length; query += attention_block) {
      int const queries = std::min(attention_block, s.length - query);
      KeyRange const keys = visible_keys(s, query, queries);
      f(ScoreBlock<T>{.sizes = s,
                      .scores = scores,
                      .first_query = query,
                      .queries = queries,
                      .first_key = keys.first,
                      .columns = score_columns(keys.count),
                      .head = head},
        keys);
    }
  }
}

// Rows [first, first + count) of sequence 0, columns of one head.
template <class M>
M head_part(M m, int first, int count, int head, int head_dim) {
  return cols_of(rows_of(m, first, count), head * head_dim, head_dim);
}

}  // namespace detail

/// y = softmax(scores) v for every query head, and log_sum_exp, the logarithm of every softmax's
/// denominator, for the backward pass.
/// Cost:   4 head_dim operations per query, head and visible key, rounded up to blocks of queries.
/// Throws std::invalid_argument where sizes or shapes do not fit.
/// @post   a query's result does not depend on keys after its position or before its window
/// @post   query heads of one group read the same key head
/// Source: Attention Is All You Need (arXiv 1706.03762); GQA (arXiv 2305.13245).
template <class T, Device D>
void attention(D& dev, AttentionForward<T, typename D::Space> const& a) {
  using Space = typename D::Space;
  AttentionSizes<T> const s = a.sizes;
  check(a);
  if (s.sequences == 0 || s.length == 0) return;
  std::int64_t const key_rows = a.key_rows == 0 ? s.keys : a.key_rows;
  detail::for_each_score_block(s, a.scratch.data, [&](ScoreBlock<T> block, KeyRange keys) {
    int const kv_head = block.head / (s.heads / s.kv_heads);
    MatrixView<T, Space> const scores{block.scores, block.queries, keys.count, block.columns};
    std::int64_t const score_step = std::int64_t(block.queries) * block.columns;
    auto const of_queries = [&](auto m) {
      return detail::head_part(m, block.first_query, block.queries, block.head, s.head_dim);
    };
    auto const of_keys = [&](auto m) {
      return detail::head_part(m, keys.first, keys.count, kv_head, s.head_dim);
    };
    gemm(dev, Gemm<T, Space>{.a = of_queries(a.q),
                             .b = transposed(of_keys(a.k)),
                             .c = scores,
                             .alpha = s.scale,
                             .batch = s.sequences,
                             .a_step = s.length * a.q.stride,
                             .b_step = key_rows * a.k.stride,
                             .c_step = score_step});
    rows(dev, std::int64_t(s.sequences) * block.queries,
         AttentionSoftmaxRow<T, Space>{.block = block, .log_sum_exp = a.log_sum_exp});
    gemm(dev, Gemm<T, Space>{.a = scores,
                             .b = of_keys(a.v),
                             .c = of_queries(a.y),
                             .batch = s.sequences,
                             .a_step = score_step,
                             .b_step = key_rows * a.v.stride,
                             .c_step = s.length * a.y.stride});
  });
}

/// dq, dk, dv = the gradients of q, k, v for the gradient dy of y.
/// Cost:   2.5 times the forward pass: probabilities are recomputed from log_sum_exp.
/// Throws std::invalid_argument where sizes or shapes do not fit.
/// @post   agrees with central differences of the forward pass
/// @post   the query heads of a group add up in their order
/// Source: FlashAttention-2 (arXiv 2307.08691), section 3.1.
template <class T, Device D>
void attention(D& dev, AttentionBackward<T, typename D::Space> const& a) {
  using Space = typename D::Space;
  AttentionSizes<T> const s = a.sizes;
  check(a);
  rows(dev, a.dk.rows, ZeroRow<T, Space>{a.dk});
  rows(dev, a.dv.rows, ZeroRow<T, Space>{a.dv});
  if (s.sequences == 0 || s.length == 0) return;
  T* const second_half = a.scratch.data + attention_scratch(s) / 2;
  detail::for_each_score_block(s, a.scratch.data, [&](ScoreBlock<T> block, KeyRange keys) {
    int const kv_head = block.head / (s.heads / s.kv_heads);
    MatrixView<T, Space> const scores{block.scores, block.queries, keys.count, block.columns};
    MatrixView<T, Space> const gradients{second_half, block.queries, keys.count, block.columns};
    std::int64_t const score_step = std::int64_t(block.queries) * block.columns;
    auto const of_queries = [&](auto m) {
      return detail::head_part(m, block.first_query, block.queries, block.head, s.head_dim);
    };
    auto const of_keys = [&](auto m) {
      return detail::head_part(m, keys.first, keys.count, kv_head, s.head_dim);
    };
    auto const query_step = [&](auto m) { return s.length * m.stride; };
    auto const key_step = [&](auto m) { return s.keys * m.stride; };
    auto const product = [&](Gemm<T, Space> g) {
      g.batch = s.sequences;
      gemm(dev, g);
    };
    product({.a = of_queries(a.q),
             .b = transposed(of_keys(a.k)),
             .c = scores,
             .alpha = s.scale,
             .a_step = query_step(a.q),
             .b_step = key_step(a.k),
             .c_step = score_step});
    product({.a = of_queries(a.dy),
             .b = transposed(of_keys(a.v)),
             .c = gradients,
             .a_step = query_step(a.dy),
             .b_step = key_step(a.v),
             .c_step = score_step});
    rows(dev, std::int64_t(s.sequences) * block.queries,
         AttentionSoftmaxGradientRow<T, Space>{.block = block,
                                               .gradients = gradients.data,
                                               .log_sum_exp = a.log_sum_exp,
                                               .y = a.y,
                                               .dy = a.dy});
    product({.a = transposed(MatrixView<T const, Space>(scores)),
             .b = of_queries(a.dy),
             .c = of_keys(a.dv),
             .beta = 1,
             .a_step = score_step,
             .b_step = query_step(a.dy),
             .c_step = key_step(a.dv)});
    product({.a = transposed(MatrixView<T const, Space>(gradients)),
             .b = of_queries(a.q),
             .c = of_keys(a.dk),
             .alpha = s.scale,
             .beta = 1,
             .a_step = score_step,
             .b_step = query_step(a.q),
             .c_step = key_step(a.dk)});
    product({.a = gradients,
             .b = of_keys(a.k),
             .c = of_queries(a.dq),
             .alpha = s.scale,
             .a_step = score_step,
             .b_step = key_step(a.k),
             .c_step = query_step(a.dq)});
  });
}

}  // namespace tailor
