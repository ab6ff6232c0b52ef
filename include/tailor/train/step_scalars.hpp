#pragma once
// The numbers of a training step that live on the device: clip factor, rate, step count, loss.

#include <tailor/device/host_device.hpp>       // TAILOR_HOST_DEVICE
#include <tailor/device/operations/adamw.hpp>  // tailor::AdamWScalars
#include <tailor/train/learning_rate.hpp>      // tailor::LearningRate

#include <cmath>
#include <cstdint>

namespace tailor {

/// What a run carries from step to step.
struct RunState {
  std::int64_t step = 0;         ///< updates made
  std::int64_t diverged_at = 0;  ///< the step whose loss or gradient was not finite; 0: none yet
  std::int64_t recorded = 0;     ///< the step of the last record
  double loss_sum = 0;           ///< of the mean losses of the steps since then
  double gradient_norm = 0;      ///< of the last step, before clipping
};

/// A term of the squared norm of a vector.
template <class T>
struct SquaredTerm {
  T const* values;

  TAILOR_HOST_DEVICE double operator()(std::int64_t i) const {
    return double(values[i]) * double(values[i]);
  }
};

/// A term of the sum of a vector.
template <class T>
struct PlainTerm {
  T const* values;

  TAILOR_HOST_DEVICE double operator()(std::int64_t i) const { return double(values[i]); }
};

/// From the summed loss and the squared norm of the gradient to what AdamW needs. Run once per
/// step.
/// @post the update is scaled so that the norm of the gradient is at most `clip` (0: unscaled)
/// @post from the first loss or norm that is not finite on, no update is made and no step counted
struct PrepareUpdate {
  RunState* state;
  AdamWScalars* scalars;
  double const* loss_sum;
  double const* squared_norm;
  LearningRate rate;
  double tokens;
  double clip;
  double beta1, beta2;

  TAILOR_HOST_DEVICE void operator()(std::int64_t) const {
    RunState s = *state;
    double const loss = *loss_sum / tokens;
    double const norm = sqrt(*squared_norm);
    AdamWScalars next{.gradient_scale = 0};
    bool const finite = loss - loss == 0 && norm - norm == 0;
    if (!finite && s.diverged_at == 0) s.diverged_at = s.step + 1;
    if (s.diverged_at == 0) {
      ++s.step;
      s.loss_sum += loss;
      s.gradient_norm = norm;
      next.learning_rate = rate.at(s.step);
      next.first_correction = 1 / (1 - pow(beta1, double(s.step)));
      next.second_correction = 1 / (1 - pow(beta2, double(s.step)));
      next.gradient_scale = clip > 0 && norm > clip ? clip / norm : 1;
    }
    *state = s;
    *scalars = next;
  }
};

}  // namespace tailor
