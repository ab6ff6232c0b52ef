// Trains a small language model whose architecture is a type.
//   example_04_train [FILE OR FOLDER]     without one: a text of sums, made here
// What to look for: the architecture is a type whose count the compiler checks; the loss falls from
// ln 256 = 5.55 nats per byte, and the held-out text agrees. It fails if nothing is learned.

#include <tailor/arch/budget.hpp>       // tailor::parameters
#include <tailor/arch/transformer.hpp>  // tailor::Transformer, tailor::Hourglass
#include <tailor/cpu.hpp>               // tailor::cpu::Device
#include <tailor/train/train.hpp>       // load_corpus, train, evaluate

#include <cstdio>
#include <exception>
#include <string>

using Small =
    tailor::Transformer<tailor::Hourglass<2, 64>,
                        tailor::Dims{
                            .d_model = 64, .layers = 2, .heads = 4, .vocab = 256, .context = 64}>;

static_assert(tailor::parameters<Small>() == 2 * (4 * 64 * 64 + 2 * 3 * 64 * 64));

/// "3+4=7;" for numbers up to 99.
std::string sums() {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    int const a = i * 7919 % 100, b = i * 104729 % 97;
    text += std::to_string(a) + "+" + std::to_string(b) + "=" + std::to_string(a + b) + ";";
  }
  return text;
}

int main(int argc, char** argv) try {
  tailor::Corpus const corpus = argc > 1
                                    ? tailor::load_corpus(argv[1], {.length = Small::dims.context})
                                    : tailor::corpus_of(sums());
  tailor::cpu::Device device;
  auto model = tailor::build<float, Small>(device, {.seed = 1});

  auto const history =
      tailor::train(device, model, corpus,
                    {.steps = 120, .log_every = 20, .progress = [](tailor::Progress const& p) {
                       std::printf("step %3d  loss %.3f  %.0f tokens/s  %.1f s left\n", int(p.step),
                                   p.loss, p.tokens_per_second, p.seconds_left);
                     }});
  auto const held_out = tailor::evaluate(device, model, corpus.validation,
                                         {.bytes_per_token = corpus.bytes_per_token()});
  std::printf("held out: %.3f nats per token, perplexity %.2f, %.3f bits per byte\n", held_out.loss,
              held_out.perplexity(), held_out.bits_per_byte().value_or(0));
  return history.records.back().loss < history.records.front().loss ? 0 : 1;
} catch (std::exception const& error) {
  std::fprintf(stderr, "04_train: %s\n", error.what());
  return 1;
}
