#pragma once
// The rotary position embedding on any device, and the tables of its angles.

#include <tailor/arch/plan.hpp>                // tailor::RopeScaling
#include <tailor/device/check_shape.hpp>       // tailor::check_shape, tailor::check_rule
#include <tailor/device/device.hpp>            // tailor::Device
#include <tailor/device/operations/rope.hpp>   // tailor::Rope
#include <tailor/device/row_kernels/rope.hpp>  // tailor::RopeRow

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace tailor {

namespace detail {

// Llama 3.1: short waves keep their frequency, long ones are stretched by `factor`, and between the
// two limits the share of the original frequency falls linearly in waves per original context.
inline double llama3_frequency(double frequency, RopeScaling const& scaling) {
  double const waves = scaling.original_context * frequency / (2 * std::numbers::pi);
  if (waves > scaling.high_frequency_factor) return frequency;
  if (waves < scaling.low_frequency_factor) return frequency / scaling.factor;
  double const share = (waves - scaling.low_frequency_factor) /
                       (scaling.high_frequency_factor - scaling.low_frequency_factor);
  return (1 - share) * frequency / scaling.factor + share * frequency;
}

}  // namespace detail

/// Radians per position of each of the head_dim / 2 rotated pairs: base^(-2 i / head_dim),
/// stretched for long contexts as `scaling` says (`linear` divides all of them by its factor).
/// Throws std::invalid_argument for an odd or negative head_dim or a base that is not positive.
/// Source: RoFormer (arXiv 2104.09864), equation 15; Llama 3.1 for the scaling of that name.
inline std::vector<double> rope_frequencies(int head_dim, double base, RopeScaling scaling = {}) {
  check_rule("rope_frequencies", head_dim >= 0 && head_dim % 2 == 0,
             "head_dim must be even and not negative");
  check_rule("rope_frequencies", base > 0 && std::isfinite(base), "base must be positive");
  std::vector<double> frequencies;
  for (int i = 0; i < head_dim / 2; ++i) {
    double const frequency = std::pow(base, -2.0 * i / head_dim);
    frequencies.push_back(scaling.kind == RopeScaling::Kind::llama3
                              ? detail::llama3_frequency(frequency, scaling)
                          : scaling.kind == RopeScaling::Kind::linear ? frequency / scaling.factor
                                                                      : frequency);
  }
  return frequencies;
}

/// Cosines and sines of positions times frequencies: [positions, frequencies], row-major.
template <class T>
struct RopeTable {
  std::vector<T> cosines, sines;
};

/// The table of positions 0 .. positions - 1, computed in double.
template <class T>
RopeTable<T> rope_table(int positions, std::vector<double> const& frequencies) {
  check_rule("rope_table", positions >= 0, "positions must not be negative");
  RopeTable<T> table;
  table.cosines.reserve(std::size_t(positions) * frequencies.size());
  table.sines.reserve(std::size_t(positions) * frequencies.size());
  for (int position = 0; position < positions; ++position) {
    for (double const frequency : frequencies) {
      table.cosines.push_back(T(std::cos(position * frequency)));
      table.sines.push_back(T(std::sin(position * frequency)));
    }
  }
  return table;
}

/// Rotates every head of x in place by the angles of its position, back where `inverse`.
/// Throws std::invalid_argument where shapes do not fit or the tables are too short.
/// @post   inverse undoes it, and keeps the length of every pair
/// @post   the product of a rotated query and key depends on the difference of positions alone
template <class T, Device D>
void rope(D& dev, Rope<T, typename D::Space> const& a) {
  check_rule("rope", a.length > 0 && a.x.rows % a.length == 0,
             "the rows of x must be whole sequences of `length`");
  check_rule("rope", a.head_dim % 2 == 0, "head_dim must be even");
  check_rule("rope", a.first_position >= 0 && a.cosines.rows - a.first_position >= a.length,
             "the tables must reach the last position");
  check_shape("rope", "x", a.x, a.x.rows, std::int64_t(a.heads) * a.head_dim);
  check_shape("rope", "cosines", a.cosines, a.cosines.rows, a.head_dim / 2);
  check_shape("rope", "sines", a.sines, a.cosines.rows, a.head_dim / 2);
  rows(dev, a.x.rows, RopeRow<T, typename D::Space>{a});
}

}  // namespace tailor
