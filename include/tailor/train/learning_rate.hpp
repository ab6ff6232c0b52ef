#pragma once
// The learning rate of every step, and the peak that suits a size.

#include <tailor/device/host_device.hpp>  // TAILOR_HOST_DEVICE

#include <cmath>
#include <cstdint>

namespace tailor {

/// Linear warm-up from 0 to `peak`, then half a cosine down to `floor` at the last step.
/// @post the rate is peak at the end of the warm-up and floor at the last step
struct LearningRate {
  double peak = 1e-3;
  double floor = 1e-4;
  std::int64_t warmup = 0;  ///< steps
  std::int64_t steps = 1;

  /// The rate of step 1 .. steps; floor beyond.
  TAILOR_HOST_DEVICE double at(std::int64_t step) const {
    if (step >= steps) return steps <= warmup ? peak : floor;
    if (step <= warmup) return peak * double(step) / double(warmup);
    double const progress = double(step - warmup) / double(steps - warmup);
    return floor + (peak - floor) * 0.5 * (1 + cos(3.14159265358979323846 * progress));
  }
};

/// A peak rate that suits a model of this many matrix parameters (Count::matrices): 3e-3 up to one
/// million, then falling as their power -0.365, to 2.5e-4 at 906 million.
/// Source: the upper end is the rate of arXiv 2602.06471; the lower end is a sweep
///         (bench/learning_rate_sweep.cpp, numbers in docs/reference/train.md).
inline double default_learning_rate(std::int64_t matrix_parameters) {
  double const millions = double(matrix_parameters) / 1e6;
  return millions <= 1 ? 3e-3 : 3e-3 * std::pow(millions, -0.365);
}

/// One step in twenty warms up, at least 1 and at most 100.
inline std::int64_t default_warmup(std::int64_t steps) {
  std::int64_t const part = steps / 20;
  return part < 1 ? 1 : part > 100 ? 100 : part;
}

}  // namespace tailor
