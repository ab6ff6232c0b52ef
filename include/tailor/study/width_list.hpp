#pragma once
// Widths that a user wrote down: a JSON array of integers, or integers separated by blanks.

#include <tailor/allocation/comment_text.hpp>  // comment_text, to show what was found
#include <tailor/arch/validate.hpp>            // PlanLimits

#include <cctype>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// Integers from 0 to PlanLimits::width, separated by blanks or by single commas, with or without
/// square brackets around them all. Throws std::invalid_argument with the byte at which something
/// else was found, at most PlanLimits::layers of them.
inline std::vector<int> parse_width_list(std::string_view text) {
  std::size_t at = 0;
  auto const refuse = [&](std::string const& expected) {
    auto const rest = text.substr(at, 12);
    throw std::invalid_argument("widths: expected " + expected + " at byte " + std::to_string(at) +
                                ", got " +
                                (rest.empty() ? "the end" : "\"" + comment_text(rest) + "\""));
  };
  auto const skip_blanks = [&] {
    while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos)
      ++at;
  };
  auto const take = [&](char c) {
    skip_blanks();
    bool const there = at < text.size() && text[at] == c;
    at += there;
    return there;
  };

  std::vector<int> widths;
  bool const bracket = take('[');
  bool const empty = bracket && take(']');
  for (bool more = !empty; more;) {
    skip_blanks();
    int width = 0;
    auto const [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), width);
    if (error != std::errc() || width < 0 || width > PlanLimits::width)
      refuse("a width from 0 to " + std::to_string(PlanLimits::width));
    at = static_cast<std::size_t>(end - text.data());
    bool const blank = at < text.size() && std::isspace(static_cast<unsigned char>(text[at]));
    widths.push_back(width);
    if (widths.size() > static_cast<std::size_t>(PlanLimits::layers))
      refuse("at most " + std::to_string(PlanLimits::layers) + " widths");
    bool const comma = take(',');
    skip_blanks();
    if (bracket && !comma) {
      if (!take(']')) refuse("a comma or ]");
      more = false;
    } else {
      more = comma || at < text.size();
      if (more && !comma && !blank) refuse("a blank or a comma");
    }
  }
  skip_blanks();
  if (at != text.size()) refuse("the end");
  return widths;
}

/// The widths that a file holds; see parse_width_list.
/// Throws std::invalid_argument, naming the file, where it is not a regular file of at most 1 MiB
/// or holds anything else.
inline std::vector<int> read_width_list(std::string const& path) {
  constexpr std::uintmax_t most = 1 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw std::invalid_argument(path + ": expected a file of widths");
  auto const size = std::filesystem::file_size(path, error);
  if (error || size > most)
    throw std::invalid_argument(path + ": expected a file of widths of at most " +
                                std::to_string(most) + " bytes");
  std::ifstream file(path, std::ios::binary);
  std::string const text(std::istreambuf_iterator<char>(file), {});
  if (!file) throw std::invalid_argument(path + ": cannot be read");
  try {
    return parse_width_list(text);
  } catch (std::invalid_argument const& fault) {
    throw std::invalid_argument(path + ": " + fault.what());
  }
}

}  // namespace tailor
