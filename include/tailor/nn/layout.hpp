#pragma once
// Where every tensor of a model lies in one arena, under which name.

#include <tailor/arch/plan.hpp>      // tailor::Plan, tailor::LayerPlan
#include <tailor/arch/validate.hpp>  // tailor::validate

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailor {

/// What a tensor is for; gains are not decayed.
enum class Role { embedding, matrix, gain };

/// One tensor of a model, row-major [rows, cols] from `offset`; a gain has one row. `layer` is -1
/// outside of layers, `sub_block` -1 outside of sub-MLPs.
struct TensorSpec {
  std::string name;
  Role role = Role::matrix;
  int layer = -1;
  int sub_block = -1;
  int rows = 0;
  int cols = 0;
  std::int64_t offset = 0;

  std::int64_t size() const { return std::int64_t{rows} * cols; }
  bool operator==(TensorSpec const&) const = default;
};

/// The tensors of a model in the order of the arena, and the arena's size.
struct Layout {
  std::vector<TensorSpec> tensors;
  std::int64_t size = 0;

  /// The tensor of that name, or null.
  TensorSpec const* find(std::string_view name) const {
    auto const found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](TensorSpec const& tensor) { return tensor.name == name; });
    return found == tensors.end() ? nullptr : &*found;
  }

  /// The tensor of that name. Throws std::invalid_argument where there is none.
  TensorSpec const& at(std::string_view name) const {
    if (auto const* tensor = find(name)) return *tensor;
    throw std::invalid_argument("Layout: no tensor is named " + std::string(name));
  }

  bool operator==(Layout const&) const = default;
};

namespace detail {

/// Appends tensors at offsets of 16 elements, one 64-byte line of floats.
struct LayoutBuilder {
  Layout layout{};
  std::string prefix{};
  int layer = -1;
  int sub_block = -1;

  void add(char const* name, Role role, int rows, int cols) {
    layout.tensors.push_back({.name = prefix + name,
                              .role = role,
                              .layer = layer,
                              .sub_block = sub_block,
                              .rows = rows,
                              .cols = cols,
                              .offset = layout.size});
    layout.size += (layout.tensors.back().size() + 15) / 16 * 16;
  }
  void gain(char const* name, int size) { add(name, Role::gain, 1, size); }
  void matrix(char const* name, int rows, int cols) { add(name, Role::matrix, rows, cols); }

  void add_attention(LayerPlan const& plan, int d) {
    prefix = "layers." + std::to_string(layer) + ".attention.";
    sub_block = -1;
    if (plan.norms != NormPlacement::post) gain("norm", d);
    matrix("q", plan.attention_width(), d);
    matrix("k", plan.kv_width(), d);
    matrix("v", plan.kv_width(), d);
    matrix("o", d, plan.attention_width());
    if (plan.qk_norm != QkNorm::none) {
      bool const whole = plan.qk_norm == QkNorm::whole;
      gain("q_norm", whole ? plan.attention_width() : plan.head_dim);
      gain("k_norm", whole ? plan.kv_width() : plan.head_dim);
    }
    if (plan.norms != NormPlacement::pre) gain("post_norm", d);
  }

  void add_ffn(LayerPlan const& plan, Activation activation, int i, int d) {
    prefix = "layers." + std::to_string(layer) + ".ffn." + std::to_string(i) + ".";
    sub_block = i;
    int const width = plan.widths[static_cast<std::size_t>(i)];
    if (plan.norms != NormPlacement::post) gain("norm", d);
    if (matrices_of(activation) == 3) matrix("gate", width, d);
    matrix("up", width, d);
    matrix("down", d, width);
    if (plan.norms != NormPlacement::pre) gain("post_norm", d);
  }
};

}  // namespace detail

/// The tensors of a plan: embedding, per layer attention and sub-MLPs as they run, final norm, head
/// where it is not tied. What has width 0 or no heads has no tensors.
/// Throws std::invalid_argument for a plan that validate refuses.
/// @post the sizes of the tensors sum to parameters(plan, Count::all)
inline Layout layout_of(Plan const& plan) {
  validate(plan);
  detail::LayoutBuilder builder;
  builder.add("embedding", Role::embedding, plan.vocab, plan.d_model);
  for (auto const& layer : plan.layers) {
    ++builder.layer;
    if (layer.heads > 0) builder.add_attention(layer, plan.d_model);
    for (int i = 0; i < static_cast<int>(layer.widths.size()); ++i) {
      if (layer.widths[static_cast<std::size_t>(i)] > 0) {
        builder.add_ffn(layer, plan.activation, i, plan.d_model);
      }
    }
  }
  builder.layer = builder.sub_block = -1;
  builder.prefix.clear();
  builder.gain("final_norm", plan.d_model);
  if (!plan.tied) builder.add("head", Role::embedding, plan.vocab, plan.d_model);
  return std::move(builder.layout);
}

}  // namespace tailor
