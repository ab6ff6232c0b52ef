#pragma once
// Numbers as text that no locale changes: for messages, and for headers that must be
// byte-identical.

#include <array>
#include <charconv>
#include <string>
#include <system_error>

namespace tailor {

/// The shortest text that reads back as the same number, with a '.' whatever the locale is.
inline std::string number_text(double value) {
  std::array<char, 64> text;
  auto const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// `value` rounded to `digits` significant digits, without an exponent where it stays short.
/// Domain: 1 <= digits <= 17.
inline std::string number_text(double value, int digits) {
  std::array<char, 64> text;
  auto const end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits)
                       .ptr;
  return {text.data(), end};
}

}  // namespace tailor
