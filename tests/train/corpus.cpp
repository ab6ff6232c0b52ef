#include <tailor/train/corpus.hpp>

#include <tailor/io/npy.hpp>

#include <support/catch.hpp>
#include <support/temporary_folder.hpp>
#include <support/thrown_message.hpp>

#include <fstream>
#include <numeric>

using namespace tailor;
namespace fs = std::filesystem;

namespace {

std::vector<std::int32_t> joined(Corpus const& corpus) {
  auto ids = corpus.train;
  ids.insert(ids.end(), corpus.validation.begin(), corpus.validation.end());
  ids.insert(ids.end(), corpus.test.begin(), corpus.test.end());
  return ids;
}

std::string message(std::vector<fs::path> const& paths, CorpusOptions options = {}) {
  return thrown_message<std::invalid_argument>([&] { load_corpus(paths, options); });
}

void write(fs::path const& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string letters(int size) {
  std::string text;
  for (int i = 0; i < size; ++i) text += char('a' + i % 26);
  return text;
}

/// Ids 0 .. size - 1 as a flat file.
std::string flat(int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += {char(i & 255), char(i >> 8)};
  return bytes;
}

}  // namespace

TEST_CASE("train, validation and test together are the text in order", "[train]") {
  TemporaryFolder folder;
  std::string const text = letters(1000) + "\xff\x01";
  write(folder / "text.txt", text);
  auto const corpus = load_corpus(folder / "text.txt");
  CHECK(corpus.train.size() == 802);
  CHECK(corpus.validation.size() == 100);
  CHECK(corpus.test.size() == 100);
  auto const ids = joined(corpus);
  REQUIRE(ids.size() == text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    CHECK(ids[i] == static_cast<unsigned char>(text[i]));
  }
  CHECK(corpus.vocab == 256);
  CHECK(corpus.bytes_per_token() == 1);
}

TEST_CASE("a text in memory and the same text in a file give equal corpora but for the name",
          "[train]") {
  TemporaryFolder folder;
  write(folder / "text.txt", letters(500));
  auto const file = load_corpus(folder / "text.txt");
  auto const memory = corpus_of(letters(500));
  CHECK(joined(file) == joined(memory));
  CHECK(file.hash == memory.hash);
  CHECK(file.hash_text().starts_with("fnv1a64:"));
  CHECK(file.hash != corpus_of(letters(501)).hash);
}

TEST_CASE("a folder is read in the order of its paths, and what is left out is named", "[train]") {
  TemporaryFolder folder;
  write(folder / "b.txt", letters(50));
  write(folder / "a/z.txt", "Z" + letters(50));
  write(folder / "c.md", letters(49) + "C");
  write(folder / ".hidden", "no");
  write(folder / ".git/config", "no");
  write(folder / "empty.txt", "");
  write(folder / "picture.png", std::string("\x89PNG\0\0", 6));
  write(folder / "ids.bin", flat(10));
  auto const corpus = load_corpus(fs::path(folder));
  REQUIRE(corpus.documents.size() == 3);
  CHECK(fs::path(corpus.documents[0].name).filename() == "z.txt");
  CHECK(fs::path(corpus.documents[1].name).filename() == "b.txt");
  auto const ids = joined(corpus);
  CHECK(ids.front() == 'Z');
  CHECK(ids.back() == 'C');
  REQUIRE(corpus.skipped.size() == 3);
  CHECK(corpus.skipped[0].reason == "empty");
  CHECK(corpus.skipped[1].reason == "token ids: name the file itself");
  CHECK(corpus.skipped[2].reason == "binary: holds a zero byte");
}

TEST_CASE("the last document can be held out: its first half validates, its second half tests",
          "[train]") {
  TemporaryFolder folder;
  for (auto name : {"1", "2", "3"}) write(folder / name, std::string(101, name[0]));
  CorpusOptions const options{.hold_out = HoldOut::last_document};
  auto const corpus = load_corpus(fs::path(folder), options);
  CHECK(corpus.train.size() == 202);
  CHECK(corpus.validation == std::vector<std::int32_t>(51, '3'));
  CHECK(corpus.test == std::vector<std::int32_t>(50, '3'));
  CHECK(std::count(corpus.train.begin(), corpus.train.end(), '3') == 0);
  fs::remove(folder / "1");
  CHECK(contains(message({fs::path(folder)}, options), "needs at least 3"));
}

TEST_CASE("token ids come from flat files and npy files, with one hash for one text", "[train]") {
  TemporaryFolder folder;
  write(folder / "ids.bin", flat(700));
  std::vector<std::int64_t> wide(700);
  std::iota(wide.begin(), wide.end(), 0);
  write_npy<std::int64_t>(folder / "ids.npy", {700}, wide);
  auto const from_flat = load_corpus(folder / "ids.bin");
  auto const from_npy = load_corpus(folder / "ids.npy");
  CHECK(from_flat.vocab == 700);
  CHECK(joined(from_flat) == joined(from_npy));
  CHECK(from_flat.hash == from_npy.hash);
  CHECK(from_flat.hash == corpus_of(joined(from_flat), 700).hash);
  CHECK(from_flat.bytes_per_token() == 0);
  CHECK(load_corpus(folder / "ids.bin", {.vocab = 1000}).vocab == 1000);
}

TEST_CASE("an id outside the vocabulary is named with file and offset", "[train]") {
  TemporaryFolder folder;
  write(folder / "ids.u16", flat(700));
  CHECK(message({folder / "ids.u16"}, {.vocab = 600}) ==
        "text: " + (folder / "ids.u16").string() +
            ": the token at offset 600 is 600, outside a vocabulary of 600");
  write(folder / "text.txt", letters(30) + "\xc3\xa9");
  CHECK(contains(message({folder / "text.txt"}, {.vocab = 128}), "offset 30 is 195"));
  std::vector<std::int32_t> negative(100, 1);
  negative[40] = -1;
  write_npy<std::int32_t>(folder / "ids.npy", {100}, negative);
  CHECK(contains(message({folder / "ids.npy"}), "offset 40 is -1"));
  CHECK(contains(thrown_message<std::invalid_argument>([&] { corpus_of(negative, 10); }),
                 "offset 40 is -1"));
}

TEST_CASE("a source that cannot be a text is one message", "[train]") {
  TemporaryFolder folder;
  CHECK(contains(message({}), "no file or folder"));
  CHECK(contains(message({folder / "absent"}), "there is no "));
  write(folder / "empty.txt", "");
  CHECK(contains(message({folder / "empty.txt"}), "is empty"));
  CHECK(contains(message({fs::path(folder)}), "holds no text file"));
  write(folder / "odd.bin", "abc");
  CHECK(contains(message({folder / "odd.bin"}), "odd number"));
  write(folder / "text.txt", letters(100));
  CHECK(contains(message({folder / "text.txt", folder / "." / "text.txt"}), "named twice"));
  write(folder / "even.bin", flat(100));
  CHECK(contains(message({folder / "text.txt", folder / "even.bin"}), "mix text with token ids"));
  write(folder / "bad.npy", "not one");
  CHECK(contains(message({folder / "bad.npy"}), "bad.npy: npy magic"));
  std::vector<float> const values(10);
  write_npy<float>(folder / "float.npy", {10}, values);
  CHECK(contains(message({folder / "float.npy"}), "integer"));
  std::vector<std::int32_t> const ids(10);
  write_npy<std::int32_t>(folder / "square.npy", {2, 5}, ids);
  CHECK(contains(message({folder / "square.npy"}), "has 2 dimensions"));
  CHECK(contains(message({"/dev/null"}), "not a regular file"));
}

TEST_CASE("too little text says how much is needed, and that much is enough", "[train]") {
  auto const text = [](CorpusOptions options, int size) {
    return corpus_of(letters(size), options);
  };
  CorpusOptions const options{.length = 64};
  CHECK(thrown_message<std::invalid_argument>([&] { text(options, 600); }) ==
        "corpus: too little text: every part needs 65 tokens, and 600 give 480 to train, 60 for "
        "validation, 60 for test; about 651 tokens are needed in all");
  CHECK(text(options, 651).validation.size() == 65);
  CHECK(text({.validation = 0, .test = 0, .length = 64}, 65).train.size() == 65);
  CHECK_THROWS_AS(text({.validation = 0.6, .test = 0.4}, 1000), std::invalid_argument);
  CHECK_THROWS_AS(text({.validation = -0.1}, 1000), std::invalid_argument);
  CHECK_THROWS_AS(text({.length = 0}, 1000), std::invalid_argument);
}
