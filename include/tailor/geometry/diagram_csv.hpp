#pragma once
// Persistence diagrams as text: one "birth,death" per line, which numpy.loadtxt(delimiter=",") reads
// and numpy.savetxt(delimiter=",") writes.

#include <tailor/geometry/bar.hpp>  // tailor::Bar

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tailor {

/// The bars in their order, each number in the shortest form that reads back to the same double;
/// a death that never comes is "inf".
/// @post parse_diagram_csv gives the same bars back bit for bit
inline std::string diagram_csv(std::span<Bar const> bars) {
  std::string text;
  auto const append = [&](double value, char end) {
    std::array<char, 32> digits;
    auto const done = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text.append(digits.data(), done.ptr) += end;
  };
  for (Bar const& bar : bars) {
    append(bar.birth, ',');
    append(bar.death, '\n');
  }
  return text;
}

namespace csv {

/// Without the blanks at both ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The number that stands alone in a field.
inline std::optional<double> number(std::string_view field) {
  double value = 0;
  auto const [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return value;
}

/// Both fields are words, such as birth and "death".
inline bool is_header(std::string_view birth, std::string_view death) {
  auto const is_word = [](std::string_view field) {
    if (field.starts_with('"')) field.remove_prefix(1);
    bool const letter = !field.empty() && ((field[0] >= 'a' && field[0] <= 'z') ||
                                           (field[0] >= 'A' && field[0] <= 'Z'));
    return letter && !number(field);
  };
  return is_word(birth) && is_word(death);
}

/// The start of a line as a message may hold it: what is no printable ASCII shows as ?.
inline std::string quoted(std::string_view line) {
  constexpr std::size_t most = 60;
  std::string text(line.substr(0, most));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < 0x20 || c >= 0x7F; }, '?');
  return "\"" + text + (line.size() > most ? "...\"" : "\"");
}

}  // namespace csv

/// The bars of a text in the order of its lines. Empty lines, lines that begin with # and, before
/// the first bar, one line of two words are passed over; a text without bars is the empty diagram.
/// Error: std::invalid_argument, "NAME: line N: ... expected, got ...", for a line that is not
///        two numbers, an undefined number, an infinite birth, or a death before its birth.
inline std::vector<Bar> parse_diagram_csv(std::string_view text, std::string const& name) {
  std::vector<Bar> bars;
  bool header_allowed = true;
  for (int line_number = 1; !text.empty(); ++line_number) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    std::string_view const line = csv::trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    auto const refuse = [&](char const* what) {
      throw std::invalid_argument(name + ": line " + std::to_string(line_number) + ": " + what +
                                  " expected, got " + csv::quoted(line));
    };
    std::size_t const comma = std::min(line.find(','), line.size());
    std::string_view const birth = csv::trimmed(line.substr(0, comma));
    std::string_view const death = csv::trimmed(line.substr(std::min(comma + 1, line.size())));
    if (std::exchange(header_allowed, false) && csv::is_header(birth, death)) continue;
    auto const from = csv::number(birth);
    auto const to = csv::number(death);
    if (!from || !to) {
      refuse("two numbers birth,death");
    } else if (!std::isfinite(*from)) {
      refuse("a finite birth");
    } else if (!(*to >= *from)) {
      refuse("a death not before the birth");
    } else {
      bars.push_back({*from, *to});
    }
  }
  return bars;
}

}  // namespace tailor
