#pragma once
// An open .npy file.

#include <tailor/io/atomic_file.hpp>  // tailor::file_error
#include <tailor/io/npy_header.hpp>   // tailor::NpyHeader, tailor::NpyDictionary

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <span>
#include <string>
#include <system_error>

namespace tailor {

/// An open .npy file whose header has been read and agrees with the size of the file.
/// Error: std::runtime_error where the file cannot be read, NpyError for a fault in it.
class NpyFile {
 public:
  explicit NpyFile(std::filesystem::path const& path)
      : name_(path.string()), stream_(path, std::ios::binary) {
    if (!stream_) file_error("cannot open", path, errno);
    std::error_code error;
    file_bytes_ = std::int64_t(std::filesystem::file_size(path, error));
    if (error) file_error("cannot read", path, error.value());
    read_header();
  }

  NpyHeader const& header() const { return header_; }
  std::string const& name() const { return name_; }

  /// The next `bytes.size()` bytes of the data.
  void read(std::span<std::byte> bytes) { read(bytes, "data"); }

 private:
  static constexpr std::int64_t most_header_bytes = 1 << 20;

  void read_header() {
    std::array<unsigned char, 8> start{};
    read(std::as_writable_bytes(std::span(start)), "magic");
    if (std::memcmp(start.data(), "\x93NUMPY", 6) != 0) {
      bool const pointer = std::memcmp(start.data(), "version ", 8) == 0;
      throw NpyError(name_, "magic", "\\x93NUMPY",
                     pointer ? "text (a git-lfs pointer?)" : "other bytes (not a .npy file)");
    }
    int const version = start[6];
    if (version < 1 || version > 3 || start[7] != 0) {
      throw NpyError(name_, "version", "1.0, 2.0 or 3.0",
                     std::to_string(version) + "." + std::to_string(start[7]));
    }
    std::array<unsigned char, 4> length{};
    std::size_t const length_bytes = version == 1 ? 2 : 4;
    read(std::as_writable_bytes(std::span(length)).first(length_bytes), "header length");
    std::int64_t const size = std::int64_t(length[0]) | std::int64_t(length[1]) << 8 |
                              std::int64_t(length[2]) << 16 | std::int64_t(length[3]) << 24;
    std::int64_t const left = file_bytes_ - std::int64_t(8 + length_bytes);
    if (size > std::min(left, most_header_bytes)) {
      throw NpyError(name_, "header length",
                     "at most " + std::to_string(std::min(left, most_header_bytes)),
                     std::to_string(size));
    }
    std::string text(std::size_t(size), '\0');
    read(std::as_writable_bytes(std::span(text.data(), text.size())), "header");
    header_ = NpyDictionary(name_, text).parse();
    header_.data_offset = std::int64_t(8 + length_bytes) + size;
    std::int64_t const expected = header_.items * header_.item_bytes;
    if (file_bytes_ - header_.data_offset != expected) {
      throw NpyError(name_, "data", std::to_string(expected) + " bytes",
                     std::to_string(file_bytes_ - header_.data_offset));
    }
  }

  void read(std::span<std::byte> bytes, char const* field) {
    stream_.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
    if (stream_.gcount() != std::streamsize(bytes.size())) {
      throw NpyError(name_, field, std::to_string(bytes.size()) + " bytes",
                     std::to_string(stream_.gcount()) + " (the file ends)");
    }
  }

  std::string name_;
  std::ifstream stream_;
  std::int64_t file_bytes_ = 0;
  NpyHeader header_;
};

/// The header of a .npy file, checked against the size of the file.
inline NpyHeader read_npy_header(std::filesystem::path const& path) {
  return NpyFile(path).header();
}

}  // namespace tailor
