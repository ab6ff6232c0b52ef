#pragma once
// Numbers as text that no locale changes.

#include <charconv>
#include <string>

namespace tailor::detail {

/// The shortest text that reads back as the same number.
inline std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace tailor::detail
