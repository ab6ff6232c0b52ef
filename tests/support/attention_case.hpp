#pragma once
// One attention with all its operands, and what must come out of it, in double and in plain loops.

#include <tailor/device/operations/attention.hpp>  // tailor::AttentionForward

#include "support/test_device.hpp"

template <class T>
struct AttentionCase {
  tailor::AttentionSizes<T> sizes;
  int key_rows;
  int queries, width, keys, key_width;
  std::vector<T> q, k, v, y, dy, dq, dk, dv, log_sum_exp, scratch;

  explicit AttentionCase(tailor::AttentionSizes<T> s, int key_rows_ = 0)
      : sizes(s),
        key_rows(key_rows_ == 0 ? s.keys : key_rows_),
        queries(s.sequences * s.length),
        width(s.heads * s.head_dim),
        keys(s.sequences * key_rows),
        key_width(s.kv_heads * s.head_dim),
        q(normal_values<T>(queries * width, 1)),
        k(normal_values<T>(keys * key_width, 2)),
        v(normal_values<T>(keys * key_width, 3)),
        y(q.size()),
        dy(normal_values<T>(queries * width, 4)),
        // NaN: the gradients are written, not added to.
        dq(q.size(), T(NAN)),
        dk(k.size(), T(NAN)),
        dv(v.size(), T(NAN)),
        log_sum_exp(std::size_t(queries * s.heads)),
        scratch(std::size_t(attention_scratch(s)), T(NAN)) {}

  tailor::AttentionForward<T> forward_args() {
    using tailor::matrix;
    return {.sizes = sizes,
            .q = matrix(q.data(), queries, width),
            .k = matrix(k.data(), keys, key_width),
            .v = matrix(v.data(), keys, key_width),
            .y = matrix(y.data(), queries, width),
            .log_sum_exp = matrix(log_sum_exp.data(), queries, sizes.heads),
            .scratch = {scratch.data(), std::int64_t(scratch.size())},
            .key_rows = key_rows == sizes.keys ? 0 : key_rows};
  }
  tailor::AttentionBackward<T> backward_args() {
    using tailor::matrix;
    return {.sizes = sizes,
            .q = matrix(q.data(), queries, width),
            .k = matrix(k.data(), keys, key_width),
            .v = matrix(v.data(), keys, key_width),
            .y = matrix(y.data(), queries, width),
            .dy = matrix(dy.data(), queries, width),
            .log_sum_exp = matrix(log_sum_exp.data(), queries, sizes.heads),
            .dq = matrix(dq.data(), queries, width),
            .dk = matrix(dk.data(), keys, key_width),
            .dv = matrix(dv.data(), keys, key_width),
            .scratch = {scratch.data(), std::int64_t(scratch.size())}};
  }
  template <class D>
  void forward(D& dev) {
    attention(dev, forward_args());
  }
  /// Needs a forward pass before.
  template <class D>
  void backward(D& dev) {
    attention(dev, backward_args());
  }

  /// y and log_sum_exp by their definition.
  struct Reference {
    std::vector<double> y, log_sum_exp;
  };
  Reference reference() const {
    Reference result;
    auto const& s = sizes;
    for (int row = 0; row < queries; ++row) {
      int const sequence = row / s.length;
      int const position = s.keys - s.length + row % s.length;
      for (int head = 0; head < s.heads; ++head) {
        std::size_t const column = std::size_t(head / (s.heads / s.kv_heads) * s.head_dim);
        std::vector<double> weights, values(std::size_t(s.head_dim));
        double sum = 0;
        for (int key = 0; key <= position; ++key) {
          if (s.window > 0 && key <= position - s.window) continue;
          std::size_t const at = std::size_t((sequence * key_rows + key) * key_width) + column;
          double score = 0;
          for (int i = 0; i < s.head_dim; ++i) {
            score += double(q[std::size_t(row * width + head * s.head_dim + i)]) *
                     k[at + std::size_t(i)];
          }
          score *= s.scale;
          if (s.soft_cap != 0) score = s.soft_cap * std::tanh(score / s.soft_cap);
          sum += std::exp(score);
          for (int i = 0; i < s.head_dim; ++i) {
            values[std::size_t(i)] += std::exp(score) * v[at + std::size_t(i)];
          }
        }
        for (double value : values) result.y.push_back(value / sum);
        result.log_sum_exp.push_back(std::log(sum));
      }
    }
    return result;
  }
};
