#pragma once
// The approximation-error surrogate: how much loss a layer is thought to cost at a given FFN width.

#include <tailor/arch/text_of.hpp>  // detail::text_of, for the messages

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// Whether every layer keeps the exponent of its own dimension, or all share the median exponent.
enum class ExponentRule { per_layer, common };

/// The exponent of a layer whose cloud has this intrinsic dimension: 2 / d, kept within [0.1, 2].
/// Domain: d > 0 and finite; throws std::invalid_argument otherwise.
inline double exponent_from_dimension(double intrinsic_dimension) {
  if (!(intrinsic_dimension > 0) || !std::isfinite(intrinsic_dimension))
    throw std::invalid_argument(
        "exponent_from_dimension: an intrinsic dimension must be positive and finite, got " +
        detail::text_of(intrinsic_dimension));
  return std::clamp(2 / intrinsic_dimension, 0.1, 2.0);
}

/// Every layer's exponent replaced by their median (the mean of the middle two for an even number).
inline std::vector<double> common_exponent(std::vector<double> exponents) {
  if (exponents.empty()) return exponents;
  std::size_t const half = exponents.size() / 2;
  auto sorted = exponents;
  std::sort(sorted.begin(), sorted.end());
  double const median = sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  std::fill(exponents.begin(), exponents.end(), median);
  return exponents;
}

/// The loss that FFN widths w_l are thought to cost:
///     sum_l sensitivity_l * difficulty_l^power * (w_l / reference_l)^(-exponent_l)
/// The reference widths are those of the model in which the difficulty was measured, so a layer's
/// difficulty is its error at its reference width, whatever its exponent. One entry per layer each;
/// an empty sensitivity means 1 for all. Source: "Geometry-Guided Layerwise FFN Width Allocation"
/// (arXiv 2608.02064), surrogate and optimizer.
struct Surrogate {
  std::vector<double> difficulty;
  std::vector<double> exponents;
  std::vector<double> reference_widths;
  std::vector<double> sensitivity = {};
  double power = 1;

  std::size_t layers() const { return difficulty.size(); }
};

/// Throws std::invalid_argument that names `what` and the layer unless there is one positive,
/// finite value for each of `layers` layers.
inline void require_positive(std::span<double const> values, std::size_t layers,
                             std::string_view what) {
  if (values.size() != layers)
    throw std::invalid_argument("allocation: expected " + std::to_string(layers) + " values of " +
                                std::string(what) + ", one per layer, got " +
                                std::to_string(values.size()));
  for (std::size_t l = 0; l < layers; ++l)
    if (!(values[l] > 0) || !std::isfinite(values[l]))
      throw std::invalid_argument("allocation: the " + std::string(what) + " of layer " +
                                  std::to_string(l) + " must be positive and finite, got " +
                                  detail::text_of(values[l]));
}

/// Throws std::invalid_argument, naming the layer, unless everything in `s` is positive and finite.
inline void require_valid(Surrogate const& s) {
  if (s.difficulty.empty())
    throw std::invalid_argument("allocation: expected at least one layer, got 0");
  require_positive(s.difficulty, s.layers(), "difficulty");
  require_positive(s.exponents, s.layers(), "exponent");
  require_positive(s.reference_widths, s.layers(), "reference width");
  if (!s.sensitivity.empty()) require_positive(s.sensitivity, s.layers(), "sensitivity");
  if (!(std::abs(s.power) <= 8))
    throw std::invalid_argument("allocation: the power must be in [-8, 8], got " +
                                detail::text_of(s.power));
}

/// Natural logarithm of sensitivity * difficulty^power of a layer: logarithms, because a difficulty
/// may be 1e-30 and its power no longer a double.
inline double log_weight(Surrogate const& s, std::size_t layer) {
  return s.power * std::log(s.difficulty[layer]) +
         (s.sensitivity.empty() ? 0.0 : std::log(s.sensitivity[layer]));
}

/// The loss these widths are thought to cost.
/// Domain: a valid surrogate, positive widths; a width of 0 costs +infinity.
inline double surrogate_error(Surrogate const& s, std::span<double const> widths) {
  double error = 0;
  for (std::size_t l = 0; l < s.layers(); ++l)
    error +=
        std::exp(log_weight(s, l) - s.exponents[l] * std::log(widths[l] / s.reference_widths[l]));
  return error;
}

}  // namespace tailor
