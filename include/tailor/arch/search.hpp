#pragma once
// Every uniform architecture with a given number of parameters: the matched-budget search.

#include <tailor/arch/configuration.hpp>  // tailor::Configuration
#include <tailor/arch/search_space.hpp>   // tailor::SearchSpace, tailor::SearchOptions

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace tailor {

/// One configuration that was found, with its Count::matrices and Count::attention.
struct Match {
  Configuration configuration{};
  std::int64_t parameters = 0;
  std::int64_t attention = 0;
};

/// The best `limit` matches, best first; `found` counts all of them, `exact` those without
/// mismatch.
struct SearchResult {
  std::vector<Match> best{};
  std::int64_t found = 0;
  std::int64_t exact = 0;
};

namespace detail {

class Search {
 public:
  Search(SearchSpace const& space, std::int64_t target, SearchOptions const& options)
      : space_(space),
        options_(options),
        target_(target),
        slack_(static_cast<std::int64_t>(options.tolerance * static_cast<double>(target))) {}

  SearchResult run() {
    for_each(space_.layers, [&](int layers) {
      for_each(space_.d_model, [&](int d_model) {
        for_each(space_.head_dim, [&](int head_dim) {
          for_each(space_.heads, [&](int heads) { try_heads(layers, d_model, heads, head_dim); });
        });
      });
    });
    auto const better = [this](Match const& a, Match const& b) { return is_better(a, b); };
    std::sort_heap(result_.best.begin(), result_.best.end(), better);
    return std::move(result_);
  }

 private:
  template <class F>
  static void for_each(IntRange const& range, F f) {
    for (std::int64_t value = range.low; value <= range.high; value += range.step)
      f(static_cast<int>(value));
  }

  void try_heads(int layers, int d_model, int heads, int head_dim) {
    if (head_dim % 2 != 0) return;  // rotary positions turn pairs
    if (space_.attention == AttentionWidth::d_model && heads * head_dim != d_model) return;
    for_each(space_.kv_heads, [&](int given) {
      int const kv_heads = given == 0 ? heads : given;
      if (heads % kv_heads != 0) return;
      if (given == heads && space_.kv_heads.low == 0) return;  // 0 already stood for it
      try_attention({.layers = layers,
                     .d_model = d_model,
                     .heads = heads,
                     .kv_heads = kv_heads,
                     .head_dim = head_dim});
    });
  }

  void try_attention(Configuration c) {
    auto const attention = attention_parameters(c);
    if (attention > target_ + slack_) return;
    if (space_.attention_parameters > 0) {
      auto const off = std::abs(attention - space_.attention_parameters);
      if (static_cast<double>(off) >
          options_.tolerance * static_cast<double>(space_.attention_parameters))
        return;
    }
    for_each(space_.sub_blocks, [&](int sub_blocks) {
      c.sub_blocks = sub_blocks;
      try_widths(c, attention);
    });
  }

  /// The widths that match are solved for, not scanned: the count is linear in the width.
  void try_widths(Configuration c, std::int64_t attention) {
    c.width = space_.width_grain;
    auto const price = ffn_parameters(c, space_.activation);  // of one grain
    auto const wanted = target_ - attention;
    auto const grain = static_cast<double>(space_.width_grain);
    // A ratio times d_model that is whole but for rounding must not lose its end.
    auto const lowest =
        static_cast<std::int64_t>(std::ceil(space_.lowest_ratio * c.d_model / grain - 1e-9));
    auto const highest =
        static_cast<std::int64_t>(std::floor(space_.highest_ratio * c.d_model / grain + 1e-9));
    auto const below = wanted - slack_;
    auto const first =
        std::max({std::int64_t{1}, lowest, below > 0 ? (below + price - 1) / price : 0});
    auto const last = std::min(highest, (wanted + slack_) / price);
    for (auto steps = first; steps <= last; ++steps) {
      c.width = static_cast<int>(steps * space_.width_grain);
      auto const ffn = price * steps;
      auto const total = attention + ffn;
      double const share = static_cast<double>(ffn) / static_cast<double>(total);
      if (share < space_.lowest_ffn_share - 1e-12 || share > space_.highest_ffn_share + 1e-12)
        continue;
      keep({.configuration = c, .parameters = total, .attention = attention});
    }
  }

  void keep(Match const& match) {
    ++result_.found;
    result_.exact += match.parameters == target_ ? 1 : 0;
    auto& best = result_.best;
    auto const better = [this](Match const& a, Match const& b) { return is_better(a, b); };
    if (best.size() < options_.limit) {
      best.push_back(match);
      std::push_heap(best.begin(), best.end(), better);
    } else if (!best.empty() && better(match, best.front())) {
      std::pop_heap(best.begin(), best.end(), better);
      best.back() = match;
      std::push_heap(best.begin(), best.end(), better);
    }
  }

  bool is_better(Match const& a, Match const& b) const {
    auto const key = [this](Match const& m) {
      auto const& c = m.configuration;
      return std::tuple(std::abs(m.parameters - target_), aspect_penalty(c),
                        std::abs(static_cast<double>(c.width) / c.d_model - options_.best_ratio),
                        c);
    };
    return key(a) < key(b);
  }

  /// How far d_model / layers lies outside the good range, relative to the end it misses.
  double aspect_penalty(Configuration const& c) const {
    double const aspect = static_cast<double>(c.d_model) / c.layers;
    if (aspect < options_.lowest_aspect) return options_.lowest_aspect / aspect - 1;
    if (aspect > options_.highest_aspect) return aspect / options_.highest_aspect - 1;
    return 0;
  }

  SearchSpace space_;
  SearchOptions options_;
  std::int64_t target_;
  std::int64_t slack_;
  SearchResult result_;
};

}  // namespace detail

/// Every configuration of the space whose Count::matrices is the target within the tolerance.
///
/// Best first: the smallest mismatch; then d_model / layers inside the good range, or nearest to
/// it; then width / d_model nearest to the best ratio; then the smaller integers.
///
/// Cost:   one division per (layers, d_model, heads, kv_heads, head_dim, sub_blocks); the paper's
///         ranges at 113M take well under a second. Memory for `limit` matches.
/// Throws std::invalid_argument naming the field of a bad bound.
/// @post   every match is within the tolerance, and a scan of all widths finds no other
/// Source: the ranges, the tolerance and the preferences of arXiv 2602.06471.
inline SearchResult search(SearchSpace const& space, std::int64_t target,
                           SearchOptions const& options = {}) {
  require_valid(space, target, options);
  return detail::Search(space, target, options).run();
}

}  // namespace tailor
