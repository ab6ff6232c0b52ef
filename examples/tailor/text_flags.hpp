#pragma once
// Flags that name a text and how it is split.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <tailor/train/corpus.hpp>  // tailor::Corpus

namespace tailor_program {

struct TextFlags {
  std::vector<std::string> paths;
  std::string hold_out = "position";
  double validation = 0.1, test = 0.1;
  int vocab = 0;

  void add_to(CLI::App& command, bool required = true);

  /// The text, cut so that every part holds a window of `length` tokens.
  tailor::Corpus load(int length) const;

  /// The paths as one line.
  std::string source() const;
};

/// What results.json says of a text.
nlohmann::json text_json(tailor::Corpus const& corpus, std::string const& source);

}  // namespace tailor_program
