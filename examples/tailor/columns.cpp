#include "columns.hpp"

#include <algorithm>

namespace tailor_program {
namespace {

/// Every byte but the continuing ones begins a code point.
bool begins(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

}  // namespace

std::size_t columns(std::string const& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), begins));
}

std::string first_columns(std::string const& text, std::size_t count) {
  std::size_t seen = 0;
  auto const end =
      std::find_if(text.begin(), text.end(), [&](char c) { return begins(c) && seen++ == count; });
  return {text.begin(), end};
}

}  // namespace tailor_program
