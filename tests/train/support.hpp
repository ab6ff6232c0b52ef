#pragma once
// A small model and texts for the tests of training.

#include <tailor/arch/transformer.hpp>
#include <tailor/cpu.hpp>
#include <tailor/train/corpus.hpp>

#include <cstdint>
#include <string>

namespace tailor {

using TinyModel =
    Transformer<Conventional<2>,
                Dims{.d_model = 16, .layers = 2, .heads = 2, .vocab = 256, .context = 16}>;

/// A text of `size` letters in which some letters follow others more often than chance.
inline std::string tiny_text(int size) {
  std::string text;
  std::uint64_t state = 1;
  for (int i = 0; i < size; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    bool const follows = !text.empty() && (state >> 33) % 4 != 0;
    text += follows ? char('a' + (text.back() - 'a' + 1) % 26) : char('a' + (state >> 40) % 26);
  }
  return text;
}

inline Corpus tiny_corpus(int size = 4000) {
  return corpus_of(tiny_text(size));
}

}  // namespace tailor
