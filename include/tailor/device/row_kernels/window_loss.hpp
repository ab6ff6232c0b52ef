#pragma once
// The loss of one window of an evaluation.

#include <tailor/device/host_device.hpp>  // TAILOR_HOST_DEVICE

#include <cstdint>

namespace tailor {

/// The sum of the counted losses of one window, and how many of them are not finite.
template <class T>
struct WindowLoss {
  T const* losses;            // [windows, length]
  std::int32_t const* skips;  // [windows]
  double* sums;               // [windows, 2]
  int length;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t window) const {
    T const* const row = losses + window * length + skips[window];
    std::int64_t const counted = length - skips[window];
    sums[2 * window] = team.sum(counted, [=](std::int64_t i) {
      T const loss = row[i];
      return loss - loss == 0 ? double(loss) : 0.0;
    });
    sums[2 * window + 1] = team.sum(counted, [=](std::int64_t i) {
      T const loss = row[i];
      return loss - loss == 0 ? 0.0 : 1.0;
    });
  }
};

}  // namespace tailor
