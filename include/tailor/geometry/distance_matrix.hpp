#pragma once
// Pairwise distances as the algorithms of this folder read them: a size and d(i, j).

#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// Anything that answers d.size() and d(i, j). Symmetry, a zero diagonal and the triangle
/// inequality are not promised: each algorithm says what it needs and checks it.
template <class D>
concept DistanceMatrix = requires(D const& d, int i, int j) {
  { d.size() } -> std::convertible_to<int>;
  { d(i, j) } -> std::convertible_to<double>;
};

/// A full n x n matrix of doubles in host memory, all zero at first.
/// Cost:   8 n^2 bytes.
/// Domain: 0 <= n; a negative n throws std::invalid_argument.
class DenseDistances {
 public:
  DenseDistances() = default;

  explicit DenseDistances(int n) : n_(n) {
    if (n < 0) {
      throw std::invalid_argument("DenseDistances: a size of at least 0 expected, got " +
                                  std::to_string(n));
    }
    entries_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
  }

  /// Memory that a matrix of n points takes, to be asked before it is made.
  /// Domain: n <= 2^30.
  static constexpr std::size_t bytes(int n) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * sizeof(double);
  }

  int size() const { return n_; }
  double operator()(int i, int j) const { return entries_[index(i, j)]; }
  double& at(int i, int j) { return entries_[index(i, j)]; }
  std::span<double const> row(int i) const {
    return {entries_.data() + index(i, 0), static_cast<std::size_t>(n_)};
  }
  double const* data() const { return entries_.data(); }
  double* data() { return entries_.data(); }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(j);
  }

  int n_ = 0;
  std::vector<double> entries_;
};

/// A full copy of any distance matrix.
template <DistanceMatrix D>
DenseDistances dense(D const& d) {
  DenseDistances copy(d.size());
  for (int i = 0; i < copy.size(); ++i) {
    for (int j = 0; j < copy.size(); ++j) copy.at(i, j) = d(i, j);
  }
  return copy;
}

static_assert(DistanceMatrix<DenseDistances>);

}  // namespace tailor
