#pragma once
// Which files of the paths a user names are read, in which order, and which are not and why.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// How a file becomes tokens: one token per byte, or the integers it holds.
enum class TokenKind { bytes, ids };

struct SourceFile {
  std::filesystem::path path;
  TokenKind kind = TokenKind::bytes;
  std::int64_t size = 0;  ///< bytes
};

/// A file inside a named folder that is not read.
struct SkippedFile {
  std::filesystem::path path;
  std::string reason;
};

struct Sources {
  std::vector<SourceFile> files;
  std::vector<SkippedFile> skipped;
};

/// `.npy`, `.bin` and `.u16` hold token ids; everything else is text.
inline TokenKind kind_of(std::filesystem::path const& path) {
  auto const extension = path.extension();
  return extension == ".npy" || extension == ".bin" || extension == ".u16" ? TokenKind::ids
                                                                           : TokenKind::bytes;
}

namespace detail {

/// Whether the head of a file holds a zero byte, which no text does.
inline bool looks_binary(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::invalid_argument("text: cannot read " + path.string());
  std::vector<char> head(8192);
  in.read(head.data(), std::streamsize(head.size()));
  auto const end = head.begin() + in.gcount();
  return std::find(head.begin(), end, '\0') != end;
}

inline void add_folder(std::filesystem::path const& folder, Sources& sources) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (fs::recursive_directory_iterator it(folder), end; it != end; ++it) {
    bool const hidden = it->path().filename().string().starts_with('.');
    if (hidden && it->is_directory()) it.disable_recursion_pending();
    if (!hidden && !it->is_directory()) paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  for (auto const& path : paths) {
    char const* const reason = !fs::is_regular_file(path)        ? "not a regular file"
                               : kind_of(path) == TokenKind::ids ? "token ids: name the file itself"
                               : fs::file_size(path) == 0        ? "empty"
                               : looks_binary(path)              ? "binary: holds a zero byte"
                                                                 : nullptr;
    if (reason) {
      sources.skipped.push_back({path, reason});
    } else {
      sources.files.push_back({path, TokenKind::bytes, std::int64_t(fs::file_size(path))});
    }
  }
}

}  // namespace detail

/// The files that `paths` name, in that order; a folder stands for the text files under it, sorted
/// by path. Hidden files and folders (a leading dot) are passed over; files of a folder that are
/// empty, binary, token ids or no regular files are listed in `skipped`. A file named itself is
/// always read.
/// Error: std::invalid_argument for a path that is absent, unreadable, empty, named twice, or a
/// folder without text; and where text and token ids are mixed.
inline Sources find_sources(std::span<std::filesystem::path const> paths) {
  namespace fs = std::filesystem;
  if (paths.empty()) throw std::invalid_argument("text: no file or folder was named");
  Sources sources;
  try {
    for (fs::path const& path : paths) {
      std::size_t const before = sources.files.size();
      if (!fs::exists(path)) throw std::invalid_argument("text: there is no " + path.string());
      if (fs::is_directory(path)) {
        detail::add_folder(path, sources);
        if (sources.files.size() == before) {
          throw std::invalid_argument("text: the folder " + path.string() + " holds no text file");
        }
      } else if (!fs::is_regular_file(path)) {
        throw std::invalid_argument("text: " + path.string() + " is not a regular file");
      } else if (fs::file_size(path) == 0) {
        throw std::invalid_argument("text: " + path.string() + " is empty");
      } else {
        sources.files.push_back({path, kind_of(path), std::int64_t(fs::file_size(path))});
      }
    }
    std::set<fs::path> seen;
    for (auto const& file : sources.files) {
      if (!seen.insert(fs::canonical(file.path)).second) {
        throw std::invalid_argument("text: " + file.path.string() + " is named twice");
      }
      if (file.kind != sources.files.front().kind) {
        throw std::invalid_argument("text: " + sources.files.front().path.string() + " and " +
                                    file.path.string() + " mix text with token ids");
      }
    }
  } catch (fs::filesystem_error const& error) {
    throw std::invalid_argument("text: cannot read " + error.path1().string() + ": " +
                                error.code().message());
  }
  return sources;
}

}  // namespace tailor
