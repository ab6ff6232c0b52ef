#pragma once
// A random order of a range as a function: nothing is stored, and any place can be asked for alone.

#include <tailor/arch/philox.hpp>    // tailor::philox
#include <tailor/nn/random_key.hpp>  // tailor::random_key

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tailor {

/// A bijection of 0 .. size - 1, keyed by (seed, epoch).
/// Cost:   8 Philox draws per step of the walk, 4 steps at most on average.
/// Domain: 1 <= size < 2^62.
/// @post   every value below size comes out exactly once
/// Source: Luby and Rackoff (1988), a Feistel network of pseudo-random functions is a permutation;
///         Black and Rogaway (2002), walking the cycle until it comes back into range.
class Permutation {
 public:
  Permutation(std::int64_t size, std::uint64_t seed, std::uint64_t epoch)
      : size_(std::uint64_t(size)),
        half_bits_(std::max(1, (int(std::bit_width(size_ - 1)) + 1) / 2)),
        key_(random_key(seed, RandomPurpose::batches)),
        epoch_(epoch) {}

  std::int64_t operator()(std::int64_t place) const {
    auto x = std::uint64_t(place);
    do x = shuffled(x);
    while (x >= size_);
    return std::int64_t(x);
  }

 private:
  static constexpr int rounds = 8;

  /// A bijection of the 2 half_bits_ bits of x.
  std::uint64_t shuffled(std::uint64_t x) const {
    std::uint64_t const mask = (std::uint64_t(1) << half_bits_) - 1;
    std::uint64_t left = x >> half_bits_, right = x & mask;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      auto const draw = philox(
          {std::uint32_t(right), round, std::uint32_t(epoch_), std::uint32_t(epoch_ >> 32)}, key_);
      std::uint64_t const next = left ^ (draw[0] & mask);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  std::uint64_t size_;
  int half_bits_;
  PhiloxKey key_;
  std::uint64_t epoch_;
};

}  // namespace tailor
