#pragma once
// The softmax of one query's scores, forward and backward.

#include <tailor/device/exponential.hpp>           // tailor::exponential, hyperbolic_tangent
#include <tailor/device/operations/attention.hpp>  // tailor::AttentionSizes, tailor::visible_keys

#include <cmath>
#include <cstdint>

namespace tailor {

/// Scores of one head for queries [first_query, first_query + queries) of every sequence: row
/// (sequence, query) of [sequences * queries, columns], column j for key first_key + j.
template <class T>
struct ScoreBlock {
  AttentionSizes<T> sizes;
  T* scores = nullptr;
  int first_query = 0;
  int queries = 0;
  int first_key = 0;
  int columns = 0;
  int head = 0;

  TAILOR_HOST_DEVICE int sequence(std::int64_t row) const { return int(row / queries); }
  TAILOR_HOST_DEVICE int query(std::int64_t row) const { return first_query + int(row % queries); }
  /// Row of the query among the rows of q.
  TAILOR_HOST_DEVICE int token(std::int64_t row) const {
    return sequence(row) * sizes.length + query(row);
  }
  /// Columns that the query of this row sees.
  TAILOR_HOST_DEVICE KeyRange visible(std::int64_t row) const {
    KeyRange const keys = visible_keys(sizes, query(row));
    return {keys.first - first_key, keys.count};
  }
  /// The soft cap of a row of scores, in place.
  template <class Team>
  TAILOR_HOST_DEVICE void cap(Team const& team, T* row) const {
    T const soft_cap = sizes.soft_cap;
    if (soft_cap == T(0)) return;
    team.for_each(columns, [=](std::int64_t j) {
      row[j] = soft_cap * hyperbolic_tangent(row[j] / soft_cap);
    });
  }
};

/// A row of scores becomes the probabilities of its keys, 0 for keys out of sight.
template <class T, class Space = Host>
struct AttentionSoftmaxRow {
  ScoreBlock<T> block;
  MatrixView<T, Space> log_sum_exp;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    int const columns = block.columns;
    T* const scores = block.scores + row * columns;
    KeyRange const keys = block.visible(row);
    int const first = keys.first, last = keys.first + keys.count - 1;
    block.cap(team, scores);
    T const own = scores[last];
    T const largest = team.max(columns, [=](std::int64_t j) {
      return int(j) >= first && int(j) <= last ? scores[j] : own;
    });
    T const sum = team.sum(columns, [=](std::int64_t j) {
      T const power = exponential(scores[j] - largest);
      T const term = int(j) >= first && int(j) <= last ? power : T(0);
      scores[j] = term;
      return term;
    });
    T const inverse = T(1) / sum;
    team.for_each(columns, [=](std::int64_t j) { scores[j] *= inverse; });
    T* const out = log_sum_exp.row(block.token(row)) + block.head;
    T const value = largest + std::log(sum);
    team.for_each(1, [=](std::int64_t) { *out = value; });
  }
};

/// A row of scores becomes the probabilities of its keys, and the row of gradients of these
/// probabilities the gradients of the scores.
template <class T, class Space = Host>
struct AttentionSoftmaxGradientRow {
  ScoreBlock<T> block;
  T* gradients = nullptr;  ///< laid out as the scores
  MatrixView<T const, Space> log_sum_exp, y, dy;

  // With p = softmax(s) and dp the gradient of p:  ds_j = p_j (dp_j - sum_i p_i dp_i), and the sum
  // is y . dy, because dp_i = v_i . dy. A soft cap adds the factor 1 - (capped / cap)^2.
  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    int const columns = block.columns;
    T* const scores = block.scores + row * columns;
    T* const slopes = gradients + row * columns;
    KeyRange const keys = block.visible(row);
    int const first = keys.first, last = keys.first + keys.count - 1;
    int const head_dim = block.sizes.head_dim;
    T const* const value = y.row(block.token(row)) + std::int64_t(block.head) * head_dim;
    T const* const slope = dy.row(block.token(row)) + std::int64_t(block.head) * head_dim;
    T const logarithm = log_sum_exp.row(block.token(row))[block.head];
    T const cap = block.sizes.soft_cap;
    T const curve = cap == T(0) ? T(0) : T(1) / (cap * cap);
    block.cap(team, scores);
    T const mean = team.sum(head_dim, [=](std::int64_t i) { return value[i] * slope[i]; });
    team.for_each(columns, [=](std::int64_t j) {
      bool const seen = int(j) >= first && int(j) <= last;
      T const power = exponential(scores[j] - logarithm);
      T const change = power * (slopes[j] - mean) * (T(1) - scores[j] * scores[j] * curve);
      scores[j] = seen ? power : T(0);
      slopes[j] = seen ? change : T(0);
    });
  }
};

/// One row of zeros.
template <class T, class Space = Host>
struct ZeroRow {
  MatrixView<T, Space> matrix;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T* const to = matrix.row(int(row));
    team.for_each(matrix.cols, [=](std::int64_t j) { to[j] = T(0); });
  }
};

}  // namespace tailor
