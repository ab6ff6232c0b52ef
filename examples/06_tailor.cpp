// The whole loop in library calls: train a uniform reference, observe its clouds, measure the work
// of every layer, cut widths to it at the same budget, train the tailored model from scratch beside
// the uniform one, and compare them seed by seed.
//
// Look for: the widths differ between layers while the parameter count does not, and the last line
// does not claim more than three seeds can show.

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <tailor/tailor.hpp>

namespace {

/// Sums such as "17+25=42", in an order without a pattern.
std::string sums() {
  std::string text;
  for (std::uint32_t i = 0, x = 1; i < 6000; ++i) {
    x = x * 1664525u + 1013904223u;
    unsigned const a = x >> 20 & 63, b = x >> 26;
    text += std::to_string(a) + "+" + std::to_string(b) + "=" + std::to_string(a + b) + "\n";
  }
  return text;
}

using Reference =
    tailor::Transformer<tailor::Conventional<2>,
                        tailor::Dims{
                            .d_model = 16, .layers = 4, .heads = 2, .vocab = 256, .context = 32}>;

}  // namespace

int main() {
  tailor::cpu::Device device;
  tailor::Plan const uniform = tailor::plan_of<Reference>();
  tailor::Corpus const corpus = tailor::corpus_of(sums(), {.length = uniform.context});
  tailor::TrainOptions options{.steps = 150, .sequences = 16, .evaluate_windows = 64};

  // The reference's seed, 0, is not among the seeds that are compared.
  auto reference = tailor::build<float>(device, uniform, {.seed = 0});
  tailor::train(device, reference, corpus, options);
  auto const clouds = tailor::observe(device, reference, corpus.train, {.tokens = 512});
  auto const profile = tailor::measure(device, clouds, {.samples = 4, .tokens = 96});
  auto const cut =
      tailor::allocate(profile, uniform, {.statistic = "topological/hyperbolic", .grain = 4});
  tailor::Plan const tailored = tailor::with_widths(uniform, cut.widths);

  std::cout << "widths:";
  for (int width : cut.widths) std::cout << ' ' << width;
  std::cout << "  (uniform: 32 each)\nparameters: " << tailor::parameters(tailored) << " and "
            << tailor::parameters(uniform) << '\n';
  if (tailor::parameters(tailored) != tailor::parameters<Reference>()) return 1;

  std::vector<tailor::SeedValue> uniform_losses, tailored_losses;
  for (std::uint64_t seed : {1u, 2u, 3u}) {
    options.seed = seed;
    for (auto* losses : {&uniform_losses, &tailored_losses}) {
      bool const is_uniform = losses == &uniform_losses;
      auto model = tailor::build<float>(device, is_uniform ? uniform : tailored, {.seed = seed});
      tailor::train(device, model, corpus, options);
      losses->push_back({seed, tailor::evaluate(device, model, corpus.test).loss});
    }
    std::cout << "seed " << seed << ": uniform " << uniform_losses.back().value << ", tailored "
              << tailored_losses.back().value << " nats per token\n";
  }
  std::vector<tailor::RuleLosses> const rules{{"topological/hyperbolic", tailored_losses}};
  auto const verdict = tailor::compare(rules, uniform_losses).front();
  std::cout << "mean difference " << verdict.spread.mean << ": " << verdict.verdict << '\n';
}
