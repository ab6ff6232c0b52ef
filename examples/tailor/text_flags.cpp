#include "text_flags.hpp"

#include <filesystem>
#include <stdexcept>

#include <tailor/arch/validate.hpp>  // tailor::PlanLimits

namespace tailor_program {

void TextFlags::add_to(CLI::App& command, bool required) {
  char const* const group = "Text";
  auto* const text = command.add_option(
      "--text", paths, "files or folders of text, or .npy / .bin files of token ids");
  text->group(group);
  if (required) text->required();
  command
      .add_option("--hold-out", hold_out,
                  "what is held out: position (the last tokens) or last-document (the last file, "
                  "one half for validation and one for test)")
      ->capture_default_str()
      ->group(group);
  command.add_option("--validation", validation, "fraction held out for validation, by position")
      ->capture_default_str()
      ->group(group);
  command.add_option("--test", test, "fraction held out for test, by position")
      ->capture_default_str()
      ->group(group);
  command.add_option("--vocab", vocab, "vocabulary; 0: 256 for bytes, the largest id + 1 for ids")
      ->capture_default_str()
      ->group(group);
}

tailor::Corpus TextFlags::load(int length, TextParts parts) const {
  if (vocab < 0 || vocab > tailor::PlanLimits::vocab) {
    throw std::invalid_argument("--vocab: must be 0 to 2^26, got " + std::to_string(vocab));
  }
  tailor::CorpusOptions options{
      .vocab = vocab, .validation = validation, .test = test, .length = length};
  if (hold_out == "last-document") {
    options.hold_out = tailor::HoldOut::last_document;
  } else if (hold_out != "position") {
    throw std::invalid_argument("--hold-out: \"" + hold_out +
                                "\" is neither position nor last-document");
  }
  if (parts == TextParts::all && options.hold_out == tailor::HoldOut::position &&
      (validation == 0 || test == 0)) {
    throw std::invalid_argument("--validation, --test: both parts are needed here, got " +
                                std::to_string(validation) + " and " + std::to_string(test));
  }
  std::vector<std::filesystem::path> const files(paths.begin(), paths.end());
  return tailor::load_corpus(files, options);
}

std::string TextFlags::source() const {
  std::string text;
  for (std::string const& path : paths) text += (text.empty() ? "" : " ") + path;
  return text;
}

nlohmann::json text_json(tailor::Corpus const& corpus, std::string const& source) {
  std::string const hash = corpus.hash_text();
  return {{"source", source},
          {"hash", hash},
          {"fingerprint", corpus.fingerprint()},
          {"documents", corpus.documents.size()},
          {"tokens", corpus.tokens()},
          {"bytes_per_token", corpus.bytes_per_token()},
          {"vocab", corpus.vocab},
          {"train_tokens", corpus.train.size()},
          {"validation_tokens", corpus.validation.size()},
          {"test_tokens", corpus.test.size()}};
}

}  // namespace tailor_program
