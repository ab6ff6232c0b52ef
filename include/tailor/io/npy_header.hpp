#pragma once
// The header of a .npy file, versions 1 to 3: element type, order and shape.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tailor {

enum class NpyKind { floating, signed_integer, unsigned_integer };

struct NpyHeader {
  NpyKind kind = NpyKind::floating;
  int item_bytes = 0;
  bool big_endian = false;
  bool fortran_order = false;  ///< the first index runs fastest in the file
  std::vector<std::int64_t> shape = {};
  std::int64_t items = 0;        ///< the product of the shape
  std::int64_t data_offset = 0;  ///< of the first element in the file

  std::string descr() const {
    char const letter = kind == NpyKind::floating         ? 'f'
                        : kind == NpyKind::signed_integer ? 'i'
                                                          : 'u';
    return std::string(1, item_bytes == 1 ? '|'
                          : big_endian    ? '>'
                                          : '<') +
           letter + std::to_string(item_bytes);
  }
};

/// A fault of a .npy file, always "FILE: npy FIELD: expected ..., got ...", in one line.
struct NpyError : std::runtime_error {
  NpyError(std::string const& file, std::string const& field, std::string const& expected,
           std::string const& got)
      : std::runtime_error(file + ": npy " + field + ": expected " + expected + ", got " +
                           one_line(got)) {}

 private:
  /// What stands in the file may hold line breaks; the message does not.
  static std::string one_line(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return text;
  }
};

/// Reads the dictionary of a header: Python's literal with exactly the keys descr, fortran_order
/// and shape, in any order. Nothing else of Python is understood.
/// Error:  NpyError, which names the field.
class NpyDictionary {
 public:
  NpyDictionary(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  /// Domain: the header without magic, version and length. data_offset is left to the caller.
  NpyHeader parse() {
    NpyHeader header;
    bool descr = false;
    bool order = false;
    bool shape = false;
    expect('{', "header");
    while (peek() != '}') {
      std::string_view const key = string("header");
      expect(':', "header");
      bool& seen = key == "descr" ? descr : key == "fortran_order" ? order : shape;
      if (seen || (key != "descr" && key != "fortran_order" && key != "shape")) {
        fail("header", "the keys descr, fortran_order and shape, once each", quoted(key));
      }
      seen = true;
      if (key == "descr") read_type(header);
      if (key == "fortran_order") header.fortran_order = boolean();
      if (key == "shape") read_shape(header);
      if (peek() == ',') expect(',', "header");
    }
    expect('}', "header");
    if (peek() != '\0') fail("header", "nothing after the dictionary", rest());
    if (!descr || !order || !shape) {
      fail("header", "the keys descr, fortran_order and shape",
           std::string("no ") + (!descr   ? "descr"
                                 : !order ? "fortran_order"
                                          : "shape"));
    }
    count(header);
    return header;
  }

 private:
  static constexpr std::size_t most_dimensions = 32;

  [[noreturn]] void fail(std::string const& field, std::string const& expected,
                         std::string const& got) const {
    throw NpyError(file_, field, expected, got);
  }

  static std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

  std::string rest() const {
    return at_ < text_.size() ? quoted(text_.substr(at_, 20)) : "the end of the header";
  }

  /// The next character that is not a space, '\0' at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void expect(char c, std::string const& field) {
    if (peek() != c || at_ == text_.size()) fail(field, std::string("'") + c + "'", rest());
    ++at_;
  }

  std::string_view string(std::string const& field) {
    char const quote = peek();
    if (quote != '\'' && quote != '"') fail(field, "a string", rest());
    std::size_t const end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(field, "the end of a string", rest());
    std::string_view const result = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return result;
  }

  bool boolean() {
    for (bool const value : {true, false}) {
      std::string_view const word = value ? "True" : "False";
      if (peek() == word[0] && text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return value;
      }
    }
    fail("fortran_order", "True or False", rest());
  }

  void read_type(NpyHeader& header) {
    if (char const c = peek(); c != '\'' && c != '"') {
      fail("descr", "one numeric type (no structure)", rest());
    }
    std::string_view const type = string("descr");
    auto const wrong = [&] {
      fail("descr", "f2, f4, f8 or an integer of 1, 2, 4 or 8 bytes", quoted(type));
    };
    if (type.size() != 3) wrong();
    int const bytes = type[2] - '0';
    bool const size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    bool const letter = type[1] == 'i' || type[1] == 'u' || (type[1] == 'f' && bytes > 1);
    bool const order = type[0] == '<' || type[0] == '>' || (type[0] == '|' && bytes == 1);
    if (!size || !letter || !order) wrong();
    header.kind = type[1] == 'f'   ? NpyKind::floating
                  : type[1] == 'i' ? NpyKind::signed_integer
                                   : NpyKind::unsigned_integer;
    header.item_bytes = bytes;
    header.big_endian = type[0] == '>';
  }

  void read_shape(NpyHeader& header) {
    expect('(', "shape");
    while (peek() != ')') {
      std::int64_t size = 0;
      auto const [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0) fail("shape", "sizes of 0 to 2^63 - 1", rest());
      at_ = std::size_t(end - text_.data());
      header.shape.push_back(size);
      if (header.shape.size() > most_dimensions) fail("shape", "at most 32 dimensions", "more");
      if (peek() == ',') {
        expect(',', "shape");
      } else if (peek() != ')' || header.shape.size() == 1) {
        fail("shape", "',' after a size", rest());  // Python's (3) is a number, not a tuple
      }
    }
    expect(')', "shape");
  }

  /// The product of the shape, in bytes too, must fit an int64 even where a zero hides it.
  void count(NpyHeader& header) const {
    std::int64_t most = std::numeric_limits<std::int64_t>::max() / header.item_bytes;
    bool empty = false;
    header.items = 1;
    for (std::int64_t const size : header.shape) {
      if (size == 0) {
        empty = true;
        continue;
      }
      if (header.items > most / size) fail("shape", "a product that fits 63 bits", "a larger one");
      header.items *= size;
    }
    if (empty) header.items = 0;
  }

  std::string file_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace tailor
