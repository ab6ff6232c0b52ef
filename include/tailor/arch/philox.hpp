#pragma once
// Counter-based random numbers: a pure function from (counter, key) to four words, so that any
// element of any tensor can be drawn alone, in any order, on any number of threads.

#include <array>
#include <cstdint>

namespace tailor {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

namespace detail {

constexpr PhiloxCounter philox_round(PhiloxCounter const& c, PhiloxKey const& k) {
  std::uint64_t const even = 0xD2511F53ull * c[0];
  std::uint64_t const odd = 0xCD9E8D57ull * c[2];
  return {static_cast<std::uint32_t>(odd >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(odd),
          static_cast<std::uint32_t>(even >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(even)};
}

}  // namespace detail

/// Philox4x32-10: four independent uniform 32-bit words of one counter under one key.
/// Cost:   20 multiplications; no state.
/// @post   philox equals the published known answers of Random123
/// Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011), section 3.3.
constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    counter = detail::philox_round(counter, key);
    key[0] += 0x9E3779B9u;  // the golden ratio and sqrt(3) - 1 as Weyl increments
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// A 64-bit seed as a key.
constexpr PhiloxKey philox_key(std::uint64_t seed) {
  return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

}  // namespace tailor
