#pragma once
// Which stretches of the parameter arena are decayed.

#include <tailor/nn/layout.hpp>  // tailor::Layout, tailor::Role

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailor {

/// A stretch of the arena whose tensors are all decayed or all not.
struct DecayRange {
  std::int64_t first = 0;
  std::int64_t size = 0;
  bool decayed = false;
};

/// The arena from its first to its last element, cut where the decay changes: matrices and
/// embeddings are decayed, gains are not. Padding belongs to the tensor before it.
/// @post the ranges cover the arena without gaps
inline std::vector<DecayRange> decay_ranges(Layout const& layout) {
  std::vector<DecayRange> ranges;
  for (std::size_t i = 0; i < layout.tensors.size(); ++i) {
    auto const& tensor = layout.tensors[i];
    bool const decayed = tensor.role != Role::gain;
    std::int64_t const end =
        i + 1 < layout.tensors.size() ? layout.tensors[i + 1].offset : layout.size;
    if (ranges.empty() || ranges.back().decayed != decayed) {
      ranges.push_back({tensor.offset, 0, decayed});
    }
    ranges.back().size = end - ranges.back().first;
  }
  return ranges;
}

}  // namespace tailor
