#pragma once
// Gromov-Wasserstein between two clouds that are known by their distances alone.

#include <tailor/device/device.hpp>                         // tailor::Device
#include <tailor/geometry/coupling.hpp>                     // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>              // tailor::DistanceMatrix
#include <tailor/geometry/gromov/anchors.hpp>               // tailor::gromov::best_anchor
#include <tailor/geometry/gromov/conditional_gradient.hpp>  // tailor::gromov::ConditionalGradient
#include <tailor/geometry/gromov/exchanges.hpp>             // tailor::gromov::Exchanges
#include <tailor/geometry/gromov/first_lower_bound.hpp>     // tailor::gromov::first_lower_bound
#include <tailor/geometry/gromov/input.hpp>                 // tailor::gromov::masses_of
#include <tailor/geometry/gromov/third_lower_bound.hpp>     // tailor::gromov::third_lower_bound
#include <tailor/geometry/status.hpp>                       // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The coupling from which a descent began.
enum class GromovWassersteinStart { identity, product, best_anchor, all_anchors, all_anchor_pairs };

/// The objective is not convex: every start leads to a local optimum, and the least one is taken.
struct GromovWassersteinOptions {
  bool identity = true;      ///< point i with point i; used where sizes and weights are equal
  bool product = true;       ///< everything with everything
  bool best_anchor = true;   ///< points in the order of their distance to an anchor in either
                             ///< cloud: the outermost of the first, the best of the second
  bool exchanges = true;     ///< where a descent ends at a permutation that is the best so far,
                             ///< exchange pairs and descend again; from all anchors wherever
  bool all_anchors = false;  ///< a descent from every anchor of the second cloud: m of them
  bool all_anchor_pairs = false;   ///< and of the first: n m of them, for some tens of points
  bool third_lower_bound = false;  ///< Memoli's third lower bound beside the first
  int max_iterations = 500;        ///< of one descent
  double tolerance = 1e-12;  ///< a descent stops when a step gains less than this part of the value
  std::size_t memory_limit = std::size_t{8} << 30;  ///< bytes
};

/// `gw_sq` is the sum of (a - b)^2 over the coupling with itself and `distortion` half its root. The
/// lower bounds are Memoli's, in the unit of the distortion: no coupling lies below them. n_used
/// counts the points of both clouds. Without points the result is undefined.
struct GromovWassersteinResult : Outcome {
  double gw_sq = 0;
  double distortion = 0;
  double lower_bound = 0;  ///< the larger of those below
  double first_lower_bound = 0;
  std::optional<double> third_lower_bound;  ///< where options.third_lower_bound asks for it
  Coupling coupling;
  GromovWassersteinStart start = GromovWassersteinStart::identity;  ///< that led here
  int anchor_a = -1;       ///< point of the first cloud, where `start` is an anchor
  int anchor_b = -1;       ///< point of the second
  int iterations = 0;      ///< of that descent
  int descents = 0;        ///< starts tried; none is tried after one that reaches zero
  bool converged = false;  ///< false where max_iterations ended the descent
};

/// Memory for n and m points, copies of the distances included; the largest number there is for
/// more than 2^24 points.
constexpr std::size_t gromov_wasserstein_bytes(int n, int m) {
  if (n > 1 << 24 || m > 1 << 24) return std::numeric_limits<std::size_t>::max();
  auto const rows = static_cast<std::size_t>(std::max(n, 0));
  auto const cols = static_cast<std::size_t>(std::max(m, 0));
  return (2 * rows * rows + 4 * cols * cols + 11 * rows * cols) * sizeof(double);
}

namespace gromov {

/// A later start must gain more than this part of the value to win.
inline constexpr double rounding = 1e-12;

inline void check(GromovWassersteinOptions const& options, int n, int m, bool paired) {
  if (!(options.tolerance >= 0) || options.max_iterations < 0) {
    throw std::invalid_argument(
        "gromov_wasserstein: tolerance and max_iterations of at least 0 expected, got " +
        std::to_string(options.tolerance) + " and " + std::to_string(options.max_iterations));
  }
  bool const any = (options.identity && paired) || options.product || options.best_anchor ||
                   options.all_anchors || options.all_anchor_pairs;
  if (!any) {
    throw std::invalid_argument("gromov_wasserstein: at least one start that fits sizes " +
                                std::to_string(n) + " and " + std::to_string(m) + " expected");
  }
  std::size_t const bytes = gromov_wasserstein_bytes(n, m);
  if (bytes > options.memory_limit) {
    throw std::length_error("gromov_wasserstein: " + std::to_string(n) + " and " +
                            std::to_string(m) + " points need " + std::to_string(bytes) +
                            " bytes, at most " + std::to_string(options.memory_limit) + " allowed");
  }
}

inline GromovWassersteinResult without_points(int n, int m) {
  GromovWassersteinResult nothing;
  nothing.status = Status::undefined;
  nothing.n_used = n + m;
  nothing.reason = "a cloud without points";
  return nothing;
}

/// What the lower bounds know of a cloud.
struct BoundedCloud {
  DenseDistances const& distances;
  Masses const& masses;
  std::vector<double> const& mean_squares;  ///< of the distances from every point
};

/// Fills in the distortion and the lower bounds of a result that has its gw_sq.
template <Device D>
void bound(D& dev, GromovWassersteinResult& result, BoundedCloud const& a, BoundedCloud const& b,
           bool third) {
  result.distortion = std::sqrt(result.gw_sq) / 2;
  result.first_lower_bound = std::min(
      result.distortion, first_lower_bound(a.mean_squares, a.masses, b.mean_squares, b.masses));
  if (third) {
    result.third_lower_bound = std::min(
        result.distortion, third_lower_bound(dev, a.distances, a.masses, b.distances, b.masses));
  }
  result.lower_bound = std::max(result.first_lower_bound, result.third_lower_bound.value_or(0));
}

/// Goes on from the end of a descent to better permutations, as long as exchanges find any.
template <Device D>
Descent refined(ConditionalGradient<D>& gradient, DenseDistances const& a, DenseDistances const& b,
                Descent end) {
  bool const permutation = gradient.one_to_one() && !end.corner.empty();
  for (bool moved = permutation; moved && end.gw_sq > 0;) {
    Exchanges exchanges(a, b, partners_of(end.corner), gradient.gradient());
    if (!exchanges.run()) break;
    Descent next = gradient.from_exchanges(exchanges);
    if (!(next.gw_sq < end.gw_sq)) break;
    moved = next.iterations > 0;
    next.iterations += end.iterations;
    end = std::move(next);
    if (end.corner.empty()) break;
  }
  return end;
}

}  // namespace gromov

/// Gromov-Wasserstein with the square loss: how far two clouds are from being the same up to
/// distances. Points weigh the same unless a cloud comes as WeightedDistances. Conditional gradient
/// with exact line search from every start, and exchanges of two partners where the best end is a
/// permutation; the least end is returned with its coupling. That is an upper bound of the true
/// value, which lies between it and `lower_bound`. Deterministic; the product of order n^3 runs on
/// the device.
/// Cost:   one product n m^2 and one assignment (or transport) per step; O(n^2) per exchange made;
///         gromov_wasserstein_bytes.
/// Domain: symmetric finite entries up to 1e140, of any sign. Throws std::invalid_argument naming
///         the entry; std::length_error where the memory passes options.memory_limit.
/// Error:  rounding where the coupling is sparse; where it is spread, 1e-15 of the mean squared
///         distances.
/// @post   a cloud is at distance exactly zero from itself, and nothing is below zero
/// @post   first_lower_bound <= third_lower_bound <= distortion
/// @post   the value scales with the clouds
/// @post   the best of several starts is no worse than the descent from each of them
/// Source: Memoli 2011; Vayer and others 2019, Optimal transport for structured data, algorithm 1.
template <Device D, DistanceMatrix A, DistanceMatrix B>
GromovWassersteinResult gromov_wasserstein(D& dev, A const& a, B const& b,
                                           GromovWassersteinOptions options = {}) {
  using Start = GromovWassersteinStart;
  int const n = a.size();
  int const m = b.size();
  if (n == 0 || m == 0) return gromov::without_points(n, m);
  std::pair<Masses, Masses> const masses = gromov::masses_of(a, b);
  Masses const& p = masses.first;
  Masses const& q = masses.second;
  bool const paired = p == q;
  gromov::check(options, n, m, paired);
  DenseDistances const& of_a = gromov::as_dense(a);
  DenseDistances const& of_b = gromov::as_dense(b);
  gromov::check("gromov_wasserstein", of_a, "first");
  gromov::check("gromov_wasserstein", of_b, "second");

  GromovWassersteinResult result;
  result.n_used = n + m;
  gromov::ConditionalGradient<D> gradient(
      dev, of_a, p, of_b, q,
      {.max_iterations = options.max_iterations, .tolerance = options.tolerance});
  gromov::Descent best;
  auto const keep = [&](gromov::Descent end, Start start, int anchor_a = -1, int anchor_b = -1) {
    bool const first = result.descents++ == 0;
    auto const wins = [&] { return first || end.gw_sq < result.gw_sq * (1 - gromov::rounding); };
    bool const thorough = start == Start::all_anchors || start == Start::all_anchor_pairs;
    if (options.exchanges && (thorough || wins())) {
      end = gromov::refined(gradient, of_a, of_b, std::move(end));
    }
    if (!wins()) return;
    best = std::move(end);
    result.gw_sq = best.gw_sq;
    result.iterations = best.iterations;
    result.converged = best.converged;
    result.start = start;
    result.anchor_a = anchor_a;
    result.anchor_b = anchor_b;
  };
  auto const open = [&] { return result.descents == 0 || result.gw_sq > 0; };

  if (options.identity && paired) {
    std::vector<int> same(n);
    std::iota(same.begin(), same.end(), 0);
    keep(gradient.from(gromov::in_order(same, p, same, q)), Start::identity);
  }
  if (options.product && open()) keep(gradient.from_product(), Start::product);
  bool const anchors = options.best_anchor || options.all_anchors;
  int const outermost = anchors && open() ? gromov::outermost(of_a, p) : -1;
  auto const keep_anchored = [&](Start start, int i, int j) {
    keep(gradient.from(gromov::monotone(of_a.row(i), p, of_b.row(j), q)), start, i, j);
  };
  if (options.best_anchor && open()) {
    keep_anchored(Start::best_anchor, outermost, gromov::best_anchor(of_a, p, outermost, of_b, q));
  }
  for (int j = 0; options.all_anchors && j < m && open(); ++j) {
    keep_anchored(Start::all_anchors, outermost, j);
  }
  for (int i = 0; options.all_anchor_pairs && i < n; ++i) {
    for (int j = 0; j < m && open(); ++j) keep_anchored(Start::all_anchor_pairs, i, j);
  }
  result.coupling = best.coupling(n, m);
  gromov::bound(dev, result, {of_a, p, gradient.mean_squares_a()},
                {of_b, q, gradient.mean_squares_b()}, options.third_lower_bound);
  return result;
}

}  // namespace tailor
