#pragma once
// One file as token ids, every id checked against the vocabulary.

#include <tailor/io/npy.hpp>             // tailor::read_npy, tailor::NpyError
#include <tailor/train/fnv.hpp>          // tailor::Fnv1a64
#include <tailor/train/text_source.hpp>  // tailor::SourceFile, tailor::TokenKind

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

namespace detail {

/// Calls f(bytes) on consecutive pieces of a file whose size was seen before.
template <class F>
void for_each_piece(SourceFile const& file, F const& f) {
  std::ifstream in(file.path, std::ios::binary);
  if (!in) throw std::invalid_argument("text: cannot read " + file.path.string());
  std::vector<std::byte> piece(1 << 20);
  for (std::int64_t left = file.size; left > 0;) {
    auto const wanted = std::min<std::int64_t>(left, std::int64_t(piece.size()));
    in.read(reinterpret_cast<char*>(piece.data()), std::streamsize(wanted));
    if (in.gcount() != std::streamsize(wanted)) {
      throw std::invalid_argument("text: " + file.path.string() + " ended " + std::to_string(left) +
                                  " bytes early while it was read");
    }
    f(std::span<std::byte const>(piece.data(), std::size_t(wanted)));
    left -= wanted;
  }
}

inline void append_bytes(SourceFile const& file, std::vector<std::int32_t>& ids) {
  for_each_piece(file, [&](std::span<std::byte const> bytes) {
    for (std::byte b : bytes) ids.push_back(std::int32_t(b));
  });
}

/// Unsigned 16-bit integers, low byte first, nothing around them.
inline void append_flat(SourceFile const& file, std::vector<std::int32_t>& ids) {
  if (file.size % 2 != 0) {
    throw std::invalid_argument("text: " + file.path.string() + " has " +
                                std::to_string(file.size) +
                                " bytes, an odd number, and is read as 16-bit token ids");
  }
  for_each_piece(file, [&](std::span<std::byte const> bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      ids.push_back(std::int32_t(bytes[i]) | std::int32_t(bytes[i + 1]) << 8);
    }
  });
}

inline void append_npy(SourceFile const& file, std::vector<std::int32_t>& ids) {
  NpyArray<std::int32_t> array;
  try {
    array = read_npy<std::int32_t>(file.path);
  } catch (std::runtime_error const& error) {
    throw std::invalid_argument(std::string("text: ") + error.what());
  }
  if (array.shape.size() != 1) {
    throw std::invalid_argument("text: " + file.path.string() + " has " +
                                std::to_string(array.shape.size()) +
                                " dimensions; token ids come in one");
  }
  ids.insert(ids.end(), array.values.begin(), array.values.end());
}

}  // namespace detail

/// Throws std::invalid_argument for the first id outside 0 .. vocab - 1, with its place.
inline void check_ids(std::span<std::int32_t const> ids, int vocab, std::string const& where) {
  auto const bad =
      std::find_if(ids.begin(), ids.end(), [=](std::int32_t id) { return id < 0 || id >= vocab; });
  if (bad != ids.end()) {
    throw std::invalid_argument("text: " + where + ": the token at offset " +
                                std::to_string(bad - ids.begin()) + " is " + std::to_string(*bad) +
                                ", outside a vocabulary of " + std::to_string(vocab));
  }
}

/// Adds the tokens of a file to `ids` and to the hash: of text its bytes, of token ids their values
/// as 32-bit integers, low byte first, so that one text in two formats has one hash.
/// Error: std::invalid_argument for a file that cannot be read, that is not in its format, or with
/// an id outside the vocabulary (file and offset in tokens are named).
inline void append_tokens(SourceFile const& file, int vocab, std::vector<std::int32_t>& ids,
                          Fnv1a64& hash) {
  std::size_t const before = ids.size();
  if (file.kind == TokenKind::bytes) {
    ids.reserve(before + std::size_t(file.size));
    detail::append_bytes(file, ids);
  } else if (file.path.extension() == ".npy") {
    detail::append_npy(file, ids);
  } else {
    ids.reserve(before + std::size_t(file.size) / 2);
    detail::append_flat(file, ids);
  }
  std::span<std::int32_t const> const added(ids.data() + before, ids.size() - before);
  check_ids(added, vocab, file.path.string());
  for (std::int32_t id : added) {
    std::byte const bytes[] = {std::byte(id), std::byte(id >> 8), std::byte(id >> 16),
                               std::byte(id >> 24)};
    hash.add(std::span(bytes, file.kind == TokenKind::bytes ? 1u : 4u));
  }
}

}  // namespace tailor
