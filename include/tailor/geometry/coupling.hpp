#pragma once
// How the mass of one cloud is matched with that of another.

#include <cstddef>
#include <span>
#include <vector>

namespace tailor {

/// Joint weights of n points and m points, each cloud of total mass 1: row i sums to the weight of
/// point i of the first cloud and column j to that of point j of the second, 1 / n and 1 / m unless
/// the clouds say otherwise.
class Coupling {
 public:
  Coupling() = default;
  Coupling(int rows, int cols)
      : rows_(rows),
        cols_(cols),
        weights_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), 0.0) {}

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  double operator()(int i, int j) const { return weights_[index(i, j)]; }
  double& at(int i, int j) { return weights_[index(i, j)]; }
  std::span<double const> weights() const { return weights_; }
  std::span<double> weights() { return weights_; }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(cols_) +
           static_cast<std::size_t>(j);
  }

  int rows_ = 0;
  int cols_ = 0;
  std::vector<double> weights_;
};

}  // namespace tailor
