#pragma once
// What the matched-budget search looks through, and what it calls good.

#include <tailor/arch/dims.hpp>      // tailor::Activation
#include <tailor/arch/text_of.hpp>   // detail::text_of, for the messages
#include <tailor/arch/validate.hpp>  // tailor::PlanLimits

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailor {

/// Both ends included: low, low + step, ... up to high.
struct IntRange {
  int low = 1;
  int high = 1;
  int step = 1;
};

/// Whether heads * head_dim may be anything in the ranges or has to be d_model.
enum class AttentionWidth { any, d_model };

/// Bounds of the search; the defaults are the paper's ranges with heads of 64. An attention width
/// is fixed by ranges of one value, and free where `heads` spans a range. `kv_heads` 0 means as
/// many as heads. `attention_parameters` fixes Count::attention instead (within the tolerance; 0 =
/// not).
struct SearchSpace {
  IntRange sub_blocks{1, 8};
  IntRange layers{4, 36};
  IntRange d_model{256, 4096, 16};
  IntRange heads{1, 64};
  IntRange kv_heads{0, 0};
  IntRange head_dim{64, 64};
  AttentionWidth attention = AttentionWidth::any;
  std::int64_t attention_parameters = 0;
  int width_grain = 1;        ///< widths are multiples of this
  double lowest_ratio = 0.1;  ///< width of a sub-MLP over d_model
  double highest_ratio = 4;
  double lowest_ffn_share = 0;  ///< Count::ffn over Count::matrices
  double highest_ffn_share = 1;
  Activation activation = Activation::swiglu;
};

/// `tolerance` is relative to the target, 0 = exact. `limit` bounds the matches that are kept. The
/// rest orders equal mismatches: the good range of d_model / layers and the best width / d_model.
struct SearchOptions {
  double tolerance = 1e-5;
  std::size_t limit = 1000;
  double lowest_aspect = 100;
  double highest_aspect = 250;
  double best_ratio = 0.4;
};

namespace detail {

inline void require_range(char const* field, IntRange const& range, int least, int most) {
  if (range.low >= least && range.low <= range.high && range.high <= most && range.step >= 1)
    return;
  throw std::invalid_argument(std::string("search: ") + field + ": needs " + std::to_string(least) +
                              " <= low <= high <= " + std::to_string(most) +
                              " and step >= 1, got " + std::to_string(range.low) + " to " +
                              std::to_string(range.high) + " step " + std::to_string(range.step));
}

inline void require_doubles(char const* fields, double low, double high, double most) {
  if (low >= 0 && low <= high && high <= most) return;
  throw std::invalid_argument(std::string("search: ") + fields +
                              ": needs 0 <= lowest <= highest <= " + text_of(most) + ", got " +
                              text_of(low) + " and " + text_of(high));
}

inline double count_of(IntRange const& range) {
  return 1 + (static_cast<double>(range.high) - range.low) / range.step;
}

}  // namespace detail

/// Accepts a search that can be run within memory and 64 bits.
/// Throws std::invalid_argument naming the field otherwise.
inline void require_valid(SearchSpace const& space, std::int64_t target,
                          SearchOptions const& options) {
  auto const refuse = [](std::string const& text) {
    throw std::invalid_argument("search: " + text);
  };
  detail::require_range("sub_blocks", space.sub_blocks, 1, PlanLimits::sub_blocks);
  detail::require_range("layers", space.layers, 1, PlanLimits::layers);
  detail::require_range("d_model", space.d_model, 1, PlanLimits::d_model);
  detail::require_range("heads", space.heads, 1, 1 << 12);
  detail::require_range("kv_heads", space.kv_heads, 0, 1 << 12);
  detail::require_range("head_dim", space.head_dim, 2, 1 << 10);
  detail::require_range("width_grain", {space.width_grain, space.width_grain, 1}, 1, 1 << 16);
  detail::require_doubles("lowest_ratio, highest_ratio", space.lowest_ratio, space.highest_ratio,
                          1024);
  detail::require_doubles("lowest_ffn_share, highest_ffn_share", space.lowest_ffn_share,
                          space.highest_ffn_share, 1);
  detail::require_doubles("lowest_aspect, highest_aspect", options.lowest_aspect,
                          options.highest_aspect, 1e9);
  if (!(options.best_ratio >= 0 && options.best_ratio <= 1024))
    refuse("best_ratio: must be from 0 to 1024, got " + detail::text_of(options.best_ratio));
  if (space.attention_parameters < 0 || space.attention_parameters > PlanLimits::matrices)
    refuse("attention_parameters: must be 0 (free) to 2^48, got " +
           std::to_string(space.attention_parameters));
  if (target < 1 || target > PlanLimits::matrices)
    refuse("target: must be from 1 to 2^48 parameters, got " + std::to_string(target));
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    refuse("tolerance: must be from 0 to below 1, got " + detail::text_of(options.tolerance));
  if (options.limit > 10'000'000)
    refuse("limit: must be at most 10000000, got " + std::to_string(options.limit));
  double const combinations = detail::count_of(space.sub_blocks) * detail::count_of(space.layers) *
                              detail::count_of(space.d_model) * detail::count_of(space.heads) *
                              detail::count_of(space.kv_heads) * detail::count_of(space.head_dim);
  if (combinations > 1e10)
    refuse("the bounds span " + detail::text_of(combinations) +
           " combinations, more than 1e10; narrow a range or widen a step");
}

}  // namespace tailor
