#pragma once
// Keys and values of the tokens that a model has read, so that the next token costs one row.

#include <tailor/arch/plan.hpp>       // tailor::Plan
#include <tailor/device/device.hpp>   // tailor::Device, tailor::BufferOf
#include <tailor/nn/transformer.hpp>  // tailor::forward, tailor::CachedKeys, tailor::Workspace

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailor {

/// The cache of one sequence of up to `capacity` tokens.
template <class T, Device D>
class KeyValueCache {
 public:
  using Space = typename D::Space;

  /// Throws std::invalid_argument for a plan that validate refuses or a capacity outside 1 .. its
  /// context.
  KeyValueCache(D& dev, Plan const& plan, int capacity)
      : plan_(plan), capacity_(capacity), arena_(buffer<T>(dev, elements(plan, capacity))) {
    T* at = arena_.view().data;
    auto const next = [&](int width) {
      auto const taken = matrix<Space>(at, capacity_, width);
      at += std::int64_t{capacity_} * width;
      return taken;
    };
    for (auto const& block : sub_blocks_of(plan)) {
      int const width =
          block.is_attention() ? plan.layers[static_cast<std::size_t>(block.layer)].kv_width() : 0;
      views_.keys.push_back(next(width));
      views_.values.push_back(next(width));
    }
  }

  Plan const& plan() const { return plan_; }
  int capacity() const { return capacity_; }
  int length() const { return length_; }
  CachedKeys<T, Space> const& views() const { return views_; }

  /// Forgets everything.
  void clear() { length_ = 0; }
  /// Counts `tokens` more as read, after a pass that wrote them.
  void grow(int tokens) { length_ += tokens; }

 private:
  static std::int64_t elements(Plan const& plan, int capacity) {
    validate(plan);
    if (capacity < 1 || capacity > plan.context) {
      throw std::invalid_argument("KeyValueCache: capacity must be from 1 to the context of " +
                                  std::to_string(plan.context) + ", got " +
                                  std::to_string(capacity));
    }
    std::int64_t width = 0;
    for (auto const& layer : plan.layers) width += 2 * std::int64_t{layer.kv_width()};
    return width * capacity;
  }

  Plan plan_;
  int capacity_;
  int length_ = 0;
  BufferOf<T, D> arena_;
  CachedKeys<T, Space> views_{};
};

/// Reads more tokens of the cache's sequence: out [1, vocab] = logits after the last of them.
/// Cost: one forward pass over the new tokens, attention over all read so far.
/// Throws std::invalid_argument where model, cache and workspace do not belong together, the
/// workspace has less room than `ids` or fewer keys than the cache's capacity, or the cache is
/// full.
/// @post equals the full forward pass
template <class T, Device D>
void read_tokens(D& dev, Model<T, D> const& model,
                 VectorView<std::int32_t const, typename D::Space> ids, Workspace<T, D>& workspace,
                 KeyValueCache<T, D>& cache, MatrixView<T, typename D::Space> out) {
  char const* const what = "read_tokens";
  int const count = static_cast<int>(ids.size);
  auto pass = detail::checked_pass(what, model, workspace, ids, 1, count);
  check_rule(what, model.plan == cache.plan(), "the cache was made for another plan");
  check_rule(what, workspace.sizes().keys >= cache.capacity(),
             "the workspace has fewer keys than the cache");
  check_rule(what, cache.capacity() - cache.length() >= count, "the cache has no room left");
  check_shape(what, "out", out, 1, model.plan.vocab);
  pass.first_position = cache.length();
  pass.cache = &cache.views();
  auto const x = forward(dev, model, workspace, pass);
  head_logits<T>(dev, detail::head_of<T, D>(model, workspace, x, {}, {}), x.rows - 1, 1, out);
  cache.grow(count);
}

}  // namespace tailor
