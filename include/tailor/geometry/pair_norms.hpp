#pragma once
// The lengths of a pair of points from its inner product, or anew from coordinates where the inner
// product has lost them.

#include <tailor/geometry/lane_sum.hpp>  // tailor::lane_sum
#include <tailor/geometry/metric.hpp>    // tailor::PairNorms, tailor::Measures

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace tailor {

/// Below this share of |x|^2 + |y|^2, |x - y|^2 (and |x + y|^2) is computed from coordinates.
/// An inner product over d terms is off by up to about sqrt(d) eps (|x|^2 + |y|^2), 1e-14 at d =
/// 8192: 1e-12 of a squared length at this share, while at a share of 1e-6 it would be 1e-8.
inline constexpr double near_share = 1e-2;

/// The lengths of nearly equal or opposite directions, without dividing by a norm first: a unit
/// vector carries an error of eps, which is 1e-7 of an angle of 1e-9.
/// z = y - s x, for any s, has the same part across x as y. With s = x.y / |x|^2 it is small, and
/// fma rounds each of its coordinates once, so that this part is right to a few eps of itself.
inline PairNorms nearly_parallel(std::span<double const> x, std::span<double const> y, double xx,
                                 double xy) {
  double const slope = xy / xx;
  auto const z = [&](std::size_t i) { return std::fma(-slope, x[i], y[i]); };
  double const zz = lane_sum(x.size(), [&](std::size_t i) { return z(i) * z(i); });
  double const rest = lane_sum(x.size(), [&](std::size_t i) { return z(i) * x[i]; }) / xx;
  double across = std::sqrt(lane_sum(x.size(), [&](std::size_t i) {
    double const part = std::fma(-rest, x[i], z(i));
    return part * part;
  }));
  // What is left of z by rounding alone: the directions are equal.
  double const rounding = double(x.size()) * std::numeric_limits<double>::epsilon();
  if (across <= rounding * std::sqrt(zz)) across = 0;
  double const half = std::atan2(across, std::abs(xy) / std::sqrt(xx)) / 2;
  double const small = 2 * std::sin(half);
  double const large = 2 * std::cos(half);
  return xy > 0 ? PairNorms{small, large, 1, 1} : PairNorms{large, small, 1, 1};
}

/// The lengths of directions some degrees apart: by differences of unit vectors, whose error of eps
/// is 1e-12 of a length at parallel_gap; by nearly_parallel below.
inline PairNorms near_directions(std::span<double const> x, std::span<double const> y, double xx,
                                 double yy, double xy) {
  constexpr double parallel_gap = 1e-4;
  double const scale_x = 1 / std::sqrt(xx);
  double const scale_y = (xy > 0 ? 1 : -1) / std::sqrt(yy);
  double const squared = lane_sum(x.size(), [&](std::size_t i) {
    double const gap = x[i] * scale_x - y[i] * scale_y;
    return gap * gap;
  });
  if (squared < parallel_gap * parallel_gap) return nearly_parallel(x, y, xx, xy);
  double const small = std::sqrt(squared);
  double const large = std::sqrt(4 - squared);
  return xy > 0 ? PairNorms{small, large, 1, 1} : PairNorms{large, small, 1, 1};
}

/// The lengths of the pair x, y from xx = x.x, yy = y.y and xy = x.y as far as they carry, and from
/// coordinates elsewhere.
/// Cost:   O(1), O(d) for a pair whose difference or sum is short.
/// Domain: xx and yy finite; both above 0 for directions.
/// Error:  1e-12 of each length.
inline PairNorms pair_norms(Measures measures, std::span<double const> x, std::span<double const> y,
                            double xx, double yy, double xy) {
  double const norm_x = std::sqrt(xx);
  double const norm_y = std::sqrt(yy);
  if (measures == Measures::directions) {
    double const cosine = xy / norm_x / norm_y;
    if (1 - std::abs(cosine) < near_share) return near_directions(x, y, xx, yy, xy);
    return {std::sqrt(2 - 2 * cosine), std::sqrt(2 + 2 * cosine), 1, 1};
  }
  double difference = xx + yy - 2 * xy;
  double sum = xx + yy + 2 * xy;
  if (std::min(difference, sum) < near_share * (xx + yy)) {
    difference = lane_sum(x.size(), [&](std::size_t i) { return (x[i] - y[i]) * (x[i] - y[i]); });
    sum = lane_sum(x.size(), [&](std::size_t i) { return (x[i] + y[i]) * (x[i] + y[i]); });
  }
  return {std::sqrt(difference), std::sqrt(sum), norm_x, norm_y};
}

}  // namespace tailor
