#pragma once
// Gromov-Wasserstein between two clouds that are known by their distances alone.

#include <tailor/device/device.hpp>                         // tailor::Device
#include <tailor/geometry/coupling.hpp>                     // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>              // tailor::DistanceMatrix
#include <tailor/geometry/gromov/anchors.hpp>               // tailor::gromov::anchored
#include <tailor/geometry/gromov/conditional_gradient.hpp>  // tailor::gromov::ConditionalGradient
#include <tailor/geometry/gromov/exchanges.hpp>             // tailor::gromov::Exchanges
#include <tailor/geometry/gromov/lower_bound.hpp>           // tailor::gromov::first_lower_bound
#include <tailor/geometry/status.hpp>                       // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The coupling from which a descent began.
enum class GromovWassersteinStart { identity, product, best_anchor, all_anchors, all_anchor_pairs };

/// The objective is not convex: every start leads to a local optimum, and the least one is taken.
struct GromovWassersteinOptions {
  bool identity = true;      ///< point i with point i; used where the sizes are equal
  bool product = true;       ///< everything with everything
  bool best_anchor = true;   ///< points in the order of their distance to an anchor in either
                             ///< cloud: the outermost of the first, the best of the second
  bool exchanges = true;     ///< after a descent to a permutation, exchange pairs and descend again
  bool all_anchors = false;  ///< a descent from every anchor of the second cloud: m of them
  bool all_anchor_pairs = false;  ///< and of the first: n m of them, for some tens of points
  int max_iterations = 500;       ///< of one descent
  double tolerance = 1e-12;  ///< a descent stops when a step gains less than this part of the value
  std::size_t memory_limit = std::size_t{8} << 30;  ///< bytes
};

/// `gw_sq` is the sum of (a - b)^2 over the coupling with itself, `distortion` half its root, and
/// `lower_bound` Memoli's first one, in the unit of the distortion: nothing lies below it. n_used
/// counts the points of both clouds. Without points the result is undefined.
struct GromovWassersteinResult : Outcome {
  double gw_sq = 0;
  double distortion = 0;
  double lower_bound = 0;
  Coupling coupling;
  GromovWassersteinStart start = GromovWassersteinStart::identity;  ///< that led here
  int anchor_a = -1;       ///< point of the first cloud, where `start` is an anchor
  int anchor_b = -1;       ///< point of the second
  int iterations = 0;      ///< of that descent
  int descents = 0;        ///< starts tried; none is tried after one that reaches zero
  bool converged = false;  ///< false where max_iterations ended the descent
};

/// Memory for n and m points, both copies of the distances included; the largest number there is
/// for more than 2^24 points.
constexpr std::size_t gromov_wasserstein_bytes(int n, int m) {
  if (n > 1 << 24 || m > 1 << 24) return std::numeric_limits<std::size_t>::max();
  auto const rows = static_cast<std::size_t>(std::max(n, 0));
  auto const cols = static_cast<std::size_t>(std::max(m, 0));
  return (3 * rows * rows + 2 * cols * cols + 10 * rows * cols) * sizeof(double);
}

namespace gromov {

/// Distances may be this large, so that sums of their squares do not overflow.
inline constexpr double largest_distance = 1e140;

/// A later start must gain more than this part of the value to win.
inline constexpr double rounding = 1e-12;

template <DistanceMatrix M>
DenseDistances checked(M const& d, char const* which) {
  DenseDistances copy = dense(d);
  auto const entry = [&](int i, int j) {
    return "d(" + std::to_string(i) + ", " + std::to_string(j) +
           ") = " + std::to_string(copy(i, j));
  };
  for (int i = 0; i < copy.size(); ++i) {
    for (int j = 0; j <= i; ++j) {
      if (!(std::abs(copy(i, j)) <= largest_distance)) {
        throw std::invalid_argument(
            std::string("gromov_wasserstein: finite distances up to 1e140 expected, got ") +
            entry(i, j) + " in the " + which + " matrix");
      }
      if (copy(i, j) != copy(j, i)) {
        throw std::invalid_argument(
            std::string("gromov_wasserstein: a symmetric matrix expected, got ") + entry(i, j) +
            " and " + entry(j, i) + " in the " + which + " matrix");
      }
    }
  }
  return copy;
}

inline void check(GromovWassersteinOptions const& options, int n, int m) {
  if (!(options.tolerance >= 0) || options.max_iterations < 0) {
    throw std::invalid_argument(
        "gromov_wasserstein: tolerance and max_iterations of at least 0 expected, got " +
        std::to_string(options.tolerance) + " and " + std::to_string(options.max_iterations));
  }
  bool const any = (options.identity && n == m) || options.product || options.best_anchor ||
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

/// Goes on from the end of a descent to better permutations, as long as exchanges find any.
template <Device D>
Descent refined(ConditionalGradient<D>& gradient, DenseDistances const& a, DenseDistances const& b,
                Descent end, bool exchange) {
  while (exchange && end.gw_sq > 0) {
    std::vector<int> partners = partners_of(end.coupling);
    if (partners.empty()) break;
    Exchanges exchanges(a, b, std::move(partners), gradient.gradient());
    if (!exchanges.run()) break;
    Descent next = gradient.from(permutation(exchanges.partner()));
    if (!(next.gw_sq < end.gw_sq)) break;
    next.iterations += end.iterations;
    end = std::move(next);
  }
  return end;
}

}  // namespace gromov

/// Gromov-Wasserstein with the square loss and uniform weights: how far two clouds are from being
/// the same up to distances. Conditional gradient with exact line search from every start, and
/// exchanges of two partners where it ends at a permutation; the least end is returned with its
/// coupling. That is an upper bound of the true value, which lies between it and `lower_bound`.
/// Deterministic; the product of order n^3 runs on the device.
/// Cost:   one product n m^2 and one assignment (or transport) per step, gromov_wasserstein_bytes;
///         best_anchor m (n + m)^2 / 2 more.
/// Domain: symmetric finite entries up to 1e140, of any sign. Throws std::invalid_argument naming
///         the entry; std::length_error where the memory passes options.memory_limit.
/// Error:  rounding where the coupling is sparse; where it is spread, 1e-15 of the mean squared
///         distances.
/// @post   a cloud is at distance exactly zero from itself, and nothing is below zero
/// @post   lower_bound <= distortion
/// @post   the value scales with the clouds
/// @post   the best of several starts is no worse than each of them
/// Source: Memoli 2011; Vayer and others 2019, Optimal transport for structured data, algorithm 1.
template <Device D, DistanceMatrix A, DistanceMatrix B>
GromovWassersteinResult gromov_wasserstein(D& dev, A const& a, B const& b,
                                           GromovWassersteinOptions options = {}) {
  using Start = GromovWassersteinStart;
  int const n = a.size();
  int const m = b.size();
  gromov::check(options, n, m);
  GromovWassersteinResult result;
  result.n_used = n + m;
  if (n == 0 || m == 0) {
    result.status = Status::undefined;
    result.reason = "a cloud without points";
    return result;
  }
  DenseDistances const of_a = gromov::checked(a, "first");
  DenseDistances const of_b = gromov::checked(b, "second");
  gromov::ConditionalGradient<D> gradient(
      dev, of_a, of_b, {.max_iterations = options.max_iterations, .tolerance = options.tolerance});
  auto const keep = [&](gromov::Descent end, Start start, int anchor_a = -1, int anchor_b = -1) {
    bool const first = result.descents++ == 0;
    end = gromov::refined(gradient, of_a, of_b, std::move(end), options.exchanges);
    if (!first && !(end.gw_sq < result.gw_sq * (1 - gromov::rounding))) return;
    result.gw_sq = end.gw_sq;
    result.coupling = std::move(end.coupling);
    result.iterations = end.iterations;
    result.converged = end.converged;
    result.start = start;
    result.anchor_a = anchor_a;
    result.anchor_b = anchor_b;
  };
  auto const open = [&] { return result.descents == 0 || result.gw_sq > 0; };

  if (options.identity && n == m) {
    std::vector<int> same(n);
    std::iota(same.begin(), same.end(), 0);
    keep(gradient.from(gromov::permutation(same)), Start::identity);
  }
  if (options.product && open()) keep(gradient.from_product(), Start::product);
  int const outermost = gromov::outermost(of_a);
  auto const keep_anchored = [&](Start start, int i, int j) {
    keep(gradient.from(gromov::anchored(of_a, i, of_b, j)), start, i, j);
  };
  if (options.best_anchor && open()) {
    keep_anchored(Start::best_anchor, outermost, gromov::best_anchor(of_a, outermost, of_b));
  }
  for (int j = 0; options.all_anchors && j < m && open(); ++j) {
    keep_anchored(Start::all_anchors, outermost, j);
  }
  for (int i = 0; options.all_anchor_pairs && i < n; ++i) {
    for (int j = 0; j < m && open(); ++j) keep_anchored(Start::all_anchor_pairs, i, j);
  }
  result.distortion = std::sqrt(result.gw_sq) / 2;
  result.lower_bound = std::min(gromov::first_lower_bound(of_a, of_b), result.distortion);
  return result;
}

}  // namespace tailor
