#pragma once
// Distances between all tokens of a cloud, by one matrix product.

#include <tailor/device/device.hpp>             // tailor::Device, upload, download
#include <tailor/device/gemm.hpp>               // tailor::Gemm
#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances
#include <tailor/geometry/metric.hpp>           // tailor::Metric
#include <tailor/geometry/pair_norms.hpp>       // tailor::pair_norms
#include <tailor/geometry/points.hpp>           // tailor::points_of, tailor::token_faults

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

struct DistanceOptions {
  std::size_t limit_bytes = std::size_t(4) << 30;  ///< more than this is refused before it begins
};

/// Distances between the tokens that the metric is defined on. Itself a DistanceMatrix.
struct Distances {
  DenseDistances matrix = {};
  std::vector<int> tokens;  ///< the token of the cloud behind each row of the matrix
  Outcome outcome;          ///< counts tokens

  int size() const { return matrix.size(); }
  double operator()(int i, int j) const { return matrix(i, j); }
};

/// Memory that `distances` of n tokens in d dimensions takes in all: the matrix and the points in
/// double, on the host and on the device. The largest number there is for more than 2^27 tokens,
/// whose bytes no size could count.
constexpr std::size_t distances_bytes(int n, int d) {
  if (n > 1 << 27) return std::numeric_limits<std::size_t>::max();
  return 2 * sizeof(double) * std::size_t(n) * (std::size_t(n) + std::size_t(d) + 2);
}

/// Throws std::length_error, which names the need, where `bytes` is over the limit.
inline void within_limit(std::string const& what, std::size_t bytes, std::size_t limit) {
  if (bytes > limit) {
    throw std::length_error(what + " needs " + std::to_string(bytes >> 20) +
                            " MiB, over limit_bytes = " + std::to_string(limit >> 20) + " MiB");
  }
}

/// x . y for all pairs.
/// Cost: 2 n^2 d flops.
template <Device D>
DenseDistances inner_products(D& dev, Points const& points) {
  int const n = points.size();
  int const d = points.dimension;
  DenseDistances result(n);
  if (n == 0 || d == 0) return result;
  using Space = typename D::Space;
  auto x = buffer<double>(dev, std::int64_t(points.coordinates.size()));
  auto products = buffer<double>(dev, std::int64_t(n) * n);
  upload(dev, std::span<double const>(points.coordinates), x.view());
  auto const rows = matrix<Space>(x.view().data, n, d);
  gemm(dev, Gemm<double, Space>{
                .a = rows, .b = transposed(rows), .c = matrix<Space>(products.view().data, n, n)});
  download(dev, VectorView<double const, Space>(products.view()),
           std::span(result.data(), std::size_t(n) * std::size_t(n)));
  return result;
}

/// Turns the inner products of points into their distances, in place.
/// Cost: O(n^2), and O(d) more for each pair of near parallel points.
template <NormMetric M, Device D>
DenseDistances distances_from(D& dev, DenseDistances products, Points const& points,
                              M const& metric) {
  auto const& squared = points.squared_norms;
  parallel(dev, std::int64_t(points.size()), [&](std::int64_t row) {
    int const i = int(row);
    for (int j = i + 1; j < points.size(); ++j) {
      auto const pair = pair_norms(M::measures, points[i], points[j], squared[std::size_t(i)],
                                   squared[std::size_t(j)], products(i, j));
      products.at(i, j) = products.at(j, i) = metric.distance(pair);
    }
    products.at(i, i) = 0;
  });
  return products;
}

/// Distances between points by a metric that wants their coordinates.
/// Cost: n^2 / 2 calls of metric.distance.
template <CoordinateMetric M, Device D>
DenseDistances distances_by_coordinates(D& dev, Points const& points, M const& metric) {
  DenseDistances result(points.size());
  parallel(dev, std::int64_t(points.size()), [&](std::int64_t row) {
    int const i = int(row);
    for (int j = i + 1; j < points.size(); ++j) {
      result.at(i, j) = result.at(j, i) = metric.distance(points[i], points[j]);
    }
  });
  return result;
}

/// Distances between all tokens of a host cloud. Tokens that the metric is not defined on (a
/// coordinate that is not finite, the zero vector for a metric of directions) are left out, counted
/// and named in the outcome.
/// Shapes: x [n, d], float or double.
/// Cost:   one product of 2 n^2 d flops for a NormMetric and O(d) for each near parallel pair;
///         O(n^2 d) for a CoordinateMetric. Memory distances_bytes(n, d).
/// Domain: a distance of a token to itself is taken to be zero and d(j, i) to be d(i, j).
/// Error:  std::length_error that names the need where it is over options.limit_bytes, before
///         anything begins; std::invalid_argument from the metric's own check.
/// @post relative error < 1e-12 for a pair 1e-9 apart in a cloud with one token 10^4 times the
///       median norm
/// @post angles and distances of the ball are right to 1e-12 of themselves, near and far
/// @post a token is at distance exactly zero from its copy, by every metric
template <Metric M, Device D, Scalar T>
Distances distances(D& dev, MatrixView<T> x, M const& metric = {}, DistanceOptions options = {}) {
  within_limit("distances: a cloud of " + std::to_string(x.rows) + " tokens in " +
                   std::to_string(x.cols) + " dimensions",
               distances_bytes(x.rows, x.cols), options.limit_bytes);
  auto const found = token_faults(x, M::measures);
  Points p = points_of(x, sound_tokens(found));
  check_points(metric, p);
  Distances result{.matrix = {}, .tokens = p.tokens, .outcome = token_outcome(found)};
  if constexpr (NormMetric<M>) {
    result.matrix = distances_from(dev, inner_products(dev, p), p, metric);
  } else {
    if constexpr (M::measures == Measures::directions) p = at_unit_length(std::move(p));
    result.matrix = distances_by_coordinates(dev, p, metric);
  }
  return result;
}

}  // namespace tailor
