#pragma once
// Descent of the Gromov-Wasserstein objective from one coupling, by conditional gradient.
//
// With uniform weights p, q and a coupling T, the objective is
//     E(T) = sum (a(i, k) - b(j, l))^2 T(i, j) T(k, l) = constant - 2 <a T b, T>,
//     constant = p' a^2 p + q' b^2 q (entrywise squares),
// for the marginals of T are fixed. Its gradient is -4 G with G = a T b. The corner P of the set of
// couplings that is best for the gradient maximises <G, P>: an assignment for equal sizes, a
// transport plan otherwise. Along the way from T to P, with H = a P b,
//     E(T + s (P - T)) - E(T) = -4 s (<G,P> - <G,T>) - 2 s^2 (<G,T> - 2 <G,P> + <H,P>),
// whose least value on [0, 1] has a closed form. G is then (1 - s) G + s H: one product a step.

#include <tailor/geometry/assignment.hpp>              // tailor::assign
#include <tailor/geometry/coupling.hpp>                // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>         // tailor::DenseDistances
#include <tailor/geometry/gromov/moments.hpp>          // tailor::gromov::row_sums
#include <tailor/geometry/gromov/product.hpp>          // tailor::gromov::ProductWith
#include <tailor/geometry/gromov/sparse_coupling.hpp>  // tailor::gromov::SparseCoupling
#include <tailor/geometry/transport.hpp>               // tailor::transport

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace tailor::gromov {

struct DescentOptions {
  int max_iterations = 0;
  double tolerance = 0;  ///< stop when a step gains less than this part of the value
};

/// Where a descent ended. `converged` is false where max_iterations stopped it.
struct Descent {
  Coupling coupling;
  double gw_sq = 0;
  int iterations = 0;
  bool converged = false;
};

template <Device D>
class ConditionalGradient {
 public:
  ConditionalGradient(D& dev, DenseDistances const& a, DenseDistances const& b,
                      DescentOptions options)
      : a_(a),
        b_(b),
        n_(a.size()),
        m_(b.size()),
        options_(options),
        times_b_(dev, n_, b),
        moved_(size()),
        gradient_(size()),
        step_(size()),
        row_sums_a_(row_sums(a)),
        row_sums_b_(row_sums(b)),
        typical_prices_(row_mean_squares(b)) {
    for (double& price : typical_prices_) price *= -0.5;
  }

  Descent from(SparseCoupling const& start) {
    Coupling coupling(n_, m_);
    for (Entry const& entry : start) coupling.at(entry.i, entry.j) += entry.weight;
    multiply(start, gradient_);
    return descend(std::move(coupling), squared_distortion(a_, b_, start), {});
  }

  /// From the product of the weights, where G has rank one and the best corner matches the row sums
  /// in their order.
  Descent from_product() {
    Coupling coupling(n_, m_);
    double const weight = 1.0 / (static_cast<double>(n_) * m_);
    for (double& w : coupling.weights()) w = weight;
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < m_; ++j) at(gradient_, i, j) = row_sums_a_[i] * row_sums_b_[j] * weight;
    }
    double constant = 0;
    for (double const square : row_mean_squares(a_)) constant += square / n_;
    for (double const square : row_mean_squares(b_)) constant += square / m_;
    double const value = constant - 2 * dot(gradient_, coupling.weights());
    return descend(std::move(coupling), value, monotone(row_sums_a_, row_sums_b_));
  }

  /// a T b at the coupling T where the last descent ended, row by row.
  std::vector<double> const& gradient() const { return gradient_; }

 private:
  Descent descend(Coupling coupling, double value, SparseCoupling corner) {
    Descent result;
    std::vector<double> prices;
    while (!result.converged && result.iterations < options_.max_iterations) {
      if (corner.empty()) corner = best_corner(prices);
      double const at_here = dot(gradient_, coupling.weights());
      double const at_corner = dot(gradient_, corner);
      double const rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(at_here);
      if (at_corner - at_here <= rounding) {
        result.converged = true;
        break;
      }
      multiply(corner, step_);
      double const linear = -4 * (at_corner - at_here);
      double const quadratic = -2 * (at_here - 2 * at_corner + dot(step_, corner));
      double const s = best_step(linear, quadratic);
      double const change = linear * s + quadratic * s * s;
      for (double& w : coupling.weights()) w *= 1 - s;
      for (Entry const& entry : corner) coupling.at(entry.i, entry.j) += s * entry.weight;
      for (std::size_t k = 0; k < size(); ++k) gradient_[k] = (1 - s) * gradient_[k] + s * step_[k];
      value += change;
      ++result.iterations;
      result.converged = -change <= options_.tolerance * std::abs(value);
      corner.clear();
    }
    result.gw_sq = value_of(coupling, value);
    result.coupling = std::move(coupling);
    return result;
  }

  /// The least value of linear s + quadratic s^2 on [0, 1]; linear < 0.
  static double best_step(double linear, double quadratic) {
    return quadratic > 0 ? std::min(1.0, -linear / (2 * quadratic)) : 1.0;
  }

  /// The corner that maximises <G, P>. Prices are carried from step to step.
  SparseCoupling best_corner(std::vector<double>& prices) {
    auto const cost = [this](int i, int j) { return -at(gradient_, i, j); };
    bool const typical = prices.empty() || dual_value(typical_prices_) > dual_value(prices);
    std::vector<double> const& start = typical ? typical_prices_ : prices;
    SparseCoupling corner;
    if (n_ == m_) {
      Assignment assignment = assign(n_, cost, start);
      for (int i = 0; i < n_; ++i) corner.push_back({i, assignment.column_of[i], 1.0 / n_});
      prices = std::move(assignment.column_price);
    } else {
      TransportPlan plan = transport(n_, m_, cost, start);
      double const units = static_cast<double>(plan.supply) * n_;
      for (Shipment const& s : plan.shipments) corner.push_back({s.row, s.column, s.units / units});
      sort_by_row(corner);
      prices = std::move(plan.column_price);
    }
    return corner;
  }

  /// What column prices prove about the cost of the best corner.
  double dual_value(std::vector<double> const& prices) const {
    double columns = 0;
    for (double const price : prices) columns += price;
    double rows = 0;
    for (int i = 0; i < n_; ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (int j = 0; j < m_; ++j) least = std::min(least, -at(gradient_, i, j) - prices[j]);
      rows += least;
    }
    return rows / n_ + columns / m_;
  }

  /// out = a P b
  void multiply(SparseCoupling const& p, std::vector<double>& out) {
    std::fill(moved_.begin(), moved_.end(), 0.0);
    for (int i = 0; i < n_; ++i) {
      std::span<double const> const row = a_.row(i);
      double* const target = moved_.data() + static_cast<std::size_t>(i) * m_;
      for (Entry const& entry : p) target[entry.j] += entry.weight * row[entry.i];
    }
    times_b_(moved_, out);
  }

  /// The value summed pair by pair where that costs no more than a product, since `value` has the
  /// rounding of its constant part, which may be far larger.
  double value_of(Coupling const& coupling, double value) const {
    SparseCoupling const entries = entries_of(coupling);
    double const pairs = static_cast<double>(entries.size()) * entries.size();
    bool const few = pairs <= static_cast<double>(size()) * (n_ + m_);
    return few ? squared_distortion(a_, b_, entries) : std::max(0.0, value);
  }

  std::size_t size() const { return static_cast<std::size_t>(n_) * m_; }
  double& at(std::vector<double>& x, int i, int j) const {
    return x[static_cast<std::size_t>(i) * m_ + j];
  }
  double at(std::vector<double> const& x, int i, int j) const {
    return x[static_cast<std::size_t>(i) * m_ + j];
  }

  double dot(std::vector<double> const& x, SparseCoupling const& p) const {
    double sum = 0;
    for (Entry const& entry : p) sum += at(x, entry.i, entry.j) * entry.weight;
    return sum;
  }
  static double dot(std::vector<double> const& x, std::span<double const> y) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
    return sum;
  }

  DenseDistances const& a_;
  DenseDistances const& b_;
  int n_;
  int m_;
  DescentOptions options_;
  ProductWith<D> times_b_;
  std::vector<double> moved_;     ///< a P
  std::vector<double> gradient_;  ///< G = a T b
  std::vector<double> step_;      ///< H = a P b
  std::vector<double> row_sums_a_;
  std::vector<double> row_sums_b_;
  /// v(j) = -|b(j)|^2 / (2 m). At a coupling that pairs i with j, -G(i, j) is the mean of
  /// ((a(i) - b(j))^2 - a(i)^2 - b(j)^2) / 2 over the paired coordinates: with these prices the
  /// best column for i is the one whose distances are nearest to those of i.
  std::vector<double> typical_prices_;
};

}  // namespace tailor::gromov
