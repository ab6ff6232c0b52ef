#pragma once
// The activations of a pass in one arena whose size is known before it is allocated.

#include <tailor/arch/memory.hpp>          // tailor::activation_bytes
#include <tailor/arch/plan.hpp>            // tailor::Plan
#include <tailor/arch/validate.hpp>        // tailor::validate
#include <tailor/device/device.hpp>        // tailor::Device, tailor::BufferOf
#include <tailor/nn/attention_branch.hpp>  // tailor::AttentionState
#include <tailor/nn/rope_tables.hpp>       // tailor::RopeTables
#include <tailor/nn/sub_blocks.hpp>        // tailor::SubBlock, tailor::sub_blocks_of
#include <tailor/nn/weights.hpp>           // tailor::WeightTable
#include <tailor/nn/workspace_views.hpp>   // tailor::WorkspaceViews

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tailor {

namespace detail {

/// Throws std::invalid_argument for sizes that a workspace cannot have.
inline void check_workspace(Plan const& plan, WorkspaceSizes const& sizes, int bytes_per_number) {
  validate(plan);
  if (sizes.sequences < 1 || sizes.length < 1 || sizes.keys < sizes.length ||
      sizes.keys > plan.context) {
    throw std::invalid_argument(
        "Workspace: sequences and length must be positive and the keys from length to the plan's "
        "context of " +
        std::to_string(plan.context) + ", got " + std::to_string(sizes.sequences) +
        " sequences of " + std::to_string(sizes.length) + " with " + std::to_string(sizes.keys) +
        " keys");
  }
  if (std::int64_t{sizes.sequences} * sizes.length > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("Workspace: a pass must have fewer than 2^31 tokens");
  }
  activation_bytes(plan, std::int64_t{sizes.sequences} * sizes.length, bytes_per_number);
}

}  // namespace detail

/// Bytes that Workspace<T, D> takes on its device.
/// Throws what the constructor throws.
/// @post equals Workspace::bytes of the same arguments
template <class T, Device D>
std::int64_t workspace_bytes(Plan const& plan, int sequences, int length, Purpose purpose,
                             int keys = 0) {
  WorkspaceSizes const sizes{sequences, length, keys == 0 ? length : keys, purpose};
  detail::check_workspace(plan, sizes, sizeof(T));
  auto const views = carve<T, typename D::Space>(plan, sub_blocks_of(plan), sizes, {});
  return (views.elements + RopeTables<T, D>::elements(plan, sizes.keys)) * std::int64_t(sizeof(T)) +
         sizes.tokens() * std::int64_t(sizeof(std::int32_t));
}

/// Room for passes over up to `sequences` sequences of up to `length` tokens. For training it keeps
/// what the backward pass needs; for inference one layer's room serves all. `keys` is how many keys
/// attention may see (a key-value cache; 0: `length`).
template <class T, Device D>
class Workspace {
 public:
  using Space = typename D::Space;

  /// Throws std::invalid_argument for a plan that validate refuses and for sizes below 1 or beyond
  /// the plan's context.
  Workspace(D& dev, Plan const& plan, int sequences, int length, Purpose purpose, int keys = 0)
      : plan_(plan),
        sizes_{sequences, length, keys == 0 ? length : keys, purpose},
        bytes_(workspace_bytes<T, D>(plan, sequences, length, purpose, keys)),
        blocks_(sub_blocks_of(plan)),
        table_(layout_of(plan), blocks_),
        rope_(dev, plan, sizes_.keys),
        arena_(buffer<T>(dev, carve<T, Space>(plan, blocks_, sizes_, {}).elements)),
        order_(buffer<std::int32_t>(dev, sizes_.tokens())),
        views_(carve<T, Space>(plan, blocks_, sizes_, arena_.view())) {}

  std::int64_t bytes() const { return bytes_; }
  Plan const& plan() const { return plan_; }
  WorkspaceSizes const& sizes() const { return sizes_; }
  std::vector<SubBlock> const& blocks() const { return blocks_; }
  WeightTable const& table() const { return table_; }
  RopeTables<T, D> const& rope() const { return rope_; }
  WorkspaceViews<T, Space> const& views() const { return views_; }
  VectorView<std::int32_t, Space> order() { return order_.view(); }

 private:
  Plan plan_;
  WorkspaceSizes sizes_;
  std::int64_t bytes_;
  std::vector<SubBlock> blocks_;
  WeightTable table_;
  RopeTables<T, D> rope_;
  BufferOf<T, D> arena_;
  BufferOf<std::int32_t, D> order_;
  WorkspaceViews<T, Space> views_;
};

}  // namespace tailor
