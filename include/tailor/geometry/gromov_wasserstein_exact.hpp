#pragma once
// The best permutation of a handful of points, by trying all: a reference for gromov_wasserstein.

#include <tailor/geometry/distance_matrix.hpp>       // tailor::DistanceMatrix
#include <tailor/geometry/gromov/input.hpp>          // tailor::gromov::as_dense, check, masses_of
#include <tailor/geometry/gromov/negative_type.hpp>  // tailor::gromov::negative_type
#include <tailor/geometry/status.hpp>                // tailor::Outcome

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The least gw_sq of a permutation and `distortion`, half its root. `exact` where both matrices are
/// of negative type (Euclidean, angles, hyperbolic): then no other coupling is below, and this is
/// the Gromov-Wasserstein distance. Elsewhere it is an upper bound. n_used counts the points of both
/// clouds.
struct GromovWassersteinExactResult : Outcome {
  double gw_sq = 0;
  double distortion = 0;
  std::vector<int> partner;  ///< of each point of the first cloud
  bool exact = false;
};

namespace gromov {

/// All permutations, point by point, but none that begins worse than the best one ends.
class PermutationSearch {
 public:
  PermutationSearch(DenseDistances const& a, DenseDistances const& b)
      : a_(a), b_(b), taken_(static_cast<std::size_t>(a.size()), false) {}

  void run() { place(0.0); }

  double least() const { return least_; }
  std::vector<int> const& best() const { return best_; }

 private:
  /// Gives the next point every partner that is left; `sum` is what the points before it cost.
  void place(double sum) {
    if (!(sum < least_)) return;
    int const i = static_cast<int>(partner_.size());
    if (i == a_.size()) {
      least_ = sum;
      best_ = partner_;
      return;
    }
    for (int j = 0; j < b_.size(); ++j) {
      if (taken_[j]) continue;
      double added = square(a_(i, i) - b_(j, j));
      for (int k = 0; k < i; ++k) added += 2 * square(a_(i, k) - b_(j, partner_[k]));
      taken_[j] = true;
      partner_.push_back(j);
      place(sum + added);
      partner_.pop_back();
      taken_[j] = false;
    }
  }

  static double square(double x) { return x * x; }

  DenseDistances const& a_;
  DenseDistances const& b_;
  std::vector<bool> taken_;
  std::vector<int> partner_;
  std::vector<int> best_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace gromov

/// The least Gromov-Wasserstein value of a permutation, with the square loss.
/// Cost:   n! n at worst.
/// Domain: two clouds of the same number n <= 9 of points of equal weights; symmetric finite entries
///         up to 1e140. Throws std::invalid_argument.
/// @post   the best permutation is the least of all by definition
/// @post   the exact distance obeys the triangle inequality
/// @post   the exact distance is unchanged by rotating and reordering a cloud
/// @post   lower_bound <= the exact distance <= what gromov_wasserstein finds
template <DistanceMatrix A, DistanceMatrix B>
GromovWassersteinExactResult gromov_wasserstein_exact(A const& a, B const& b) {
  constexpr int most_points = 9;
  int const n = a.size();
  if (n != b.size() || n > most_points) {
    throw std::invalid_argument(
        "gromov_wasserstein_exact: two clouds of the same size up to 9 expected, got " +
        std::to_string(n) + " and " + std::to_string(b.size()) + " points");
  }
  GromovWassersteinExactResult result;
  result.n_used = 2 * n;
  if (n == 0) {
    result.status = Status::undefined;
    result.reason = "a cloud without points";
    return result;
  }
  if (gromov::masses_of(a, b).first != equal_masses(n)) {
    throw std::invalid_argument("gromov_wasserstein_exact: points of equal weights expected");
  }
  DenseDistances const& of_a = gromov::as_dense(a);
  DenseDistances const& of_b = gromov::as_dense(b);
  gromov::check("gromov_wasserstein_exact", of_a, "first");
  gromov::check("gromov_wasserstein_exact", of_b, "second");
  gromov::PermutationSearch search(of_a, of_b);
  search.run();
  result.gw_sq = search.least() / (static_cast<double>(n) * n);
  result.distortion = std::sqrt(result.gw_sq) / 2;
  result.partner = search.best();
  result.exact = gromov::negative_type(of_a) && gromov::negative_type(of_b);
  return result;
}

}  // namespace tailor
