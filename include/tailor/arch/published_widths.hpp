#pragma once
// The integer rules by which published models got their widths and heads.

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

namespace detail {

/// Rounds to two decimals, as the published configurations do.
constexpr double two_decimals(double value) {
  return static_cast<double>(static_cast<std::int64_t>(value * 100 + .5)) / 100;
}

constexpr double on_line(double first, double last, int layer, int layers) {
  return layers == 1 ? first : first + (last - first) * layer / (layers - 1);
}

constexpr int as_width(double value, char const* who) {
  if (!(value >= 0 && value <= std::numeric_limits<int>::max()))
    throw std::invalid_argument(std::string(who) + ": the width does not fit an int");
  return static_cast<int>(value);
}

}  // namespace detail

/// The FFN width of Llama: two thirds of 4 d_model, times a multiplier, rounded up to a multiple.
/// Throws std::invalid_argument where an argument is not positive or the width does not fit an int.
/// Source: the reference code of Llama 2 and 3, FeedForward.
constexpr int llama_width(int d_model, double multiplier = 1, int multiple_of = 256) {
  if (d_model < 1 || !(multiplier > 0) || multiple_of < 1) {
    throw std::invalid_argument(
        "llama_width: d_model, multiplier and multiple_of must be positive");
  }
  auto const two_thirds = static_cast<double>(8 * std::int64_t{d_model} / 3);
  std::int64_t const scaled = detail::as_width(two_thirds * multiplier, "llama_width");
  auto const rounded = (scaled + multiple_of - 1) / multiple_of * multiple_of;
  return detail::as_width(static_cast<double>(rounded), "llama_width");
}

/// The multiple of `divisor` nearest to `value`, at least one, and never below 0.9 of the value.
/// Source: OpenELM (arXiv 2404.14619), make_divisible.
constexpr int make_divisible(double value, int divisor) {
  if (divisor < 1 || !(value >= 0)) {
    throw std::invalid_argument("make_divisible: value >= 0 and divisor >= 1 are needed");
  }
  std::int64_t const whole = detail::as_width(value + divisor / 2., "make_divisible");
  std::int64_t rounded = whole / divisor * divisor;
  if (rounded < divisor) rounded = divisor;
  if (static_cast<double>(rounded) < .9 * value) rounded += divisor;
  return detail::as_width(static_cast<double>(rounded), "make_divisible");
}

/// OpenELM: FFN multiplier and query width grow linearly with depth.
/// Source: OpenELM (arXiv 2404.14619), section 2.1 and its public configurations.
struct OpenElm {
  int d_model = 1280;
  int layers = 16;
  double ffn_first = .5, ffn_last = 4;
  int ffn_divisor = 256;
  double query_first = .5, query_last = 1;
  int head_dim = 64;
  int heads_per_kv = 4;
};

/// FFN widths of an OpenELM model as published: its own count, not that of a uniform reference (for
/// that, see linear_taper).
constexpr std::vector<int> open_elm_widths(OpenElm const& model) {
  std::vector<int> widths;
  for (int layer = 0; layer < model.layers; ++layer) {
    double const multiplier =
        detail::two_decimals(detail::on_line(model.ffn_first, model.ffn_last, layer, model.layers));
    widths.push_back(make_divisible(multiplier * model.d_model, model.ffn_divisor));
  }
  return widths;
}

/// Query heads of an OpenELM model as published; the key heads are these over heads_per_kv.
constexpr std::vector<int> open_elm_heads(OpenElm const& model) {
  if (model.head_dim < 1 || model.heads_per_kv < 1)
    throw std::invalid_argument("open_elm_heads: head_dim and heads_per_kv must be positive");
  std::vector<int> heads;
  for (int layer = 0; layer < model.layers; ++layer) {
    double const multiplier = detail::two_decimals(
        detail::on_line(model.query_first, model.query_last, layer, model.layers));
    int const width =
        make_divisible(multiplier * model.d_model, model.head_dim * model.heads_per_kv);
    heads.push_back(width / model.head_dim);
  }
  return heads;
}

}  // namespace tailor
