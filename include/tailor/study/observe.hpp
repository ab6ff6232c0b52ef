#pragma once
// The clouds of a model: what enters and leaves every layer's FFN branch on a text.

#include <tailor/device/device.hpp>     // tailor::Device, tailor::BufferOf
#include <tailor/geometry/cloud.hpp>    // tailor::Cloud
#include <tailor/geometry/sample.hpp>   // tailor::sample_without_replacement
#include <tailor/nn/model.hpp>          // tailor::Model
#include <tailor/nn/transformer.hpp>    // tailor::token_losses, tailor::TokenBatch
#include <tailor/nn/workspace.hpp>      // tailor::Workspace
#include <tailor/train/token_file.hpp>  // tailor::check_ids

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// Which tokens are observed. Neighbours in one window resemble each other, so a cloud pools a few
/// tokens of each of many windows.
struct ObserveOptions {
  std::int64_t tokens = 4096;  ///< in every cloud
  int per_window = 16;         ///< of them from one window, where it holds as many
  int sequences = 8;           ///< windows at a time; no result depends on it
  std::uint64_t seed = 0;      ///< of windows and of the tokens in them
};

namespace detail {

/// Where the observed tokens stand: windows of `length` tokens, drawn without repetition, and
/// positions in each, ascending.
struct ObservedTokens {
  std::vector<std::int64_t> starts;
  std::vector<std::vector<int>> positions;
};

inline ObservedTokens observed_tokens(std::int64_t text, int length, ObserveOptions options) {
  options.per_window = std::min(options.per_window, length);
  std::int64_t const windows = (text - 1) / length;
  std::int64_t const wanted = (options.tokens + options.per_window - 1) / options.per_window;
  if (windows < wanted) {
    throw std::invalid_argument("observe: " + std::to_string(options.tokens) + " tokens, " +
                                std::to_string(options.per_window) + " from a window of " +
                                std::to_string(length) + ", need a text of " +
                                std::to_string(wanted * length + 1) + " tokens, got " +
                                std::to_string(text));
  }
  ObservedTokens result;
  std::int64_t left = options.tokens;
  for (int window : sample_without_replacement(int(wanted), int(windows), options.seed, 0)) {
    result.starts.push_back(std::int64_t(window) * length);
    int const here = int(std::min<std::int64_t>(options.per_window, left));
    auto& positions = result.positions.emplace_back(sample_without_replacement(
        here, length, options.seed, 1 + std::uint64_t(result.starts.size())));
    std::sort(positions.begin(), positions.end());
    left -= here;
  }
  return result;
}

}  // namespace detail

/// One cloud per layer that has an FFN, named "layer NN": the same tokens of `text` in all of them,
/// pooled over windows of the plan's context.
/// Shapes: every cloud [options.tokens, d_model].
/// Cost:   one forward pass over tokens / per_window windows; the clouds in host memory.
/// Error:  std::invalid_argument where the text is too small, an id is outside the vocabulary, or
///         no layer has an FFN.
/// @post   the clouds do not depend on how many windows pass at a time
template <class T, Device D>
std::vector<Cloud> observe(D& dev, Model<T, D> const& model, std::span<std::int32_t const> text,
                           ObserveOptions const& options = {}) {
  using Space = typename D::Space;
  int const length = model.plan.context;
  if (options.tokens < 1 || options.tokens > (std::int64_t{1} << 30) || options.per_window < 1 ||
      options.sequences < 1) {
    throw std::invalid_argument(
        "observe: tokens must be 1 to 2^30, per_window and sequences positive, got " +
        std::to_string(options.tokens) + ", " + std::to_string(options.per_window) + " and " +
        std::to_string(options.sequences));
  }
  check_ids(text, model.plan.vocab, "observe");
  auto const where = detail::observed_tokens(std::int64_t(text.size()), length, options);

  std::vector<Cloud> clouds;
  std::vector<int> cloud_of_layer(model.plan.layers.size(), -1);
  for (std::size_t l = 0; l < model.plan.layers.size(); ++l) {
    auto const& widths = model.plan.layers[l].widths;
    if (std::all_of(widths.begin(), widths.end(), [](int width) { return width == 0; })) continue;
    cloud_of_layer[l] = int(clouds.size());
    std::string const number = std::to_string(l);
    clouds.push_back({.layer = "layer " + std::string(number.size() < 2, '0') + number,
                      .before = HostMatrix(int(options.tokens), model.plan.d_model),
                      .after = HostMatrix(int(options.tokens), model.plan.d_model)});
  }
  if (clouds.empty()) throw std::invalid_argument("observe: no layer of the model has an FFN");

  int const sequences =
      int(std::min<std::int64_t>(options.sequences, std::int64_t(where.starts.size())));
  std::int64_t const pass_tokens = std::int64_t(sequences) * length;
  Workspace<T, D> workspace(dev, model.plan, sequences, length, Purpose::inference);
  auto ids = buffer<std::int32_t>(dev, pass_tokens);
  auto targets = buffer<std::int32_t>(dev, pass_tokens);
  auto losses = buffer<T>(dev, pass_tokens);
  std::vector<std::int32_t> host_ids(static_cast<std::size_t>(pass_tokens));
  std::vector<T> stream(static_cast<std::size_t>(pass_tokens * model.plan.d_model));

  std::int64_t row = 0;  // of the clouds, where this pass begins
  for (std::size_t first = 0; first < where.starts.size(); first += std::size_t(sequences)) {
    std::size_t const here = std::min(std::size_t(sequences), where.starts.size() - first);
    for (std::size_t s = 0; s < std::size_t(sequences); ++s) {
      // A pass is always full: what is missing repeats its last window and is not kept.
      std::int64_t const start = where.starts[first + std::min(s, here - 1)];
      std::copy_n(text.begin() + start, length, host_ids.begin() + std::ptrdiff_t(s) * length);
    }
    upload(dev, std::span<std::int32_t const>(host_ids), ids.view());

    auto const keep = [&](MatrixView<T const, Space> x, HostMatrix& cloud) {
      download(dev, VectorView<T const, Space>{x.data, pass_tokens * x.cols}, std::span<T>(stream));
      int to = int(row);
      for (std::size_t s = 0; s < here; ++s) {
        for (int position : where.positions[first + s]) {
          auto const from = (std::int64_t(s) * length + position) * x.cols;
          std::transform(stream.begin() + from, stream.begin() + from + x.cols,
                         cloud.view().row(to++), [](T value) { return float(value); });
        }
      }
    };
    token_losses(
        dev, model,
        TokenBatch<Space>{
            .ids = ids.view(), .targets = targets.view(), .sequences = sequences, .length = length},
        workspace, losses.view(),
        [&](int layer, MatrixView<T const, Space> before, MatrixView<T const, Space> after) {
          Cloud& cloud = clouds[std::size_t(cloud_of_layer[std::size_t(layer)])];
          keep(before, cloud.before);
          keep(after, cloud.after);
        });
    for (std::size_t s = 0; s < here; ++s) row += std::int64_t(where.positions[first + s].size());
  }
  return clouds;
}

}  // namespace tailor
