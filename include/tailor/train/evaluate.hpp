#pragma once
// The loss of a model on a text.

#include <tailor/device/device.hpp>                   // tailor::Device, tailor::BufferOf
#include <tailor/device/row_kernels/window_loss.hpp>  // tailor::WindowLoss
#include <tailor/nn/model.hpp>                        // tailor::Model
#include <tailor/nn/transformer.hpp>                  // tailor::token_losses, tailor::TokenBatch
#include <tailor/nn/workspace.hpp>                    // tailor::Workspace
#include <tailor/train/evaluation_windows.hpp>        // tailor::EvaluationWindows
#include <tailor/train/token_file.hpp>                // tailor::check_ids

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

struct EvaluateOptions {
  int sequences = 8;           ///< windows at a time; no result depends on it
  int length = 0;              ///< tokens per window; 0: the plan's context
  int lead = 0;                ///< tokens of each window but the first that are context only
  std::int64_t windows = 0;    ///< this many, evenly spread over the text; 0: all
  double bytes_per_token = 0;  ///< of the text, for bits per byte; 0: not known
};

/// Mean loss over the counted tokens.
struct Evaluation {
  double loss = 0;             ///< nats per token, over the defined ones
  std::int64_t tokens = 0;     ///< counted
  std::int64_t undefined = 0;  ///< of them, those whose loss is not a finite number
  std::int64_t windows = 0;
  double bytes_per_token = 0;

  /// Whether there is a loss at all.
  bool defined() const { return tokens > undefined; }
  double perplexity() const { return std::exp(loss); }
  double bits_per_token() const { return loss / std::log(2.0); }
  /// Empty where the bytes of the text are not known.
  std::optional<double> bits_per_byte() const {
    if (bytes_per_token <= 0) return std::nullopt;
    return bits_per_token() / bytes_per_token;
  }
};

/// Evaluates models of one plan again and again in memory that is set aside once.
template <class T, Device D>
class Evaluator {
 public:
  Evaluator(D& dev, Plan const& plan, int sequences, int length)
      : length_(length),
        sequences_(sequences),
        workspace_(dev, plan, sequences, length, Purpose::inference),
        ids_(buffer<std::int32_t>(dev, tokens())),
        targets_(buffer<std::int32_t>(dev, tokens())),
        skips_(buffer<std::int32_t>(dev, sequences)),
        losses_(buffer<T>(dev, tokens())),
        sums_(buffer<double>(dev, 2 * std::int64_t(sequences))),
        host_ids_(std::size_t(tokens())),
        host_targets_(std::size_t(tokens())),
        host_skips_(std::size_t(sequences)),
        host_sums_(2 * std::size_t(sequences)) {}

  /// Mean loss over windows of `text`; `windows` of them evenly spread, 0 for all.
  /// Domain: windows.length() is the length given at construction.
  Evaluation operator()(D& dev, Model<T, D> const& model, std::span<std::int32_t const> text,
                        EvaluationWindows const& windows, std::int64_t wanted) {
    std::int64_t const all = windows.count();
    std::int64_t const count = wanted > 0 ? std::min(wanted, all) : all;
    // Sums are added in the order of windows whatever the batch, so no result depends on it.
    double sum = 0;
    Evaluation result{.windows = count};
    for (std::int64_t first = 0; first < count; first += sequences_) {
      auto const here = int(std::min<std::int64_t>(sequences_, count - first));
      for (int s = 0; s < sequences_; ++s) {
        // A batch is always full: what is missing repeats its last window and is not counted.
        std::int64_t const i = first + std::min(s, here - 1);
        set(s, text, windows[i * all / count]);
      }
      run(dev, model);
      for (int s = 0; s < here; ++s) {
        sum += host_sums_[2 * std::size_t(s)];
        result.undefined += std::int64_t(host_sums_[2 * std::size_t(s) + 1]);
        result.tokens += length_ - host_skips_[std::size_t(s)];
      }
    }
    if (result.defined()) result.loss = sum / double(result.tokens - result.undefined);
    return result;
  }

 private:
  std::int64_t tokens() const { return std::int64_t(sequences_) * length_; }

  void set(int s, std::span<std::int32_t const> text, EvaluationWindow window) {
    std::copy_n(text.begin() + window.start, length_,
                host_ids_.begin() + std::int64_t(s) * length_);
    std::copy_n(text.begin() + window.start + 1, length_,
                host_targets_.begin() + std::int64_t(s) * length_);
    host_skips_[std::size_t(s)] = window.skip;
  }

  void run(D& dev, Model<T, D> const& model) {
    using Space = typename D::Space;
    upload(dev, std::span<std::int32_t const>(host_ids_), ids_.view());
    upload(dev, std::span<std::int32_t const>(host_targets_), targets_.view());
    upload(dev, std::span<std::int32_t const>(host_skips_), skips_.view());
    TokenBatch<Space> const batch{
        .ids = ids_.view(), .targets = targets_.view(), .sequences = sequences_, .length = length_};
    token_losses(dev, model, batch, workspace_, losses_.view());
    rows(dev, sequences_,
         WindowLoss<T>{losses_.view().data, skips_.view().data, sums_.view().data, length_});
    download(dev, VectorView<double const, Space>(sums_.view()), std::span<double>(host_sums_));
  }

  int length_, sequences_;
  Workspace<T, D> workspace_;
  BufferOf<std::int32_t, D> ids_, targets_, skips_;
  BufferOf<T, D> losses_;
  BufferOf<double, D> sums_;
  std::vector<std::int32_t> host_ids_, host_targets_, host_skips_;
  std::vector<double> host_sums_;
};

/// Mean loss of a model over a text in fixed windows.
/// Error: std::invalid_argument for fewer than two tokens, ids outside the plan's vocabulary, or
/// options that do not fit.
/// @post the result does not depend on how many windows are evaluated at a time
template <class T, Device D>
Evaluation evaluate(D& dev, Model<T, D> const& model, std::span<std::int32_t const> text,
                    EvaluateOptions options = {}) {
  int const wanted = options.length == 0 ? model.plan.context : options.length;
  if (wanted < 1 || wanted > model.plan.context || options.sequences < 1 || options.windows < 0) {
    throw std::invalid_argument("evaluate: length must be 1 to the plan's context " +
                                std::to_string(model.plan.context) +
                                " and sequences positive, got " + std::to_string(options.length) +
                                " and " + std::to_string(options.sequences));
  }
  check_ids(text, model.plan.vocab, "evaluate");
  EvaluationWindows const windows(std::int64_t(text.size()), wanted, options.lead);
  std::int64_t const count =
      options.windows > 0 ? std::min(options.windows, windows.count()) : windows.count();
  int const sequences = int(std::min<std::int64_t>(options.sequences, count));
  Evaluator<T, D> evaluator(dev, model.plan, sequences, windows.length());
  Evaluation result = evaluator(dev, model, text, windows, options.windows);
  result.bytes_per_token = options.bytes_per_token;
  return result;
}

}  // namespace tailor
