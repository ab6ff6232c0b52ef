#pragma once
// Lowers the cost of a permutation by exchanging the partners of two points, as long as that gains.
//
// A corner of the set of couplings can be stationary for the conditional gradient while its
// neighbour one exchange away is lower: the gradient leaves out what the two points change for each
// other. Let R be b in the order of the permutation and M = a R. Exchanging the partners of p and q
// raises sum a(i, j) R(i, j), and lowers n^2 gw_sq by twice as much, by
//     S = -2 [M(p,p) + M(q,q) - M(p,q) - M(q,p) - (a(p,p) - a(p,q)) (R(p,p) - R(p,q))
//                                               - (a(p,q) - a(q,q)) (R(p,q) - R(q,q))]
//         - (a(p,p) - a(q,q)) (R(p,p) - R(q,q)).
// The gradient brings M: with the partners j' of j, M(i, j) = -n G(i, j') for G = -a T b. An exchange
// adds a product of rank one to G, whatever the order of the points.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace tailor::gromov {

class Exchanges {
 public:
  /// `partner` is the permutation and `gradient` G at it, which is kept up to date.
  Exchanges(DenseDistances const& a, DenseDistances const& b, std::vector<int> partner,
            std::span<double> gradient)
      : a_(a),
        b_(b),
        n_(a.size()),
        partner_(std::move(partner)),
        gradient_(gradient),
        own_(partner_.size()),
        change_(partner_.size()) {
    for (int i = 0; i < n_; ++i) own_[i] = -n_ * row(i)[partner_[i]];
  }

  /// Sweeps over all pairs until no exchange gains more than rounding; true if any was made.
  /// Cost: O(n^2) per sweep and per exchange.
  bool run() {
    bool any = false;
    for (bool again = true; again;) {
      again = false;
      for (int p = 0; p < n_; ++p) {
        int const q = best_later_partner_for(p);
        if (q == p) continue;
        exchange(p, q);
        again = any = true;
      }
    }
    return any;
  }

  std::vector<int> const& partner() const { return partner_; }

 private:
  double* row(int i) { return gradient_.data() + static_cast<std::size_t>(i) * n_; }
  double const* row(int i) const { return gradient_.data() + static_cast<std::size_t>(i) * n_; }

  /// The point after p whose exchange with p gains the most, or p itself.
  int best_later_partner_for(int p) const {
    double const rounding = 32 * n_ * std::numeric_limits<double>::epsilon();
    std::span<double const> const a = a_.row(p);
    std::span<double const> const r = b_.row(partner_[p]);
    double const* const from_p = row(p);
    double const* const to_p = gradient_.data() + partner_[p];
    double const a_pp = a[p];
    double const r_pp = r[partner_[p]];
    int best = p;
    double most = 0;
    for (int q = p + 1; q < n_; ++q) {
      int const of_q = partner_[q];
      double const a_qq = a_(q, q);
      double const r_qq = b_(of_q, of_q);
      double const exchanged = -n_ * (from_p[of_q] + to_p[static_cast<std::size_t>(q) * n_]);
      double const others = own_[p] + own_[q] - exchanged - (a_pp - a[q]) * (r_pp - r[of_q]) -
                            (a[q] - a_qq) * (r[of_q] - r_qq);
      double const gain = -2 * others - (a_pp - a_qq) * (r_pp - r_qq);
      if (gain > most && gain > rounding * (std::abs(own_[p]) + std::abs(own_[q]))) {
        most = gain;
        best = q;
      }
    }
    return best;
  }

  void exchange(int p, int q) {
    std::span<double const> const of_p = b_.row(partner_[p]);
    std::span<double const> const of_q = b_.row(partner_[q]);
    for (int j = 0; j < n_; ++j) change_[j] = (of_p[j] - of_q[j]) / n_;
    std::swap(partner_[p], partner_[q]);
    for (int i = 0; i < n_; ++i) {
      double const factor = a_(i, p) - a_(i, q);
      double* const target = row(i);
      for (int j = 0; j < n_; ++j) target[j] += factor * change_[j];
      own_[i] = -n_ * target[partner_[i]];
    }
  }

  DenseDistances const& a_;
  DenseDistances const& b_;
  int n_;
  std::vector<int> partner_;
  std::span<double> gradient_;  ///< G
  std::vector<double> own_;     ///< M(i, i)
  std::vector<double> change_;  ///< of a row of -R / n by the exchange
};

}  // namespace tailor::gromov
