#pragma once
// The exponential and its relatives as plain arithmetic, so that one source vectorises on every
// instruction set and gives the same value inside any row kernel.

#include <tailor/device/host_device.hpp>  // TAILOR_HOST_DEVICE

#include <cmath>
#include <cstdint>

namespace tailor {

/// e^x.
/// Domain: any x; saturates outside [-87, 88].
/// Error:  3e-7 relative in float (degree 6 on [-ln 2 / 2, ln 2 / 2]).
TAILOR_HOST_DEVICE inline float exponential(float x) {
  // e^x = 2^n e^r with n = round(x / ln 2) and r = x - n ln 2 in two steps, so that r keeps its
  // bits. Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits of the sum. The
  // builtin, not std::bit_cast: nvcc 13 takes that for a host function.
  x = x < -87.0f ? -87.0f : (x > 88.0f ? 88.0f : x);
  float const shifted = x * 1.44269504f + 12582912.0f;
  std::int32_t const n = __builtin_bit_cast(std::int32_t, shifted) - 0x4B400000;
  float const whole = shifted - 12582912.0f;
  float const r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
  float p = 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return p * __builtin_bit_cast(float, (n + 127) << 23);
}

TAILOR_HOST_DEVICE inline double exponential(double x) {
  return std::exp(x);
}

/// 1 / (1 + e^-x).
template <class T>
TAILOR_HOST_DEVICE inline T sigmoid(T x) {
  return T(1) / (T(1) + exponential(-x));
}

/// tanh x = 1 - 2 / (1 + e^2x).
template <class T>
TAILOR_HOST_DEVICE inline T hyperbolic_tangent(T x) {
  return T(1) - T(2) / (T(1) + exponential(T(2) * x));
}

}  // namespace tailor
