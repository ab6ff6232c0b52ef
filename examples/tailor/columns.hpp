#pragma once
// Text in a terminal's columns: one per code point, for bytes are not columns.

#include <string>

namespace tailor_program {

/// Code points of a UTF-8 text.
std::size_t columns(std::string const& text);

/// Its first `count` code points.
std::string first_columns(std::string const& text, std::size_t count);

}  // namespace tailor_program
