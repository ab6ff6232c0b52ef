#pragma once
// The weights of each sub-block as views into an arena of parameters or of gradients.

#include <tailor/device/view.hpp>    // tailor::MatrixView, tailor::VectorView
#include <tailor/nn/layout.hpp>      // tailor::Layout
#include <tailor/nn/sub_blocks.hpp>  // tailor::SubBlock

#include <cstdint>
#include <string>
#include <vector>

namespace tailor {

/// The weights of an attention sub-block, or their gradients; norms that are not there are empty.
template <class T, class Space = Host>
struct AttentionWeights {
  VectorView<T, Space> norm;
  MatrixView<T, Space> q, k, v, o;
  VectorView<T, Space> q_norm, k_norm, post_norm;
};

/// The weights of one sub-MLP, or their gradients; a gate or norm that is not there is empty.
template <class T, class Space = Host>
struct FfnWeights {
  VectorView<T, Space> norm;
  MatrixView<T, Space> gate, up, down;
  VectorView<T, Space> post_norm;
};

/// Where the tensors of every sub-block lie, looked up once by name, so that a step makes its views
/// without a search or an allocation.
class WeightTable {
 public:
  WeightTable() = default;

  /// The places of a layout; `blocks` are the sub-blocks of the same plan.
  WeightTable(Layout const& layout, std::vector<SubBlock> const& blocks)
      : embedding_(place(layout, "embedding")),
        final_norm_(place(layout, "final_norm")),
        head_(place(layout, layout.find("head") ? "head" : "embedding")) {
    for (auto const& block : blocks) {
      std::string const prefix =
          "layers." + std::to_string(block.layer) +
          (block.is_attention() ? ".attention." : ".ffn." + std::to_string(block.index) + ".");
      auto const of = [&](char const* name) { return place(layout, prefix + name); };
      blocks_.push_back({.norm = of("norm"),
                         .q = of("q"),
                         .k = of("k"),
                         .v = of("v"),
                         .o = of("o"),
                         .q_norm = of("q_norm"),
                         .k_norm = of("k_norm"),
                         .gate = of("gate"),
                         .up = of("up"),
                         .down = of("down"),
                         .post_norm = of("post_norm")});
    }
  }

  template <class T, class Space>
  MatrixView<T, Space> embedding(VectorView<T, Space> arena) const {
    return matrix_at(arena, embedding_);
  }
  template <class T, class Space>
  VectorView<T, Space> final_norm(VectorView<T, Space> arena) const {
    return vector_at(arena, final_norm_);
  }
  /// The output head: the embedding where they are tied.
  template <class T, class Space>
  MatrixView<T, Space> head(VectorView<T, Space> arena) const {
    return matrix_at(arena, head_);
  }

  /// The weights of sub-block `block`, which is one of attention.
  template <class T, class Space>
  AttentionWeights<T, Space> attention(VectorView<T, Space> arena, std::size_t block) const {
    auto const& at = blocks_[block];
    return {.norm = vector_at(arena, at.norm),
            .q = matrix_at(arena, at.q),
            .k = matrix_at(arena, at.k),
            .v = matrix_at(arena, at.v),
            .o = matrix_at(arena, at.o),
            .q_norm = vector_at(arena, at.q_norm),
            .k_norm = vector_at(arena, at.k_norm),
            .post_norm = vector_at(arena, at.post_norm)};
  }

  /// The weights of sub-block `block`, which is a sub-MLP.
  template <class T, class Space>
  FfnWeights<T, Space> ffn(VectorView<T, Space> arena, std::size_t block) const {
    auto const& at = blocks_[block];
    return {.norm = vector_at(arena, at.norm),
            .gate = matrix_at(arena, at.gate),
            .up = matrix_at(arena, at.up),
            .down = matrix_at(arena, at.down),
            .post_norm = vector_at(arena, at.post_norm)};
  }

 private:
  struct Place {
    std::int64_t offset = 0;
    int rows = 0;
    int cols = 0;
  };
  struct Places {
    Place norm, q, k, v, o, q_norm, k_norm, gate, up, down, post_norm;
  };

  static Place place(Layout const& layout, std::string const& name) {
    auto const* tensor = layout.find(name);
    return tensor ? Place{tensor->offset, tensor->rows, tensor->cols} : Place{};
  }
  template <class T, class Space>
  static MatrixView<T, Space> matrix_at(VectorView<T, Space> arena, Place at) {
    return matrix<Space>(arena.data + at.offset, at.rows, at.cols);
  }
  template <class T, class Space>
  static VectorView<T, Space> vector_at(VectorView<T, Space> arena, Place at) {
    return {arena.data + at.offset, std::int64_t{at.rows} * at.cols};
  }

  Place embedding_{}, final_norm_{}, head_{};
  std::vector<Places> blocks_{};
};

}  // namespace tailor
