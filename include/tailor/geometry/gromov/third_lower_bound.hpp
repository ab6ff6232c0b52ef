#pragma once
// What every coupling must cost at least, seen from how the distances from each point are
// distributed.

#include <tailor/device/device.hpp>                          // tailor::Device
#include <tailor/geometry/assignment.hpp>                    // tailor::assign
#include <tailor/geometry/distance_matrix.hpp>               // tailor::DenseDistances
#include <tailor/geometry/gromov/distance_distribution.hpp>  // tailor::gromov::DistanceDistribution
#include <tailor/geometry/gromov/product.hpp>                // tailor::gromov::multiply
#include <tailor/geometry/lane_sum.hpp>                      // tailor::lane_sum, inner_product
#include <tailor/geometry/masses.hpp>                        // tailor::Masses
#include <tailor/geometry/transport.hpp>                     // tailor::transport

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace tailor::gromov {

/// Every row in ascending order.
inline DenseDistances sorted_rows(DenseDistances d) {
  for (int i = 0; i < d.size(); ++i) std::sort(&d.at(i, 0), &d.at(i, 0) + d.size());
  return d;
}

inline DenseDistances transpose(DenseDistances const& d) {
  DenseDistances result(d.size());
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < d.size(); ++j) result.at(j, i) = d(i, j);
  }
  return result;
}

/// cost(i, j) = squared 2-Wasserstein distance on the line between the distances from i and those
/// from j, for n and n equal masses: the mean of (x(k) - y(k))^2 over the rows in ascending order,
/// which is |x|^2 + |y|^2 - 2 <x, y> but where the rows are so near that this would cancel.
template <Device D>
std::vector<double> distribution_costs(D& dev, DenseDistances const& a, DenseDistances const& b) {
  constexpr double near = 1e-5;
  int const n = a.size();
  std::size_t const size = static_cast<std::size_t>(n) * n;
  DenseDistances const x = sorted_rows(a);
  DenseDistances const y = sorted_rows(b);
  std::vector<double> of_x;
  std::vector<double> of_y;
  for (int i = 0; i < n; ++i) {
    of_x.push_back(inner_product(x.row(i), x.row(i)));
    of_y.push_back(inner_product(y.row(i), y.row(i)));
  }
  std::vector<double> costs(size);
  DenseDistances const x_by_columns = transpose(x);
  DenseDistances const y_by_columns = transpose(y);
  multiply(dev, TransposedProduct{.x = {x_by_columns.data(), size},
                                  .y = {y_by_columns.data(), size},
                                  .z = costs,
                                  .depth = n,
                                  .n = n,
                                  .m = n});
  for (int i = 0; i < n; ++i) {
    double* const row = costs.data() + static_cast<std::size_t>(i) * n;
    for (int j = 0; j < n; ++j) {
      double const squares = of_x[i] + of_y[j];
      double cost = squares - 2 * row[j];
      if (cost < near * squares) {
        std::span<double const> const u = x.row(i);
        std::span<double const> const v = y.row(j);
        cost = lane_sum(u.size(), [&](std::size_t k) { return (u[k] - v[k]) * (u[k] - v[k]); });
      }
      row[j] = cost / n;
    }
  }
  return costs;
}

/// The same for any masses.
inline std::vector<double> distribution_costs(DenseDistances const& a, Masses const& p,
                                              DenseDistances const& b, Masses const& q) {
  std::vector<DistanceDistribution> of_b;
  for (int j = 0; j < b.size(); ++j) of_b.emplace_back(b.row(j), q);
  std::vector<double> costs;
  for (int i = 0; i < a.size(); ++i) {
    DistanceDistribution const of_i(a.row(i), p);
    for (DistanceDistribution const& of_j : of_b) costs.push_back(squared_wasserstein(of_i, of_j));
  }
  return costs;
}

/// Memoli's third lower bound, in the unit of the distortion: half the root of the least mean cost
/// of a coupling, where matching i with j costs what their distributions of distances are apart.
/// For every coupling T the inner sum over (k, l) is the cost of one way to carry the distances
/// from i to those from j, so that it is at least the cheapest one.
/// Cost:   for equal sizes and masses n + m sorts of a row, one product and one assignment; a pass
///         over two rows per pair of points and one transport otherwise.
/// Error:  1e-8 relative.
/// Source: Memoli 2011, Gromov-Wasserstein distances and the metric approach, section 6.
template <Device D>
double third_lower_bound(D& dev, DenseDistances const& a, Masses const& p, DenseDistances const& b,
                         Masses const& q) {
  bool const permutations = one_to_one(p, q);
  std::vector<double> const costs =
      permutations ? distribution_costs(dev, a, b) : distribution_costs(a, p, b, q);
  auto const cost = [&](int i, int j) { return costs[static_cast<std::size_t>(i) * b.size() + j]; };
  double const total = permutations ? assign(a.size(), std::span<double const>(costs)).cost
                                    : transport(p, q, cost).cost;
  return std::sqrt(std::max(0.0, total / static_cast<double>(p.total))) / 2;
}

}  // namespace tailor::gromov
