#pragma once
// Random samples of tokens, the same on every machine.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// SplitMix64: a counter whose values are mixed. Small, and enough to draw token positions.
/// Source: Steele, Lea, Flood 2014.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : counter_(seed) {}

  constexpr std::uint64_t operator()() { return mix(counter_ += 0x9E3779B97F4A7C15u); }

  /// A number in [0, bound), each equally likely.
  /// Domain: bound >= 1.
  constexpr std::uint64_t below(std::uint64_t bound) {
    // Values under 2^64 mod bound would make small results likelier: drawn again.
    std::uint64_t const surplus = (0 - bound) % bound;
    for (;;) {
      std::uint64_t const value = (*this)();
      if (value >= surplus) return value % bound;
    }
  }

  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t counter_;
};

/// `count` different positions out of [0, population), ascending; every set of that size is equally
/// likely. The draw is keyed by (seed, index): no sample depends on another one.
/// Cost: O(population).
/// Error: std::invalid_argument unless 0 <= count <= population.
/// @post one seed and index give the same sample every time
inline std::vector<int> sample_without_replacement(int count, int population, std::uint64_t seed,
                                                   std::uint64_t index) {
  if (count < 0 || count > population) {
    throw std::invalid_argument("sample_without_replacement: cannot draw " + std::to_string(count) +
                                " of " + std::to_string(population));
  }
  SplitMix64 random(SplitMix64::mix(seed) ^ SplitMix64::mix(~index));
  std::vector<int> positions(std::size_t(population), 0);
  std::iota(positions.begin(), positions.end(), 0);
  for (int i = 0; i < count; ++i) {  // Fisher-Yates, as far as it is needed
    std::swap(positions[std::size_t(i)],
              positions[std::size_t(i) + std::size_t(random.below(std::uint64_t(population - i)))]);
  }
  positions.resize(std::size_t(count));
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace tailor
