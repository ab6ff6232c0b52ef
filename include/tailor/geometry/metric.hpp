#pragma once
// A metric between tokens: what it measures, and how far apart two points are.

#include <cmath>
#include <concepts>
#include <span>
#include <stdexcept>
#include <string>

namespace tailor {

/// What a metric looks at: the vectors as they stand, or their directions x / |x|, which the zero
/// vector has not: a token without one is undefined for that metric.
enum class Measures { vectors, directions };

/// The four lengths of a pair: |x - y|, |x + y|, |x| and |y|, of unit vectors where the metric
/// measures directions. Each is right to 1e-12 of itself, also where x and y nearly agree.
struct PairNorms {
  double difference;
  double sum;
  double x;
  double y;
};

/// A metric that follows from the lengths of a pair: one matrix product serves a whole cloud.
template <class M>
concept NormMetric = requires(M const& metric, PairNorms const& pair) {
  { metric.distance(pair) } -> std::convertible_to<double>;
};

/// A metric that wants the coordinates (unit vectors where it measures directions).
template <class M>
concept CoordinateMetric = requires(M const& metric, std::span<double const> x) {
  { metric.distance(x, x) } -> std::convertible_to<double>;
};

/// A metric that is defined on part of the space, or has parameters to check: `check(token, norm)`
/// throws std::invalid_argument with a message that names the token.
template <class M>
concept CheckedMetric = requires(M const& metric, int token, double norm) {
  metric.check(token, norm);
};

/// A metric is a struct that says what it measures and has one of the two forms of `distance`:
///     struct Manhattan {
///       static constexpr Measures measures = Measures::vectors;
///       double distance(std::span<double const> x, std::span<double const> y) const;
///     };
/// and, where it needs one, a `check`. A `distance` may be called from several threads at once.
template <class M>
concept Metric = requires {
  { M::measures } -> std::convertible_to<Measures>;
}
&&(NormMetric<M> || CoordinateMetric<M>);

/// |x - y|.
struct Euclidean {
  static constexpr Measures measures = Measures::vectors;

  double distance(PairNorms const& pair) const { return pair.difference; }
};

/// The angle between two directions, in [0, pi]. With unit vectors u and v, |u - v| = 2 sin(a / 2)
/// and |u + v| = 2 cos(a / 2), so that no angle is ill conditioned, as arccos is near 0 and pi.
/// @post the angle is exactly zero on equal directions
struct Spherical {
  static constexpr Measures measures = Measures::directions;

  double distance(PairNorms const& pair) const { return 2 * std::atan2(pair.difference, pair.sum); }
};

/// The distance of the Poincare ball of curvature -c, radius 1 / sqrt(c), between points that lie
/// in it as they are: arcosh(1 + 2c|x-y|^2 / ((1-c|x|^2)(1-c|y|^2))) / sqrt(c), in the form 2
/// arsinh(sqrt(c) |x-y| / sqrt((1-c|x|^2)(1-c|y|^2))) / sqrt(c), which is right near zero. Nothing
/// is clamped.
/// Error:  std::invalid_argument that names the token for a point on or outside the sphere.
struct Poincare {
  static constexpr Measures measures = Measures::vectors;

  double curvature = 1;  ///< c > 0: the ball has curvature -c

  double distance(PairNorms const& pair) const {
    double const root = std::sqrt(curvature);
    double const room = depth(root * pair.x) * depth(root * pair.y);
    return 2 / root * std::asinh(root * pair.difference / std::sqrt(room));
  }

  void check(int token, double norm) const {
    if (!(curvature > 0) || !std::isfinite(curvature)) {
      throw std::invalid_argument("Poincare: a positive curvature expected, got " +
                                  std::to_string(curvature));
    }
    if (!(depth(std::sqrt(curvature) * norm) > 0)) {
      throw std::invalid_argument("Poincare: token " + std::to_string(token) +
                                  " lies outside the ball: norm " + std::to_string(norm) +
                                  ", radius " + std::to_string(1 / std::sqrt(curvature)));
    }
  }

 private:
  /// 1 - r^2.
  static double depth(double r) { return (1 - r) * (1 + r); }
};

/// The Poincare ball reached by the map of fixed radius: a token goes to (rho / sqrt(c)) x / |x|.
/// All points then have one depth and the distance, 2 arsinh(rho |u-v| / (1-rho^2)) / sqrt(c), is
/// an increasing function of the angle alone.
/// Source: Geometry-Guided Layerwise FFN Width Allocation (the radius is our named option).
struct Hyperbolic {
  static constexpr Measures measures = Measures::directions;
  static constexpr char const* ball_map = "fixed-radius";

  double rho = 0.5;      ///< in (0, 1): the radius as a share of the ball's
  double curvature = 1;  ///< c > 0: the ball has curvature -c

  double distance(PairNorms const& pair) const { return at_gap(pair.difference); }

  /// The distance of two points whose directions are `angle` apart.
  double at_angle(double angle) const { return at_gap(2 * std::sin(angle / 2)); }

  void check(int, double) const { check(); }
  void check() const {
    if (!(rho > 0 && rho < 1)) {
      throw std::invalid_argument("Hyperbolic: rho between 0 and 1 expected, got " +
                                  std::to_string(rho));
    }
    if (!(curvature > 0) || !std::isfinite(curvature)) {
      throw std::invalid_argument("Hyperbolic: a positive curvature expected, got " +
                                  std::to_string(curvature));
    }
  }

 private:
  double at_gap(double gap) const {
    return 2 / std::sqrt(curvature) * std::asinh(rho * gap / (1 - rho * rho));
  }
};

static_assert(Metric<Euclidean> && Metric<Spherical> && Metric<Poincare> && Metric<Hyperbolic>);

}  // namespace tailor
