#pragma once
// Optimal transport with entropy, by Sinkhorn's scaling.
//
// The plan that minimises <C, T> + KL(T | p q') over the couplings of p and q is
//     T(i, j) = p(i) q(j) exp(f(i) + g(j) - C(i, j)),
// and the potentials f, g follow from the marginals, one side at a time. Multiplying is quicker than
// taking logarithms, so the plan is kept as u K v with K for the potentials so far; where a factor
// grows large, it goes into the potentials, and K is made anew from logarithms.

#include <tailor/geometry/lane_sum.hpp>  // tailor::inner_product

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace tailor::gromov {

class EntropicTransport {
 public:
  /// Shares of the points of both sides, each of sum 1. A plan is good whose marginals are off by no
  /// more than `tolerance` in all.
  EntropicTransport(std::vector<double> p, std::vector<double> q, double tolerance)
      : p_(std::move(p)),
        q_(std::move(q)),
        tolerance_(tolerance),
        f_(p_.size(), 0.0),
        g_(q_.size(), 0.0),
        u_(p_.size()),
        v_(q_.size()) {}

  /// The plan for costs in units of the entropy, row by row; the search begins at the potentials of
  /// the last one. Columns sum to q but for rounding, rows to p within the tolerance, unless
  /// `most_rounds` came first.
  /// Cost: O(n m) a round.
  void solve(std::span<double const> costs, std::span<double> plan, int most_rounds) {
    prepare(costs, plan);
    for (int round = 0; round < most_rounds; ++round) {
      double error = 0;
      for (std::size_t i = 0; i < p_.size(); ++i) {
        double const sum = inner_product(row(plan, i), v_);
        error += std::abs(u_[i] * sum - p_[i]);
        if (p_[i] > 0) u_[i] = p_[i] / sum;
      }
      if (round > 0 && error <= tolerance_) break;
      scale_columns(plan);
      if (largest_factor() > 1e60) {
        absorb();
        prepare(costs, plan);
      }
    }
    scale_columns(plan);
    for (std::size_t i = 0; i < p_.size(); ++i) {
      std::span<double> const of_i = row(plan, i);
      for (std::size_t j = 0; j < q_.size(); ++j) of_i[j] *= u_[i] * v_[j];
    }
    absorb();
  }

 private:
  std::span<double> row(std::span<double> x, std::size_t i) const {
    return x.subspan(i * q_.size(), q_.size());
  }
  std::span<double const> row(std::span<double const> x, std::size_t i) const {
    return x.subspan(i * q_.size(), q_.size());
  }

  /// One round in logarithms, so that no row and no column of K vanishes, and K.
  void prepare(std::span<double const> costs, std::span<double> k) {
    std::size_t const n = p_.size();
    std::size_t const m = q_.size();
    for (std::size_t i = 0; i < n; ++i) {
      std::span<double const> const c = row(costs, i);
      double most = -std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < m; ++j) {
        if (q_[j] > 0) most = std::max(most, g_[j] - c[j]);
      }
      double sum = 0;
      for (std::size_t j = 0; j < m; ++j) {
        if (q_[j] > 0) sum += q_[j] * std::exp(g_[j] - c[j] - most);
      }
      f_[i] = -most - std::log(sum);
    }
    std::vector<double> most(m, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < n; ++i) {
      if (p_[i] == 0) continue;
      std::span<double const> const c = row(costs, i);
      for (std::size_t j = 0; j < m; ++j) most[j] = std::max(most[j], f_[i] - c[j]);
    }
    std::vector<double> sums(m, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      std::span<double const> const c = row(costs, i);
      std::span<double> const of_i = row(k, i);
      for (std::size_t j = 0; j < m; ++j) {
        of_i[j] = p_[i] == 0 ? 0 : p_[i] * std::exp(f_[i] - c[j] - most[j]);
        sums[j] += of_i[j];
      }
    }
    for (std::size_t j = 0; j < m; ++j) g_[j] = -most[j] - std::log(sums[j]);
    for (std::size_t i = 0; i < n; ++i) {
      std::span<double> const of_i = row(k, i);
      for (std::size_t j = 0; j < m; ++j) of_i[j] *= q_[j] / sums[j];
    }
    std::ranges::fill(u_, 1.0);
    std::ranges::fill(v_, 1.0);
  }

  /// v = q / K' u.
  void scale_columns(std::span<double const> k) {
    std::vector<double> sums(q_.size(), 0.0);
    for (std::size_t i = 0; i < p_.size(); ++i) {
      std::span<double const> const of_i = row(k, i);
      for (std::size_t j = 0; j < q_.size(); ++j) sums[j] += u_[i] * of_i[j];
    }
    for (std::size_t j = 0; j < q_.size(); ++j) {
      if (q_[j] > 0) v_[j] = q_[j] / sums[j];
    }
  }

  double largest_factor() const {
    double largest = 1;
    for (std::vector<double> const* factors : {&u_, &v_}) {
      for (double const x : *factors) largest = std::max({largest, x, 1 / x});
    }
    return largest;
  }

  void absorb() {
    for (std::size_t i = 0; i < p_.size(); ++i) f_[i] += std::log(u_[i]);
    for (std::size_t j = 0; j < q_.size(); ++j) g_[j] += std::log(v_[j]);
  }

  std::vector<double> p_;
  std::vector<double> q_;
  double tolerance_;
  std::vector<double> f_;
  std::vector<double> g_;
  std::vector<double> u_;
  std::vector<double> v_;
};

/// Makes rows and columns sum to p and q exactly (up to rounding): what is too much is scaled down,
/// what is missing then spread.
/// @post nothing of a plan that has its marginals is moved
/// Source: Altschuler, Weed and Rigollet 2017, algorithm 2.
inline void round_to_marginals(std::span<double> plan, std::span<double const> p,
                               std::span<double const> q) {
  std::size_t const m = q.size();
  std::vector<double> missing_rows(p.begin(), p.end());
  std::vector<double> missing_columns(q.begin(), q.end());
  std::vector<double> sums(m, 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    std::span<double> const row = plan.subspan(i * m, m);
    double sum = 0;
    for (double const w : row) sum += w;
    double const factor = sum > p[i] ? p[i] / sum : 1;
    for (std::size_t j = 0; j < m; ++j) sums[j] += row[j] *= factor;
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    std::span<double> const row = plan.subspan(i * m, m);
    for (std::size_t j = 0; j < m; ++j) {
      if (sums[j] > q[j]) row[j] *= q[j] / sums[j];
      missing_rows[i] -= row[j];
      missing_columns[j] -= row[j];
    }
  }
  double missing = 0;
  for (double& x : missing_rows) missing += x = std::max(0.0, x);
  if (missing == 0) return;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      plan[i * m + j] += missing_rows[i] * std::max(0.0, missing_columns[j]) / missing;
    }
  }
}

}  // namespace tailor::gromov
