#include <tailor/tailor.hpp>

#include <string>

using Small =
    tailor::Transformer<tailor::Conventional<2>,
                        tailor::Dims{
                            .d_model = 16, .layers = 2, .heads = 2, .vocab = 256, .context = 16}>;

int main() {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "measure, cut, fit; ";
  auto const corpus = tailor::corpus_of(text, {.length = 16});
  tailor::cpu::Device device{{.threads = 2}};
  auto model = tailor::build<float, Small>(device, {.seed = 1});
  tailor::train(device, model, corpus, {.steps = 40});
  return tailor::evaluate(device, model, corpus.validation).loss < 5 ? 0 : 1;
}
