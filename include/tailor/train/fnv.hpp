#pragma once
// The two hashes of training: the published one that names a text, and a checksum of whole files.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace tailor {

/// FNV-1a with 64 bits, byte after byte.
/// @post   the empty text hashes to cbf29ce484222325 and "a" to af63dc4c8601ec8c
/// Source: Fowler, Noll, Vo; RFC 9923 lists the constants and these answers.
class Fnv1a64 {
 public:
  void add(std::span<std::byte const> bytes) {
    for (std::byte b : bytes) value_ = (value_ ^ std::uint64_t(b)) * 0x100000001b3ull;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

/// A checksum of 64-bit words, eight times as quick as a hash of bytes. The shift carries high bits
/// down: without it two flipped signs in different words would cancel.
/// Domain: pieces whose size is a multiple of 8; not a defence against a forger.
/// @post   it depends on the bytes alone, not on how they were cut into pieces
class WordChecksum {
 public:
  void add(std::span<std::byte const> bytes) {
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + i, 8);
      value_ = (value_ ^ word) * 0x9E3779B97F4A7C15ull;
      value_ ^= value_ >> 32;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  static_assert(std::endian::native == std::endian::little,
                "WordChecksum: a little-endian machine");
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

/// Sixteen lower-case hexadecimal digits.
inline std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) text[std::size_t(i)] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace tailor
