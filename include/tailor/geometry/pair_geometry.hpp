#pragma once
// A pair of clouds in one geometry: distances before and after, and how far each token moves.

#include <tailor/device/device.hpp>             // tailor::Device
#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances
#include <tailor/geometry/distances.hpp>        // tailor::distances_from, tailor::inner_products
#include <tailor/geometry/metric.hpp>           // tailor::NormMetric
#include <tailor/geometry/points.hpp>           // tailor::points_of
#include <tailor/geometry/shift.hpp>            // tailor::distances_across

#include <cstdint>
#include <utility>
#include <vector>

namespace tailor {

/// The same tokens before and after, with their inner products.
struct PointsOfPair {
  Points before;
  Points after;
  DenseDistances products_before;
  DenseDistances products_after;
};

template <Device D, Scalar T, Scalar U>
PointsOfPair points_of_pair(D& dev, MatrixView<T> before, MatrixView<U> after,
                            std::vector<int> const& tokens) {
  PointsOfPair pair{points_of(before, tokens), points_of(after, tokens), {}, {}};
  pair.products_before = inner_products(dev, pair.before);
  pair.products_after = inner_products(dev, pair.after);
  return pair;
}

/// Distances before and after by one metric, and how far each token moves.
struct PairGeometry {
  DenseDistances before;
  DenseDistances after;
  std::vector<double> moved;
};

template <NormMetric M, Device D>
PairGeometry pair_geometry(D& dev, PointsOfPair const& pair, M const& metric) {
  return {.before = distances_from(dev, pair.products_before, pair.before, metric),
          .after = distances_from(dev, pair.products_after, pair.after, metric),
          .moved = distances_across(dev, pair.before, pair.after, metric)};
}

/// The geometry in which every distance is replaced by map(distance).
/// Cost:   n^2 calls of map.
/// Domain: map(0) == 0.
template <Device D, class Map>
PairGeometry mapped(D& dev, PairGeometry geometry, Map const& map) {
  for (DenseDistances* distances : {&geometry.before, &geometry.after}) {
    parallel(dev, std::int64_t(distances->size()), [&](std::int64_t row) {
      int const i = int(row);
      for (int j = i + 1; j < distances->size(); ++j) {
        distances->at(i, j) = distances->at(j, i) = map(distances->at(i, j));
      }
    });
  }
  for (double& distance : geometry.moved) distance = map(distance);
  return geometry;
}

}  // namespace tailor
