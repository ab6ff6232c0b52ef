#pragma once
// Smoothing of a per-layer profile over depth, the step between measuring and allocating.

#include <tailor/arch/text_of.hpp>  // detail::text_of, for the messages

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// The standard deviation, in layers, that is used where none is asked for: a profile of fewer than
/// 8 layers has too few neighbours to average over. The paper's own constant is unknown.
constexpr double default_smoothing(int layers) {
  return layers < 8 ? 0.0 : 0.5;
}

/// A profile averaged over neighbouring layers with Gaussian weights, renormalised at the ends, so
/// that the first and last layer are not pulled towards zero.
/// Cost:   O(L^2).
/// Domain: finite values, sigma >= 0; throws std::invalid_argument otherwise, naming the layer.
/// @post   sigma 0 changes nothing
/// @post   a constant profile stays constant, at the ends too
/// @post   a mirrored profile gives the mirrored result between its smallest and largest value
inline std::vector<double> smooth(std::span<double const> profile, double sigma) {
  if (!(sigma >= 0) || !std::isfinite(sigma))
    throw std::invalid_argument("smooth: sigma must be a finite number of layers >= 0, got " +
                                detail::text_of(sigma));
  for (std::size_t l = 0; l < profile.size(); ++l)
    if (!std::isfinite(profile[l]))
      throw std::invalid_argument("smooth: the value of layer " + std::to_string(l) +
                                  " must be finite, got " + detail::text_of(profile[l]));
  if (sigma == 0) return {profile.begin(), profile.end()};

  std::vector<double> weight(profile.size());
  for (std::size_t k = 0; k < weight.size(); ++k) {
    double const z = static_cast<double>(k) / sigma;
    weight[k] = std::exp(-0.5 * z * z);
  }
  auto const weight_between = [&](std::size_t l, std::size_t m) {
    return weight[l < m ? m - l : l - m];
  };
  std::vector<double> result(profile.size());
  for (std::size_t l = 0; l < profile.size(); ++l) {
    double total = 0;
    for (std::size_t m = 0; m < profile.size(); ++m) total += weight_between(l, m);
    for (std::size_t m = 0; m < profile.size(); ++m)
      result[l] += weight_between(l, m) / total * profile[m];
  }
  return result;
}

}  // namespace tailor
