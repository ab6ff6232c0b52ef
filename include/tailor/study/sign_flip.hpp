#pragma once
// The exact sign-flip test of paired differences: no assumption but symmetry around zero.

#include <tailor/study/paired.hpp>  // SeedValue

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tailor {

/// Below 6 pairs the smallest p value is above 5 %; above 20 the 2^n signs are too many to
/// enumerate.
inline constexpr int sign_flip_fewest = 6, sign_flip_most = 20;

/// The two-sided p value of the mean difference if every sign were as likely as its opposite: the
/// share of the 2^n assignments of signs whose sum is at least as far from zero as the one
/// observed.
/// Cost:   2^(n - 1) additions.
/// Domain: 6 to 20 pairs; nothing otherwise.
/// @post   differences of one sign have the smallest p there is, 2 / 2^n
inline std::optional<double> sign_flip_p(std::span<SeedValue const> differences) {
  int const n = static_cast<int>(differences.size());
  if (n < sign_flip_fewest || n > sign_flip_most) return std::nullopt;
  std::vector<double> flipped(differences.size());
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < flipped.size(); ++i) {
    flipped[i] = differences[i].value;
    sum += flipped[i];
    size += std::abs(flipped[i]);
  }
  // Sums that are equal in exact arithmetic must count as equal.
  double const observed = std::abs(sum) - 1e-12 * size;
  // Gray code: each step flips one sign. The last stays, since opposite assignments count alike.
  std::uint32_t const half = std::uint32_t{1} << (n - 1);
  std::uint32_t extreme = 0;
  for (std::uint32_t step = 1;; ++step) {
    extreme += std::abs(sum) >= observed;
    if (step == half) break;
    auto& sign = flipped[static_cast<std::size_t>(std::countr_zero(step))];
    sum -= 2 * sign;
    sign = -sign;
  }
  return static_cast<double>(extreme) / half;
}

}  // namespace tailor
