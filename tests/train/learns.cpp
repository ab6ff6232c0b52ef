// Whether training truly learns: a source whose entropy rate is known exactly.

#include <tailor/train/train.hpp>

#include <tailor/arch/philox.hpp>

#include <support/catch.hpp>

#include <tailor/cpu.hpp>

#include <cmath>

using namespace tailor;

namespace {

/// With probability `copy` the symbol `lag` places back, otherwise a uniform one: nothing nearer
/// than `lag` tells anything about the next symbol.
struct LaggedSource {
  int vocab = 8;
  int lag = 8;
  double copy = 0.75;

  std::vector<std::int32_t> draw(int size, std::uint64_t seed) const {
    std::vector<std::int32_t> ids;
    for (int i = 0; i < size; ++i) {
      auto const words = philox({std::uint32_t(i), 0, 0, 0}, philox_key(seed));
      bool const copies = i >= lag && words[0] < copy * 4294967296.0;
      ids.push_back(copies ? ids[std::size_t(i - lag)]
                           : std::int32_t(words[1] % std::uint32_t(vocab)));
    }
    return ids;
  }

  /// Nats per symbol: the symbol of the lag has probability copy + rest, each other one rest.
  double entropy_rate() const {
    double const rest = (1 - copy) / vocab;
    return -(copy + rest) * std::log(copy + rest) - (vocab - 1) * rest * std::log(rest);
  }
};

/// Validation loss of a model with so many heads, counted where the lag is in sight.
double learned_loss(LaggedSource const& source, int heads) {
  Plan plan{.d_model = 32, .vocab = source.vocab, .context = 64};
  plan.layers.push_back({.heads = heads,
                         .kv_heads = heads,
                         .head_dim = heads > 0 ? plan.d_model / heads : 0,
                         .widths = {64}});
  cpu::Device dev{{.threads = 1}};
  auto model = build<float>(dev, plan);
  auto const corpus = corpus_of(source.draw(450000, 1), source.vocab, {.test = 0});
  train(dev, model, corpus, {.steps = 400, .learning_rate = 1e-2, .evaluate_windows = 1});
  auto const result =
      evaluate(dev, model, corpus.validation, {.sequences = 16, .lead = source.lag});
  CHECK(result.undefined == 0);
  return result.loss;
}

}  // namespace

TEST_CASE("the validation loss comes within 2 % of the entropy rate of a source that looks 8 back",
          "[train]") {
  LaggedSource const source;
  CHECK(source.entropy_rate() == Approx(0.9510).epsilon(1e-4));
  CHECK(learned_loss(source, 2) == Approx(source.entropy_rate()).epsilon(0.02));
}

TEST_CASE("a model without attention stays more than 20 % above that rate", "[train]") {
  LaggedSource const source;
  CHECK(learned_loss(source, 0) > 1.2 * source.entropy_rate());
}
