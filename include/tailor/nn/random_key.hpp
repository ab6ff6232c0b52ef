#pragma once
// Keys of the random streams of a study: one per (seed, purpose), so that a model, its batches and
// its samples never draw from each other.

#include <tailor/arch/philox.hpp>  // tailor::philox, tailor::PhiloxKey

#include <cstdint>

namespace tailor {

/// What a random stream is for.
enum class RandomPurpose : std::uint32_t {
  initial_values = 1,
  batches = 2,
  windows = 3,
  sampling = 4,
  perturbation = 5,
};

/// The Philox key of one purpose of one seed: two words of the purpose drawn under the seed, since
/// seed + purpose would make neighbouring seeds share streams.
constexpr PhiloxKey random_key(std::uint64_t seed, RandomPurpose purpose) {
  PhiloxCounter const words =
      philox({static_cast<std::uint32_t>(purpose), 0, 0, 0}, philox_key(seed));
  return {words[0], words[1]};
}

}  // namespace tailor
