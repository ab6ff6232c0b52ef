#pragma once
// A distance matrix whose points do not all weigh the same.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DistanceMatrix

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// Distances with a weight for every point; both are viewed, not copied.
/// Domain: one finite weight of at least 0 per point, of sum 1 up to 1e-9 (what is left of the
///         rounding is divided out); throws std::invalid_argument naming the weight or the sum.
template <DistanceMatrix M>
class WeightedDistances {
 public:
  WeightedDistances(M const& distances, std::span<double const> weights)
      : distances_(&distances), weights_(weights) {
    auto const refuse = [](std::string const& expected) {
      throw std::invalid_argument("WeightedDistances: " + expected);
    };
    if (static_cast<int>(weights.size()) != distances.size()) {
      refuse("one weight per point expected, got " + std::to_string(weights.size()) + " for " +
             std::to_string(distances.size()) + " points");
    }
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] >= 0 && weights[i] <= 1 + 1e-9)) {
        refuse("weights between 0 and 1 expected, got weight " + std::to_string(i) + " = " +
               std::to_string(weights[i]));
      }
      sum += weights[i];
    }
    if (!weights.empty() && std::abs(sum - 1) > 1e-9) {
      refuse("weights of sum 1 expected, got " + std::to_string(sum));
    }
  }
  WeightedDistances(M const&&, std::span<double const>) = delete;

  int size() const { return distances_->size(); }
  double operator()(int i, int j) const { return (*distances_)(i, j); }
  M const& distances() const { return *distances_; }
  std::span<double const> weights() const { return weights_; }

 private:
  M const* distances_;
  std::span<double const> weights_;
};

/// The weight of every point; the same for all where the matrix brings none.
template <DistanceMatrix M>
std::vector<double> weights_of(M const& d) {
  if constexpr (requires { d.weights(); }) {
    return {d.weights().begin(), d.weights().end()};
  } else {
    int const n = d.size();
    return std::vector<double>(static_cast<std::size_t>(n), 1.0 / n);
  }
}

static_assert(DistanceMatrix<WeightedDistances<DenseDistances>>);

}  // namespace tailor
