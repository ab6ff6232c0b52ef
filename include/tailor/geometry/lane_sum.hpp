#pragma once
// Sums of many terms, in lanes that need not wait for each other.

#include <cstddef>
#include <span>

namespace tailor {

/// The sum of term(i) over [0, size) in eight lanes, always in the same order.
template <class Term>
double lane_sum(std::size_t size, Term const& term) {
  double lanes[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += term(i + lane);
  }
  for (; i < size; ++i) lanes[i % 8] += term(i);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// x . y.
inline double inner_product(std::span<double const> x, std::span<double const> y) {
  return lane_sum(x.size(), [&](std::size_t i) { return x[i] * y[i]; });
}

}  // namespace tailor
