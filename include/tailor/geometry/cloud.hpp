#pragma once
// The tokens that enter and leave one FFN branch.

#include <tailor/device/view.hpp>  // tailor::MatrixView

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// A row-major matrix of floats in host memory.
/// Error: std::invalid_argument for a negative size, or values that are not rows x cols many.
class HostMatrix {
 public:
  HostMatrix() = default;

  HostMatrix(int rows, int cols) : HostMatrix(rows, cols, zeros(rows, cols)) {}

  HostMatrix(int rows, int cols, std::vector<float> values)
      : rows_(rows), cols_(cols), values_(std::move(values)) {
    if (rows < 0 || cols < 0 || std::size_t(rows) * std::size_t(cols) != values_.size()) {
      throw std::invalid_argument("HostMatrix: [" + std::to_string(rows) + ", " +
                                  std::to_string(cols) + "] does not hold " +
                                  std::to_string(values_.size()) + " values");
    }
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  MatrixView<float> view() { return matrix(values_.data(), rows_, cols_); }
  MatrixView<float const> view() const { return matrix(values_.data(), rows_, cols_); }

 private:
  static std::vector<float> zeros(int rows, int cols) {
    return std::vector<float>(rows < 0 || cols < 0 ? 0 : std::size_t(rows) * std::size_t(cols));
  }

  int rows_ = 0;
  int cols_ = 0;
  std::vector<float> values_;
};

/// One layer's clouds: the residual stream entering its FFN branch and leaving it, row by row the
/// same tokens.
/// Shapes: before and after [tokens, d_model].
struct Cloud {
  std::string layer;
  HostMatrix before;
  HostMatrix after;

  int tokens() const { return before.rows(); }
  int d_model() const { return before.cols(); }
};

/// Throws std::invalid_argument, which names the layer, unless before and after have one shape.
inline void check(Cloud const& cloud) {
  auto const shape = [](HostMatrix const& m) {
    return "[" + std::to_string(m.rows()) + ", " + std::to_string(m.cols()) + "]";
  };
  if (cloud.before.rows() != cloud.after.rows() || cloud.before.cols() != cloud.after.cols()) {
    throw std::invalid_argument("cloud of layer " + cloud.layer +
                                ": before and after of one shape expected, got " +
                                shape(cloud.before) + " and " + shape(cloud.after));
  }
}

/// A token is massive where its norm is over this many medians of its cloud.
inline constexpr double massive_factor = 20;

/// The tokens of x whose norm is over massive_factor times the median norm, ascending. Tokens with
/// a coordinate that is not finite count neither as massive nor towards the median.
/// Cost:   O(n d).
inline std::vector<int> massive_tokens(MatrixView<float const> x) {
  std::vector<double> norms(std::size_t(x.rows), 0.0);
  for (int i = 0; i < x.rows; ++i) {
    double squared = 0;
    for (int j = 0; j < x.cols; ++j) squared += double(x(i, j)) * double(x(i, j));
    norms[std::size_t(i)] = std::sqrt(squared);
  }
  std::vector<double> finite;
  for (double const norm : norms) {
    if (std::isfinite(norm)) finite.push_back(norm);
  }
  if (finite.empty()) return {};
  auto const middle = finite.begin() + std::ptrdiff_t(finite.size() / 2);
  std::nth_element(finite.begin(), middle, finite.end());
  std::vector<int> tokens;
  for (int i = 0; i < x.rows; ++i) {
    double const norm = norms[std::size_t(i)];
    if (std::isfinite(norm) && norm > massive_factor * *middle) tokens.push_back(i);
  }
  return tokens;
}

/// The tokens that are massive before or after, ascending.
/// Source: one such token multiplies the raw Gromov-Wasserstein distance of a layer by 1e5.
inline std::vector<int> massive_tokens(Cloud const& cloud) {
  std::vector<int> const before = massive_tokens(cloud.before.view());
  std::vector<int> const after = massive_tokens(cloud.after.view());
  std::vector<int> both;
  std::set_union(before.begin(), before.end(), after.begin(), after.end(),
                 std::back_inserter(both));
  return both;
}

}  // namespace tailor
