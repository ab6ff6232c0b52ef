#pragma once
// The square root as plain arithmetic: std::sqrt may set errno, and that keeps a loop from being
// vectorised unless the whole program is compiled without it.

#include <tailor/device/host_device.hpp>  // TAILOR_HOST_DEVICE

#include <cmath>
#include <cstdint>

namespace tailor {

/// The square root of x.
/// Domain: x >= 0; saturates at 3e38.
/// Error:  3e-7 relative in float, exact 0 at 0.
TAILOR_HOST_DEVICE inline float square_root(float x) {
  // Halving the exponent in the bit pattern gives 1 / sqrt(x) to 3.5 %; each Newton step for
  // 1 / y^2 - x = 0 squares the error.
  x = x < 3e38f ? x : 3e38f;
  float y = __builtin_bit_cast(float, 0x5F3759DF - (__builtin_bit_cast(std::int32_t, x) >> 1));
  y = y * (1.5f - 0.5f * x * y * y);
  y = y * (1.5f - 0.5f * x * y * y);
  y = y * (1.5f - 0.5f * x * y * y);
  return x * y;
}

TAILOR_HOST_DEVICE inline double square_root(double x) {
  return std::sqrt(x);
}

}  // namespace tailor
