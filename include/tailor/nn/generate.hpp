#pragma once
// Continues a text token by token.

#include <tailor/arch/philox.hpp>         // tailor::philox
#include <tailor/device/device.hpp>       // tailor::Device
#include <tailor/nn/key_value_cache.hpp>  // tailor::KeyValueCache, tailor::read_tokens
#include <tailor/nn/random_key.hpp>       // tailor::random_key
#include <tailor/nn/sampling.hpp>         // tailor::sample_token

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// How a text is continued.
struct GenerateOptions {
  int tokens = 64;  ///< how many to add
  double temperature = 1;
  int top_k = 0;
  std::uint64_t seed = 1;
};

namespace detail {

/// Most tokens of a prompt that are read in one pass.
inline constexpr int prompt_block = 128;

inline void check_prompt(std::span<std::int32_t const> prompt, int vocab,
                         GenerateOptions const& options) {
  if (options.tokens < 0) {
    throw std::invalid_argument("generate: tokens must not be negative");
  }
  if (prompt.empty()) throw std::invalid_argument("generate: the prompt must have a token");
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    if (prompt[i] < 0 || prompt[i] >= vocab) {
      throw std::invalid_argument("generate: token " + std::to_string(i) + " of the prompt is " +
                                  std::to_string(prompt[i]) + ", outside the vocabulary of " +
                                  std::to_string(vocab));
    }
  }
}

}  // namespace detail

/// `options.tokens` tokens that follow the prompt. A text longer than the model's context is read
/// from its last context / 2 tokens anew each time the context is full, positions from 0.
/// Cost: one forward pass over the prompt and one row per token.
/// Throws std::invalid_argument for an empty prompt, ids outside the vocabulary and options that
/// make no sense, std::domain_error where the logits are not finite.
/// @post equals the full forward pass at temperature 0, within the context
/// @post the same seed gives the same tokens
template <class T, Device D>
std::vector<std::int32_t> generate(D& dev, Model<T, D> const& model,
                                   std::span<std::int32_t const> prompt,
                                   GenerateOptions options = {}) {
  Plan const& plan = model.plan;
  detail::check_prompt(prompt, plan.vocab, options);
  int const block = std::min(plan.context, detail::prompt_block);
  Workspace<T, D> workspace(dev, plan, 1, block, Purpose::inference, plan.context);
  KeyValueCache<T, D> cache(dev, plan, plan.context);
  auto device_ids = buffer<std::int32_t>(dev, block);
  auto device_logits = buffer<T>(dev, plan.vocab);
  auto const out = matrix<typename D::Space>(device_logits.view().data, 1, plan.vocab);

  std::vector<std::int32_t> text(prompt.begin(), prompt.end());
  std::vector<T> logits(static_cast<std::size_t>(plan.vocab));
  std::size_t unread = text.size();
  PhiloxKey const key = random_key(options.seed, RandomPurpose::sampling);
  for (int i = 0; i < options.tokens; ++i) {
    if (cache.length() + unread > static_cast<std::size_t>(plan.context)) {
      cache.clear();
      unread = std::min(text.size(), std::max<std::size_t>(1, std::size_t(plan.context) / 2));
    }
    while (unread > 0) {
      auto const count = std::min(unread, static_cast<std::size_t>(block));
      std::span<std::int32_t const> const next(text.data() + text.size() - unread, count);
      VectorView<std::int32_t, typename D::Space> const ids{device_ids.view().data,
                                                            std::int64_t(count)};
      upload(dev, next, ids);
      read_tokens<T, D>(dev, model, ids, workspace, cache, out);
      unread -= count;
    }
    download(dev, VectorView<T const, typename D::Space>(device_logits.view()),
             std::span<T>(logits));
    auto const words = philox({static_cast<std::uint32_t>(i), 0, 0, 0}, key);
    double const uniform = (std::uint64_t{words[0]} << 21 | words[1] >> 11) * 0x1p-53;
    text.push_back(sample_token(std::span<T const>(logits),
                                {.temperature = options.temperature, .top_k = options.top_k},
                                uniform));
    unread = 1;
  }
  text.erase(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(prompt.size()));
  return text;
}

}  // namespace tailor
