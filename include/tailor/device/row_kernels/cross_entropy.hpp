#pragma once
// The cross-entropy of one token and its gradient.

#include <tailor/device/exponential.hpp>               // tailor::exponential
#include <tailor/device/operations/cross_entropy.hpp>  // tailor::CrossEntropy

#include <cmath>
#include <cstdint>

namespace tailor {

/// The loss of one row of logits; the row becomes its gradient where asked.
template <class T, class Space = Host>
struct CrossEntropyRow {
  CrossEntropy<T, Space> args;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    std::int64_t const cols = args.logits.cols;
    T* const logits = args.logits.row(int(row));
    std::int64_t const target = args.targets[row];
    T const scale = args.scale, cap = args.soft_cap;
    if (cap != T(0)) {
      team.for_each(cols,
                    [=](std::int64_t j) { logits[j] = cap * hyperbolic_tangent(logits[j] / cap); });
    }
    T const largest = team.max(cols, [=](std::int64_t j) { return logits[j]; });
    T const sum = team.sum(cols, [=](std::int64_t j) { return exponential(logits[j] - largest); });
    T const loss = std::log(sum) + (largest - logits[target]);
    team.for_each(1, [losses = args.losses.data, row, loss](std::int64_t) { losses[row] = loss; });
    if (!args.with_gradient) return;
    T const factor = scale / sum;
    T const slope = cap == T(0) ? T(0) : T(1) / (cap * cap);
    team.for_each(cols, [=](std::int64_t j) {
      T const share = factor * exponential(logits[j] - largest) - (j == target ? scale : T(0));
      logits[j] = share * (T(1) - logits[j] * logits[j] * slope);
    });
  }
};

}  // namespace tailor
