#pragma once
// Which windows of a text make up which batch: a pure function of the seed and the position.

#include <tailor/train/permutation.hpp>  // tailor::Permutation

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace tailor {

/// The training windows of a text: `length` tokens each, and as targets the same shifted by one.
/// Windows stand side by side from the first token on; the tail that does not fill one is not used.
/// Samples are numbered through all epochs, so a position is one number and a batch that reaches
/// over the end of an epoch takes its last windows from the next.
/// Cost:  O(1) memory; nothing allocated after construction.
/// @post  every usable window comes once per epoch
/// @post  the order depends on seed, epoch and the number of windows alone
class Batches {
 public:
  /// Domain: `tokens` outlives the object.
  /// Error: std::invalid_argument for a text without one window.
  Batches(std::span<std::int32_t const> tokens, int length, std::uint64_t seed)
      : tokens_(tokens), length_(length), seed_(seed) {
    if (length < 1 || windows() < 1) {
      throw std::invalid_argument("batches: a window of " + std::to_string(length) +
                                  " tokens and the next one does not fit a text of " +
                                  std::to_string(tokens.size()));
    }
  }

  std::int64_t windows() const { return (std::int64_t(tokens_.size()) - 1) / length_; }
  int length() const { return length_; }
  std::int64_t epoch(std::int64_t sample) const { return sample / windows(); }

  /// Where the window of a sample begins in the text.
  std::int64_t start(std::int64_t sample) const {
    Permutation const order(windows(), seed_, std::uint64_t(epoch(sample)));
    return order(sample % windows()) * length_;
  }

  /// Samples first .. first + sequences - 1 as one batch.
  /// Shapes: ids, targets [sequences * length].
  void fill(std::int64_t first, int sequences, std::span<std::int32_t> ids,
            std::span<std::int32_t> targets) const {
    for (int s = 0; s < sequences; ++s) {
      auto const from = tokens_.begin() + start(first + s);
      auto const to = std::int64_t(s) * length_;
      std::copy_n(from, length_, ids.begin() + to);
      std::copy_n(from + 1, length_, targets.begin() + to);
    }
  }

 private:
  std::span<std::int32_t const> tokens_;
  int length_;
  std::uint64_t seed_;
};

}  // namespace tailor
