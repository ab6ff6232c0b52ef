#pragma once
// A text as token ids, cut into a part to train on and two that are held out.

#include <tailor/train/fnv.hpp>          // tailor::Fnv1a64, tailor::hexadecimal
#include <tailor/train/text_source.hpp>  // tailor::find_sources, tailor::TokenKind
#include <tailor/train/token_file.hpp>   // tailor::append_tokens, tailor::check_ids

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailor {

/// What is held out: the last tokens of the whole text, or the last documents (files) of it, whose
/// first half is then validation and whose second half is test.
enum class HoldOut { position, last_document };

struct CorpusOptions {
  int vocab = 0;  ///< 0: 256 for bytes, the largest id + 1 for token ids
  HoldOut hold_out = HoldOut::position;
  double validation = 0.1;  ///< fraction of the tokens, under HoldOut::position
  double test = 0.1;
  int documents_held_out = 1;  ///< under HoldOut::last_document
  int length = 1;  ///< every part must hold a window of this many tokens and the next one
};

struct Document {
  std::string name;  ///< the path, or "text" for one given in memory
  std::int64_t tokens = 0;
};

/// Token ids in three parts, in the order of the text: nothing after a held-out token is trained
/// on.
struct Corpus {
  TokenKind kind = TokenKind::bytes;
  int vocab = 256;  ///< every id is below
  std::vector<std::int32_t> train{}, validation{}, test{};
  std::vector<Document> documents{};
  std::vector<SkippedFile> skipped{};
  std::uint64_t hash = 0;  ///< FNV-1a 64 of the whole text; see append_tokens

  std::int64_t tokens() const {
    return std::int64_t(train.size() + validation.size() + test.size());
  }
  /// Bytes of text per token: 1 for bytes, 0 (not known) for token ids.
  double bytes_per_token() const { return kind == TokenKind::bytes ? 1 : 0; }
  /// The hash with the name of its function, for records.
  std::string hash_text() const { return "fnv1a64:" + hexadecimal(hash); }
  /// The hash and where the text is cut: two corpora with one fingerprint train on the same tokens
  /// and hold out the same.
  std::string fingerprint() const {
    return hash_text() + ", " + std::to_string(train.size()) + " train, " +
           std::to_string(validation.size()) + " validation, " + std::to_string(test.size()) +
           " test";
  }
};

namespace detail {

/// Tokens of the two held-out parts.
struct HeldOut {
  std::int64_t validation, test;
};

inline HeldOut held_out(std::vector<Document> const& documents, std::int64_t tokens,
                        CorpusOptions const& options) {
  if (options.hold_out == HoldOut::position) {
    if (!(options.validation >= 0) || !(options.test >= 0) ||
        !(options.validation + options.test < 1)) {
      throw std::invalid_argument(
          "corpus: the fractions held out must be at least 0 and below 1 "
          "together, got " +
          std::to_string(options.validation) + " and " + std::to_string(options.test));
    }
    return {std::int64_t(options.validation * double(tokens)),
            std::int64_t(options.test * double(tokens))};
  }
  auto const out = std::size_t(std::max(options.documents_held_out, 0));
  if (out < 1 || documents.size() < 3 || out >= documents.size()) {
    throw std::invalid_argument(
        "corpus: holding out the last " + std::to_string(options.documents_held_out) +
        " documents needs at least 3 and one to train on, got " + std::to_string(documents.size()));
  }
  std::int64_t held = 0;
  for (std::size_t i = documents.size() - out; i < documents.size(); ++i)
    held += documents[i].tokens;
  return {held - held / 2, held / 2};
}

/// Throws where a part that is meant to exist is too small for one window.
inline void check_parts(HeldOut held, std::int64_t tokens, CorpusOptions const& options) {
  std::int64_t const least = std::int64_t(options.length) + 1;
  bool const by_position = options.hold_out == HoldOut::position;
  bool const no_validation = by_position && options.validation == 0;
  bool const no_test = by_position && options.test == 0;
  std::int64_t const train = tokens - held.validation - held.test;
  if (train >= least && (no_validation || held.validation >= least) &&
      (no_test || held.test >= least)) {
    return;
  }
  std::string needed;
  if (by_position) {
    double share = 1 - options.validation - options.test;
    if (!no_validation) share = std::min(share, options.validation);
    if (!no_test) share = std::min(share, options.test);
    needed = "; about " + std::to_string(std::int64_t(std::ceil(double(least) / share)) + 1) +
             " tokens are needed in all";
  }
  throw std::invalid_argument("corpus: too little text: every part needs " + std::to_string(least) +
                              " tokens, and " + std::to_string(tokens) + " give " +
                              std::to_string(train) + " to train, " +
                              std::to_string(held.validation) + " for validation, " +
                              std::to_string(held.test) + " for test" + needed);
}

/// Cuts all tokens of `documents` into the three parts.
inline Corpus cut(std::vector<std::int32_t> ids, std::vector<Document> documents,
                  CorpusOptions const& options) {
  if (options.length < 1) {
    throw std::invalid_argument("corpus: a window of " + std::to_string(options.length) +
                                " tokens; at least 1 is needed");
  }
  auto const tokens = std::int64_t(ids.size());
  HeldOut const held = held_out(documents, tokens, options);
  check_parts(held, tokens, options);
  Corpus corpus;
  corpus.test.assign(ids.end() - held.test, ids.end());
  corpus.validation.assign(ids.end() - held.test - held.validation, ids.end() - held.test);
  ids.resize(std::size_t(tokens - held.test - held.validation));
  corpus.train = std::move(ids);
  corpus.documents = std::move(documents);
  return corpus;
}

}  // namespace detail

/// Reads files and folders (find_sources says which) as one text.
/// Cost:  4 bytes of memory per token, 20 % more while it is cut.
/// Error: std::invalid_argument, one message: a path that cannot be read, an id outside the
/// vocabulary (file and offset), too little text (how much is needed), options that do not fit.
/// @post train, validation and test together are the text in order
inline Corpus load_corpus(std::span<std::filesystem::path const> paths,
                          CorpusOptions options = {}) {
  Sources sources = find_sources(paths);
  TokenKind const kind = sources.files.front().kind;
  int const unbounded = std::numeric_limits<std::int32_t>::max();
  int const limit = options.vocab > 0 ? options.vocab : kind == TokenKind::bytes ? 256 : unbounded;
  std::vector<std::int32_t> ids;
  std::vector<Document> documents;
  Fnv1a64 hash;
  std::int64_t bytes = 0;
  for (auto const& file : sources.files) bytes += file.size;
  ids.reserve(std::size_t(kind == TokenKind::bytes ? bytes : bytes / 2));
  for (auto const& file : sources.files) {
    std::size_t const before = ids.size();
    append_tokens(file, limit, ids, hash);
    documents.push_back({file.path.string(), std::int64_t(ids.size() - before)});
  }
  int const vocab = limit < unbounded ? limit
                    : ids.empty()     ? 1
                                      : *std::max_element(ids.begin(), ids.end()) + 1;
  Corpus corpus = detail::cut(std::move(ids), std::move(documents), options);
  corpus.kind = kind;
  corpus.vocab = vocab;
  corpus.skipped = std::move(sources.skipped);
  corpus.hash = hash.value();
  return corpus;
}

/// One file or folder.
inline Corpus load_corpus(std::filesystem::path const& path, CorpusOptions options = {}) {
  return load_corpus(std::span(&path, 1), options);
}

/// Token ids in memory as a corpus of one document.
/// Error: as load_corpus.
inline Corpus corpus_of(std::vector<std::int32_t> ids, int vocab, CorpusOptions options = {}) {
  check_ids(ids, vocab, "token ids in memory");
  Fnv1a64 hash;
  for (std::int32_t id : ids) hash.add(std::as_bytes(std::span(&id, 1)));
  auto const tokens = std::int64_t(ids.size());
  Corpus corpus = detail::cut(std::move(ids), {{"text", tokens}}, options);
  corpus.kind = TokenKind::ids;
  corpus.vocab = vocab;
  corpus.hash = hash.value();
  return corpus;
}

/// A text in memory, one token per byte.
/// @post   a text in memory and the same text in a file give equal corpora but for the name
inline Corpus corpus_of(std::string_view text, CorpusOptions options = {}) {
  std::vector<std::int32_t> ids(text.size());
  std::transform(text.begin(), text.end(), ids.begin(),
                 [](char c) { return std::int32_t(static_cast<unsigned char>(c)); });
  int const vocab = options.vocab > 0 ? options.vocab : 256;
  check_ids(ids, vocab, "text in memory");
  Fnv1a64 hash;
  hash.add(std::as_bytes(std::span(text)));
  Corpus corpus = detail::cut(std::move(ids), {{"text", std::int64_t(text.size())}}, options);
  corpus.vocab = vocab;
  corpus.hash = hash.value();
  return corpus;
}

}  // namespace tailor
