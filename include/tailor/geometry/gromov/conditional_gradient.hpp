#pragma once
// Descent of the Gromov-Wasserstein objective from one coupling, by conditional gradient.
//
// With weights p, q and a coupling T of them, the objective is
//     E(T) = sum (a(i, k) - b(j, l))^2 T(i, j) T(k, l) = constant + 2 <G, T>,  G = -a T b,
//     constant = p' a^2 p + q' b^2 q (entrywise squares),
// for the marginals of T are fixed. Its gradient is 4 G. The corner P of the set of couplings that
// is best for the gradient minimises <G, P>: an assignment where every point of either cloud has one
// unit of mass, a transport plan otherwise. Along the way from T to P, with H = -a P b,
//     E(T + s (P - T)) - E(T) = 4 s (<G,P> - <G,T>) + 2 s^2 (<G,T> - 2 <G,P> + <H,P>),
// whose least value on [0, 1] has a closed form. G is then (1 - s) G + s H: one product a step, and
// from corner to corner only of the rows in which they differ, H = G - a (P - T) b.

#include <tailor/geometry/assignment.hpp>              // tailor::assign
#include <tailor/geometry/coupling.hpp>                // tailor::Coupling
#include <tailor/geometry/distance_matrix.hpp>         // tailor::DenseDistances
#include <tailor/geometry/gromov/exchanges.hpp>        // tailor::gromov::Exchanges
#include <tailor/geometry/gromov/moments.hpp>          // tailor::gromov::row_means
#include <tailor/geometry/gromov/product.hpp>          // tailor::gromov::multiply
#include <tailor/geometry/gromov/sparse_coupling.hpp>  // tailor::gromov::SparseCoupling
#include <tailor/geometry/lane_sum.hpp>                // tailor::inner_product
#include <tailor/geometry/masses.hpp>                  // tailor::Masses
#include <tailor/geometry/transport.hpp>               // tailor::transport
#include <tailor/host/scans.hpp>                       // tailor::host::Scans

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

/// Where a descent ended: at a corner of the set of couplings, which has few entries, or between
/// corners. `converged` is false where max_iterations stopped it.
struct Descent {
  SparseCoupling corner = {};  ///< empty between corners
  Coupling between = {};       ///< empty at a corner
  double gw_sq = 0;
  int iterations = 0;
  bool converged = false;

  Coupling coupling(int n, int m) const { return corner.empty() ? between : dense(corner, n, m); }
};

template <Device D>
class ConditionalGradient {
 public:
  ConditionalGradient(D& dev, DenseDistances const& a, Masses const& p, DenseDistances const& b,
                      Masses const& q, DescentOptions options)
      : dev_(dev),
        a_(a),
        b_(b),
        p_(p),
        q_(q),
        shares_a_(p.shares()),
        shares_b_(q.shares()),
        mean_squares_a_(row_mean_squares(a, shares_a_)),
        mean_squares_b_(row_mean_squares(b, shares_b_)),
        constant_(inner_product(mean_squares_a_, shares_a_) +
                  inner_product(mean_squares_b_, shares_b_)),
        n_(a.size()),
        m_(b.size()),
        one_to_one_(tailor::one_to_one(p, q)),
        options_(options),
        scans_(host::scans()),
        typical_prices_(mean_squares_b_) {
    for (double& price : typical_prices_) price *= -0.5;
  }

  Descent from(SparseCoupling const& start) {
    gradient_.resize(size());
    gromov::multiply(dev_, a_, start, b_, gradient_, 0.0);
    return from_known(start);
  }

  /// From the product of the weights, where G has rank one and the best corner matches the mean
  /// distances in their order.
  Descent from_product() {
    std::vector<double> const means_a = row_means(a_, shares_a_);
    std::vector<double> const means_b = row_means(b_, shares_b_);
    Descent start{.between = Coupling(n_, m_)};
    gradient_.resize(size());
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < m_; ++j) {
        start.between.at(i, j) = shares_a_[i] * shares_b_[j];
        gradient_[index(i, j)] = -means_a[i] * means_b[j];
      }
    }
    start.gw_sq = constant_ + 2 * inner_product(gradient_, start.between.weights());
    return descend(std::move(start), monotone(means_a, p_, means_b, q_));
  }

  /// From the permutation to which exchanges led from where the last descent ended. They brought
  /// the gradient along.
  Descent from_exchanges(Exchanges const& exchanges) {
    return from_known(permutation(exchanges.partner()));
  }

  /// The mean square of the distances from every point.
  std::vector<double> const& mean_squares_a() const { return mean_squares_a_; }
  std::vector<double> const& mean_squares_b() const { return mean_squares_b_; }

  /// One unit of mass on every point of both clouds: corners are permutations.
  bool one_to_one() const { return one_to_one_; }

  /// -a T b at the coupling T where the last descent ended, row by row.
  std::span<double> gradient() { return gradient_; }

 private:
  Descent from_known(SparseCoupling corner) {
    double const value = squared_distortion(a_, b_, corner);
    return descend({.corner = std::move(corner), .gw_sq = value}, {});
  }

  Descent descend(Descent here, SparseCoupling corner) {
    while (!here.converged && here.iterations < options_.max_iterations) {
      if (corner.empty()) corner = best_corner();
      double const at_here = here.corner.empty() ? inner_product(gradient_, here.between.weights())
                                                 : at_entries(gradient_, here.corner);
      double const at_corner = at_entries(gradient_, corner);
      double const rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(at_here);
      if (at_here - at_corner <= rounding) {
        here.converged = true;
        break;
      }
      multiply(corner, here);
      double const linear = 4 * (at_corner - at_here);
      double const quadratic = 2 * (at_here - 2 * at_corner + at_entries(step_, corner));
      double const s = best_step(linear, quadratic);
      double const change = linear * s + quadratic * s * s;
      ++here.iterations;
      here.converged = -change <= options_.tolerance * std::abs(here.gw_sq + change);
      if (s == 1) {
        double const value = squared_distortion(a_, b_, corner);
        if (!here.corner.empty() && !(value < here.gw_sq)) {  // what was gained is rounding
          here.converged = true;
          break;
        }
        here.gw_sq = value;
        here.corner = std::exchange(corner, {});
        here.between = {};
        std::swap(gradient_, step_);
      } else {
        here.gw_sq += change;
        go_between(here, std::exchange(corner, {}), s);
      }
    }
    if (here.corner.empty()) here.gw_sq = value_between(here);
    return here;
  }

  /// Goes the part s < 1 of the way to a corner.
  void go_between(Descent& here, SparseCoupling const& corner, double s) {
    if (!here.corner.empty()) here.between = dense(std::exchange(here.corner, {}), n_, m_);
    for (double& w : here.between.weights()) w *= 1 - s;
    for (Entry const& entry : corner) here.between.at(entry.i, entry.j) += s * entry.weight;
    for (std::size_t k = 0; k < size(); ++k) gradient_[k] = (1 - s) * gradient_[k] + s * step_[k];
  }

  /// The least value of linear s + quadratic s^2 on [0, 1]; linear < 0.
  static double best_step(double linear, double quadratic) {
    return quadratic > 0 ? std::min(1.0, -linear / (2 * quadratic)) : 1.0;
  }

  /// The corner that minimises <G, P>.
  SparseCoupling best_corner() {
    if (one_to_one_) {
      Assignment assignment = assignments::Solver(n_, gradient_.data(), first_prices()).solve();
      prices_ = std::move(assignment.column_price);
      return permutation(assignment.column_of);
    }
    auto const cost = [this](int i, int j) { return gradient_[index(i, j)]; };
    TransportPlan plan = transport(p_, q_, cost, first_prices());
    prices_ = std::move(plan.column_price);
    SparseCoupling corner;
    for (Shipment const& s : plan.shipments) {
      corner.push_back({s.row, s.column, double(s.units) / double(plan.total)});
    }
    sort_by_row(corner);
    return corner;
  }

  /// Of the typical prices and those of the last corner, the ones that prove more about the cost of
  /// the best corner: that it is at least sum v(j) q(j) + sum p(i) min over j of G(i, j) - v(j).
  std::vector<double> const& first_prices() const {
    if (prices_.empty()) return typical_prices_;
    double typical = inner_product(typical_prices_, shares_b_);
    double last = inner_product(prices_, shares_b_);
    for (int i = 0; i < n_; ++i) {
      double const* const row = gradient_.data() + index(i, 0);
      typical += shares_a_[i] * scans_.least_two_of(row, typical_prices_.data(), m_).first.value;
      last += shares_a_[i] * scans_.least_two_of(row, prices_.data(), m_).first.value;
    }
    return typical > last ? typical_prices_ : prices_;
  }

  /// H = -a P b, from G where `here` is a corner that has most rows of P.
  void multiply(SparseCoupling const& p, Descent const& here) {
    SparseCoupling const change = difference(p, here.corner);
    if (!here.corner.empty() && 2 * rows_of(change) <= n_) {
      step_ = gradient_;
      gromov::multiply(dev_, a_, change, b_, step_, 1.0);
    } else {
      step_.resize(size());
      gromov::multiply(dev_, a_, p, b_, step_, 0.0);
    }
  }

  /// The value summed pair by pair where that costs no more than a product, since the one that was
  /// updated has the rounding of the constant part, which may be far larger.
  double value_between(Descent const& here) const {
    SparseCoupling const entries = entries_of(here.between);
    double const pairs = static_cast<double>(entries.size()) * static_cast<double>(entries.size());
    bool const few = pairs <= static_cast<double>(size()) * (n_ + m_);
    return few ? squared_distortion(a_, b_, entries) : std::max(0.0, here.gw_sq);
  }

  std::size_t size() const { return index(n_, 0); }
  std::size_t index(int i, int j) const { return static_cast<std::size_t>(i) * m_ + j; }

  /// <x, P>
  double at_entries(std::vector<double> const& x, SparseCoupling const& p) const {
    double sum = 0;
    for (Entry const& entry : p) sum += x[index(entry.i, entry.j)] * entry.weight;
    return sum;
  }

  D& dev_;
  DenseDistances const& a_;
  DenseDistances const& b_;
  Masses const& p_;
  Masses const& q_;
  std::vector<double> shares_a_;
  std::vector<double> shares_b_;
  std::vector<double> mean_squares_a_;
  std::vector<double> mean_squares_b_;
  double constant_;
  int n_;
  int m_;
  bool one_to_one_;
  DescentOptions options_;
  host::Scans scans_;
  std::vector<double> gradient_;  ///< G = -a T b
  std::vector<double> step_;      ///< H = -a P b
  std::vector<double> prices_;    ///< of the last corner
  /// v(j) = half the mean of -b(j)^2. At a coupling that pairs i with j, G(i, j) is the mean of
  /// ((a(i) - b(j))^2 - a(i)^2 - b(j)^2) / 2 over the paired coordinates: with these prices the
  /// best column for i is the one whose distances are nearest to those of i.
  std::vector<double> typical_prices_;
};

}  // namespace tailor::gromov
