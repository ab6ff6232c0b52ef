#pragma once
// Standard normal values from random words, in arithmetic of our own: the logarithm and the circle
// of a C library differ in their last bits from one machine to the next.

#include <tailor/arch/philox.hpp>  // tailor::PhiloxCounter

#include <bit>
#include <cmath>
#include <cstdint>

namespace tailor {

/// Two independent standard normal values.
struct NormalPair {
  double first = 0;
  double second = 0;
};

namespace detail {

/// ln u. Write u = 2^e m with m in [2/3, 4/3) and s = (m - 1) / (m + 1): ln m = 2 artanh s, whose
/// series in s^2 <= 1/25 is below 1e-16 after twelve terms.
/// Domain: normal positive doubles.
constexpr double logarithm(double u) {
  auto const bits = std::bit_cast<std::uint64_t>(u);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  if (m >= 4.0 / 3) {
    m /= 2;
    ++exponent;
  }
  double const s = (m - 1) / (m + 1);
  double const square = s * s;
  double sum = 0;
  for (int k = 23; k > 0; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * s * sum + exponent * 0.69314718055994530942;
}

/// (cos, sin) of 2 pi turn, by Taylor series within an eighth of a turn and the symmetries of the
/// circle outside of it.
/// Domain: 0 <= turn < 1.
constexpr NormalPair point_on_circle(double turn) {
  int const quarter = static_cast<int>(turn * 4 + 0.5);  // the nearest one
  double const angle = (turn - quarter * 0.25) * 6.283185307179586477;
  double const square = angle * angle;
  double cosine = 0, sine = 0;
  for (int k = 18; k > 0; k -= 2) {
    cosine = (1 + cosine) * -square / ((k - 1) * k);
    sine = (1 + sine) * -square / (k * (k + 1));
  }
  cosine = 1 + cosine;
  sine = angle * (1 + sine);
  switch (quarter % 4) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

}  // namespace detail

/// Two standard normal values from four random words.
/// Error:  below 1e-14 relative to Box-Muller in exact arithmetic; |value| <= 8.6.
/// Source: Box and Muller, A note on the generation of random normal deviates (1958).
inline NormalPair normal_pair(PhiloxCounter const& words) {
  auto const fraction = [](std::uint32_t high, std::uint32_t low) {
    return static_cast<double>((std::uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
  };
  double const u = 1 - fraction(words[0], words[1]);  // in (0, 1]
  double const radius = std::sqrt(-2 * detail::logarithm(u));
  NormalPair const point = detail::point_on_circle(fraction(words[2], words[3]));
  return {radius * point.first, radius * point.second};
}

}  // namespace tailor
