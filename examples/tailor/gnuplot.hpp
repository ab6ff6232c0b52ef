#pragma once
// Figures: a gnuplot script in, an SVG picture out.

#include <optional>
#include <string>

namespace tailor_program {

/// A named block of rows that a script reads as `$name`.
std::string data_block(std::string const& name, std::string const& rows);

/// The SVG that gnuplot draws from `script`; nothing where gnuplot is not installed or fails.
std::optional<std::string> draw(std::string const& script, int width, int height);

/// Whether gnuplot is installed: for asking before long work.
bool can_draw();

/// Text as a gnuplot string literal, quotes included.
std::string gnuplot_text(std::string const& text);

}  // namespace tailor_program
