#pragma once
// Flags that name a text and how it is split.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <tailor/train/corpus.hpp>  // tailor::Corpus

namespace tailor_program {

/// Whether validation and test text must exist.
enum class TextParts { any, all };

struct TextFlags {
  std::vector<std::string> paths;
  std::string hold_out = "position";
  double validation = 0.1, test = 0.1;
  int vocab = 0;

  void add_to(CLI::App& command, bool required = true);

  /// The text, cut so that every part holds a window of `length` tokens.
  /// Throws std::invalid_argument that names the flag or file.
  tailor::Corpus load(int length, TextParts parts = TextParts::any) const;

  /// The paths as one line.
  std::string source() const;
};

/// What results.json says of a text.
nlohmann::json text_json(tailor::Corpus const& corpus, std::string const& source);

}  // namespace tailor_program
