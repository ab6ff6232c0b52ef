#pragma once
// AdamW on any device.

#include <tailor/device/check_shape.hpp>       // tailor::check_shape
#include <tailor/device/device.hpp>            // tailor::Device
#include <tailor/device/operations/adamw.hpp>  // tailor::AdamW

#include <cmath>
#include <cstdint>

namespace tailor {

/// The step of one parameter.
template <class T, class Space = Host>
struct AdamWElement {
  T* parameters;
  T const* gradients;
  T* first_moment;
  T* second_moment;
  AdamWScalars const* scalars;
  T beta1, beta2, one_minus_beta1, one_minus_beta2, eps, weight_decay;

  TAILOR_HOST_DEVICE void operator()(std::int64_t i) const {
    AdamWScalars const s = *scalars;
    if (s.gradient_scale == 0) return;
    T const g = T(s.gradient_scale) * gradients[i];
    T const m = beta1 * first_moment[i] + one_minus_beta1 * g;
    T const v = beta2 * second_moment[i] + one_minus_beta2 * g * g;
    T const rate = T(s.learning_rate);
    T const step = m * T(s.first_correction) / (std::sqrt(v * T(s.second_correction)) + eps);
    first_moment[i] = m;
    second_moment[i] = v;
    parameters[i] = parameters[i] - rate * (step + weight_decay * parameters[i]);
  }
};

/// One step of AdamW with decoupled decay: p -= rate (m' / (sqrt(v') + eps) + decay p), with m', v'
/// the bias-corrected running means of the scaled gradient and of its square.
/// Throws std::invalid_argument where sizes differ.
/// @post   gradient_scale == 0 changes nothing
/// Source: Decoupled Weight Decay Regularization (arXiv 1711.05101), algorithm 2.
template <class T, Device D>
void adamw(D& dev, AdamW<T, typename D::Space> const& a) {
  check_shape("adamw", "gradients", a.gradients, a.parameters.size);
  check_shape("adamw", "first_moment", a.first_moment, a.parameters.size);
  check_shape("adamw", "second_moment", a.second_moment, a.parameters.size);
  check_shape("adamw", "scalars", a.scalars, 1);
  elements(dev, a.parameters.size,
           AdamWElement<T, typename D::Space>{.parameters = a.parameters.data,
                                              .gradients = a.gradients.data,
                                              .first_moment = a.first_moment.data,
                                              .second_moment = a.second_moment.data,
                                              .scalars = a.scalars.data,
                                              .beta1 = T(a.beta1),
                                              .beta2 = T(a.beta2),
                                              .one_minus_beta1 = T(1 - a.beta1),
                                              .one_minus_beta2 = T(1 - a.beta2),
                                              .eps = T(a.eps),
                                              .weight_decay = T(a.weight_decay)});
}

}  // namespace tailor
