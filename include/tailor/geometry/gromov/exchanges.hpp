#pragma once
// Lowers the cost of a permutation by exchanging the partners of two points, as long as that gains.
//
// A corner of the set of couplings can be stationary for the conditional gradient while its
// neighbour one exchange away is lower: the gradient leaves out what the two points change for each
// other. Let R be b in the order of the permutation and M = a R. Exchanging the partners of p and q
// raises sum a(i, j) R(i, j), and lowers n^2 gw_sq by twice as much, by
//     S = -2 [M(p,p) + M(q,q) - M(p,q) - M(q,p) - (a(p,p) - a(p,q)) (R(p,p) - R(p,q))
//                                               - (a(p,q) - a(q,q)) (R(p,q) - R(q,q))]
//         - (a(p,p) - a(q,q)) (R(p,p) - R(q,q)),
// so that all gains are known from the M that the gradient brings, and an exchange changes M by the
// order of two columns and a product of rank one.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace tailor::gromov {

class Exchanges {
 public:
  /// `partner` is the permutation; m(i, j) = n gradient(i, partner(j)) for the gradient a T b.
  Exchanges(DenseDistances const& a, DenseDistances const& b, std::vector<int> partner,
            std::vector<double> const& gradient)
      : a_(a), n_(a.size()), partner_(std::move(partner)), reordered_(n_), m_(n_) {
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) {
        reordered_.at(i, j) = b(partner_[i], partner_[j]);
        m_.at(i, j) = n_ * gradient[static_cast<std::size_t>(i) * n_ + partner_[j]];
      }
    }
  }

  /// Sweeps over all pairs until no exchange gains more than rounding; true if any was made.
  /// Cost: O(n^2) per sweep and per exchange.
  bool run() {
    bool any = false;
    for (bool again = true; again;) {
      again = false;
      for (int p = 0; p < n_; ++p) {
        int const q = best_partner_for(p);
        if (q == p) continue;
        exchange(p, q);
        again = any = true;
      }
    }
    return any;
  }

  std::vector<int> const& partner() const { return partner_; }

 private:
  /// The point whose exchange with p gains the most, or p itself.
  int best_partner_for(int p) const {
    double const rounding = 32 * n_ * std::numeric_limits<double>::epsilon();
    int best = p;
    double most = 0;
    for (int q = 0; q < n_; ++q) {
      double const gain = gain_of(p, q);
      if (gain > most && gain > rounding * (std::abs(m_(p, p)) + std::abs(m_(q, q)))) {
        most = gain;
        best = q;
      }
    }
    return best;
  }

  double gain_of(int p, int q) const {
    DenseDistances const& r = reordered_;
    double const others = m_(p, p) + m_(q, q) - m_(p, q) - m_(q, p) -
                          (a_(p, p) - a_(p, q)) * (r(p, p) - r(p, q)) -
                          (a_(p, q) - a_(q, q)) * (r(p, q) - r(q, q));
    return -2 * others - (a_(p, p) - a_(q, q)) * (r(p, p) - r(q, q));
  }

  void exchange(int p, int q) {
    DenseDistances& r = reordered_;
    std::vector<double> change(n_);
    for (int j = 0; j < n_; ++j) change[j] = r(q, j) - r(p, j);
    change[p] = r(q, q) - r(p, q);
    change[q] = r(p, q) - r(p, p);
    for (int i = 0; i < n_; ++i) {
      std::swap(m_.at(i, p), m_.at(i, q));
      double const factor = a_(i, p) - a_(i, q);
      double* const row = &m_.at(i, 0);
      for (int j = 0; j < n_; ++j) row[j] += factor * change[j];
    }
    for (int j = 0; j < n_; ++j) std::swap(r.at(p, j), r.at(q, j));
    for (int i = 0; i < n_; ++i) std::swap(r.at(i, p), r.at(i, q));
    std::swap(partner_[p], partner_[q]);
  }

  DenseDistances const& a_;
  int n_;
  std::vector<int> partner_;
  DenseDistances reordered_;  ///< R
  DenseDistances m_;          ///< M = a R
};

}  // namespace tailor::gromov
