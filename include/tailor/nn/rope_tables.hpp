#pragma once
// The tables of rotary angles that a plan needs on a device: one per distinct base and head size.

#include <tailor/arch/plan.hpp>      // tailor::Plan
#include <tailor/device/device.hpp>  // tailor::Device, tailor::BufferOf
#include <tailor/nn/rope.hpp>        // tailor::rope_table, tailor::rope_frequencies

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tailor {

/// Cosines and sines by position, [positions, head_dim / 2].
template <class T, class Space = Host>
struct RopeAngles {
  MatrixView<T const, Space> cosines, sines;
};

/// Positions 0 .. positions - 1 of every layer of a plan.
template <class T, Device D>
class RopeTables {
 public:
  using Space = typename D::Space;

  RopeTables(D& dev, Plan const& plan, int positions) : positions_(positions) {
    for (auto const& layer : plan.layers) {
      if (layer.heads == 0) {
        table_of_layer_.push_back(0);
        continue;
      }
      std::size_t found = 0;
      while (found < tables_.size() && (tables_[found].base != layer.rope_base ||
                                        tables_[found].head_dim != layer.head_dim)) {
        ++found;
      }
      if (found == tables_.size()) {
        auto const angles = rope_table<T>(
            positions, rope_frequencies(layer.head_dim, layer.rope_base, plan.rope_scaling));
        tables_.push_back({.base = layer.rope_base,
                           .head_dim = layer.head_dim,
                           .cosines = filled(dev, angles.cosines),
                           .sines = filled(dev, angles.sines)});
      }
      table_of_layer_.push_back(found);
    }
  }

  /// The angles of a layer that has attention.
  RopeAngles<T, Space> layer(int index) const {
    auto const& table = tables_[table_of_layer_[static_cast<std::size_t>(index)]];
    auto const view = [&](BufferOf<T, D> const& angles) {
      return matrix<Space>(angles.view().data, positions_, table.head_dim / 2);
    };
    return {view(table.cosines), view(table.sines)};
  }

  /// Elements that the tables of a plan take.
  static std::int64_t elements(Plan const& plan, int positions) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < plan.layers.size(); ++i) {
      auto const& layer = plan.layers[i];
      bool seen = layer.heads == 0;
      for (std::size_t j = 0; j < i && !seen; ++j) {
        seen = plan.layers[j].heads > 0 && plan.layers[j].rope_base == layer.rope_base &&
               plan.layers[j].head_dim == layer.head_dim;
      }
      if (!seen) sum += std::int64_t{positions} * layer.head_dim;
    }
    return sum;
  }

 private:
  struct Table {
    double base;
    int head_dim;
    BufferOf<T, D> cosines, sines;
  };

  static BufferOf<T, D> filled(D& dev, std::vector<T> const& values) {
    auto made = buffer<T>(dev, static_cast<std::int64_t>(values.size()));
    upload(dev, std::span<T const>(values), made.view());
    return made;
  }

  int positions_;
  std::vector<Table> tables_{};
  std::vector<std::size_t> table_of_layer_{};
};

}  // namespace tailor
