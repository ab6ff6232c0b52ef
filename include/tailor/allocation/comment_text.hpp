#pragma once
// Foreign text made harmless for generated C++: names of layers, rules and files inside a comment,
// and identifiers.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace tailor {

/// Text that cannot end, continue or leave a `//` comment: letters, digits, blanks and
/// `._-+=,:;()[]/@#` stay, every other byte (line breaks, backslashes, question marks of trigraphs,
/// stars, bytes of UTF-8) becomes %XX, and what is longer than `limit` bytes is cut, saying how
/// long it was.
/// @post   every byte becomes printable ASCII without backslash, question mark or star
inline std::string comment_text(std::string_view text, std::size_t limit = 64) {
  constexpr std::string_view kept = " ._-+=,:;()[]/@#";
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result;
  for (char const c : text.substr(0, limit)) {
    bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kept.find(c) != std::string_view::npos) {
      result += c;
    } else {
      auto const byte = static_cast<unsigned char>(c);
      result += {'%', hex[byte / 16], hex[byte % 16]};
    }
  }
  if (text.size() > limit) result += "... (" + std::to_string(text.size()) + " bytes)";
  return result;
}

namespace detail {

inline constexpr std::array<std::string_view, 97> reserved_words{
    "alignas",   "alignof",      "and",           "and_eq",
    "asm",       "auto",         "bitand",        "bitor",
    "bool",      "break",        "case",          "catch",
    "char",      "char16_t",     "char32_t",      "char8_t",
    "class",     "co_await",     "co_return",     "co_yield",
    "compl",     "concept",      "const",         "const_cast",
    "consteval", "constexpr",    "constinit",     "continue",
    "decltype",  "default",      "delete",        "do",
    "double",    "dynamic_cast", "else",          "enum",
    "explicit",  "export",       "extern",        "false",
    "float",     "for",          "friend",        "goto",
    "if",        "inline",       "int",           "linux",
    "long",      "mutable",      "namespace",     "new",
    "noexcept",  "not",          "not_eq",        "nullptr",
    "operator",  "or",           "or_eq",         "private",
    "protected", "public",       "register",      "reinterpret_cast",
    "requires",  "return",       "short",         "signed",
    "sizeof",    "static",       "static_assert", "static_cast",
    "std",       "struct",       "switch",        "tailor",
    "template",  "this",         "thread_local",  "throw",
    "true",      "try",          "typedef",       "typeid",
    "typename",  "union",        "unix",          "unsigned",
    "using",     "virtual",      "void",          "volatile",
    "wchar_t",   "while",        "xor",           "xor_eq",
    "NULL"};

}  // namespace detail

/// Whether `text` can name something in generated code: an ASCII identifier that no compiler
/// reserves (no keyword, no leading or double underscore, and neither `unix` nor `linux`, which GNU
/// dialects define as macros), and not `std` or `tailor`.
inline bool is_identifier(std::string_view text) {
  if (text.empty() || text.size() > 200) return false;
  auto const letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto const part = [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); };
  return letter(text[0]) && std::all_of(text.begin(), text.end(), part) &&
         text.find("__") == std::string_view::npos &&
         std::find(detail::reserved_words.begin(), detail::reserved_words.end(), text) ==
             detail::reserved_words.end();
}

/// Whether `text` is one or more identifiers joined by `::`.
inline bool is_namespace_name(std::string_view text) {
  for (;;) {
    auto const end = text.find("::");
    if (!is_identifier(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 2);
  }
}

}  // namespace tailor
