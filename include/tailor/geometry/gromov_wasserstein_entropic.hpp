#pragma once
// Gromov-Wasserstein with entropy: a coupling that is spread smoothly.

#include <tailor/device/device.hpp>                       // tailor::Device
#include <tailor/geometry/coupling.hpp>                   // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>            // tailor::DistanceMatrix
#include <tailor/geometry/gromov/entropic_transport.hpp>  // tailor::gromov::EntropicTransport
#include <tailor/geometry/gromov/input.hpp>               // tailor::gromov::masses_of
#include <tailor/geometry/gromov/moments.hpp>             // tailor::gromov::row_mean_squares
#include <tailor/geometry/gromov/product.hpp>             // tailor::gromov::multiply
#include <tailor/geometry/gromov_wasserstein.hpp>         // tailor::GromovWassersteinResult
#include <tailor/geometry/lane_sum.hpp>                   // tailor::inner_product

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

struct EntropicGromovWassersteinOptions {
  double epsilon = 0.01;     ///< weight of the entropy, as a part of the sum of the mean squared
                             ///< distances of both clouds
  int max_iterations = 500;  ///< each a product and a transport with entropy
  double tolerance = 1e-6;   ///< stop when a step moves no more than this part of the mass
  bool third_lower_bound = false;                   ///< Memoli's third lower bound beside the first
  std::size_t memory_limit = std::size_t{8} << 30;  ///< bytes
};

/// Memory for n and m points, copies of the distances included; the largest number there is for
/// more than 2^24 points.
constexpr std::size_t gromov_wasserstein_entropic_bytes(int n, int m) {
  if (n > 1 << 24 || m > 1 << 24) return std::numeric_limits<std::size_t>::max();
  auto const rows = static_cast<std::size_t>(std::max(n, 0));
  auto const cols = static_cast<std::size_t>(std::max(m, 0));
  return (2 * rows * rows + 2 * cols * cols + 8 * rows * cols) * sizeof(double);
}

namespace gromov {

inline void check(EntropicGromovWassersteinOptions const& options, int n, int m) {
  if (!(options.epsilon >= 1e-9 && options.epsilon <= 1e6)) {
    throw std::invalid_argument(
        "gromov_wasserstein_entropic: an epsilon from 1e-9 to 1e6 expected, got " +
        std::to_string(options.epsilon));
  }
  if (!(options.tolerance >= 0) || options.max_iterations < 1) {
    throw std::invalid_argument(
        "gromov_wasserstein_entropic: a tolerance of at least 0 and max_iterations of at least 1 "
        "expected, got " +
        std::to_string(options.tolerance) + " and " + std::to_string(options.max_iterations));
  }
  std::size_t const bytes = gromov_wasserstein_entropic_bytes(n, m);
  if (bytes > options.memory_limit) {
    throw std::length_error("gromov_wasserstein_entropic: " + std::to_string(n) + " and " +
                            std::to_string(m) + " points need " + std::to_string(bytes) +
                            " bytes, at most " + std::to_string(options.memory_limit) + " allowed");
  }
}

/// out = -a T b for symmetric a and b and any T.
template <Device D>
void multiply(D& dev, DenseDistances const& a, std::span<double const> t, DenseDistances const& b,
              std::span<double> out) {
  auto const whole = [](DenseDistances const& d) {
    return std::span(d.data(), static_cast<std::size_t>(d.size()) * d.size());
  };
  int const n = a.size();
  int const m = b.size();
  std::vector<double> transposed(out.size());  // T' a
  multiply(dev,
           TransposedProduct{.x = t, .y = whole(a), .z = transposed, .depth = n, .n = m, .m = n});
  multiply(dev,
           TransposedProduct{
               .x = transposed, .y = whole(b), .z = out, .depth = m, .n = n, .m = m, .alpha = -1});
}

}  // namespace gromov

/// Lowers gw_sq + epsilon' KL(T | p q') from the product of the weights, epsilon' in units of squared
/// distance: each step is the transport with entropy for the gradient of gw_sq where the last one
/// ended. The coupling is then given the exact weights of both clouds, and gw_sq, which leaves the
/// entropy out, is that of this coupling: an upper bound of the true value, and so never negative.
/// Little entropy needs many rounds of scaling; without entropy there is gromov_wasserstein, which
/// also ends lower. `start` is the product and `iterations` counts the steps.
/// Cost:   two products and up to 1000 rounds of O(n m) a step; gromov_wasserstein_entropic_bytes.
/// Domain: an epsilon from 1e-9 to 1e6; symmetric finite entries up to 1e140, of any sign. Throws
///         std::invalid_argument naming the entry; std::length_error where the memory passes options.memory_limit.
/// Error:  1e-15 of the mean squared distances.
/// @post   the entropic coupling has the weights of both clouds, and its value is by definition
/// @post   at the end the coupling is the transport with entropy for its own gradient
/// @post   the entropic objective is no more than at the product, for clouds of negative type
/// @post   the more entropy, the nearer the product of the weights
/// Source: Peyre, Cuturi and Solomon 2016, Gromov-Wasserstein averaging, section 3.
template <Device D, DistanceMatrix A, DistanceMatrix B>
GromovWassersteinResult gromov_wasserstein_entropic(D& dev, A const& a, B const& b,
                                                    EntropicGromovWassersteinOptions options = {}) {
  int const n = a.size();
  int const m = b.size();
  if (n == 0 || m == 0) return gromov::without_points(n, m);
  gromov::check(options, n, m);
  std::pair<Masses, Masses> const masses = gromov::masses_of(a, b);
  DenseDistances const& of_a = gromov::as_dense(a);
  DenseDistances const& of_b = gromov::as_dense(b);
  gromov::check("gromov_wasserstein_entropic", of_a, "first");
  gromov::check("gromov_wasserstein_entropic", of_b, "second");
  std::vector<double> const p = masses.first.shares();
  std::vector<double> const q = masses.second.shares();
  std::vector<double> const mean_squares_a = gromov::row_mean_squares(of_a, p);
  std::vector<double> const mean_squares_b = gromov::row_mean_squares(of_b, q);
  double const constant = inner_product(mean_squares_a, p) + inner_product(mean_squares_b, q);

  GromovWassersteinResult result;
  result.n_used = n + m;
  result.start = GromovWassersteinStart::product;
  result.descents = 1;
  result.coupling = Coupling(n, m);
  std::span<double> const plan = result.coupling.weights();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) result.coupling.at(i, j) = p[i] * q[j];
  }
  std::vector<double> gradient(plan.size());
  gromov::multiply(dev, of_a, plan, of_b, gradient);
  gromov::EntropicTransport transport(p, q, options.tolerance / 10);
  result.converged = constant == 0;
  std::vector<double> next(plan.size());
  while (!result.converged && result.iterations < options.max_iterations) {
    constexpr int most_rounds = 1000;
    for (double& x : gradient) x = x / constant * (4 / options.epsilon);
    transport.solve(gradient, next, most_rounds);
    double moved = 0;
    for (std::size_t k = 0; k < next.size(); ++k) moved += std::abs(next[k] - plan[k]);
    std::ranges::copy(next, plan.begin());
    gromov::multiply(dev, of_a, plan, of_b, gradient);
    ++result.iterations;
    result.converged = moved <= options.tolerance;
  }
  gromov::round_to_marginals(plan, p, q);
  gromov::multiply(dev, of_a, plan, of_b, gradient);
  result.gw_sq = std::max(0.0, constant + 2 * inner_product(gradient, plan));
  gromov::bound(dev, result, {of_a, masses.first, mean_squares_a},
                {of_b, masses.second, mean_squares_b}, options.third_lower_bound);
  return result;
}

}  // namespace tailor
