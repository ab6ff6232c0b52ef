#include "numbers.hpp"

#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

namespace tailor_program {
namespace {

[[noreturn]] void refuse(std::string const& flag, std::string const& text,
                         std::string const& expected) {
  throw std::invalid_argument(flag + ": expected " + expected + ", got \"" + text + "\"");
}

template <class T>
T parsed(std::string const& flag, std::string const& text, std::string const& expected) {
  T value{};
  char const* const end = text.data() + text.size();
  auto const [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || text.empty()) refuse(flag, text, expected);
  return value;
}

}  // namespace

std::vector<std::string> split(std::string const& text, char separator) {
  std::vector<std::string> parts{""};
  for (char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::int64_t parsed_count(std::string const& flag, std::string const& text) {
  std::string const expected = "a count such as 113M, 1.5B, 400k or 123456";
  std::string digits = text;
  double unit = 1;
  if (!digits.empty()) {
    std::string const units = "kKmMbBgG";
    std::size_t const at = units.find(digits.back());
    if (at != std::string::npos) {
      unit = at < 2 ? 1e3 : at < 4 ? 1e6 : 1e9;
      digits.pop_back();
    }
  }
  double const value = parsed<double>(flag, digits, expected) * unit;
  if (!(value >= 0) || value > 9e15) refuse(flag, text, expected);
  return std::llround(value);
}

std::vector<std::uint64_t> parsed_seeds(std::string const& flag, std::string const& text) {
  std::string const expected = "seeds such as 1-6 or 1,2,5";
  std::set<std::uint64_t> seeds;
  for (std::string const& part : split(text, ',')) {
    auto const ends = split(part, '-');
    if (ends.size() > 2 || ends.back().empty()) refuse(flag, text, expected);
    auto const first = parsed<std::uint64_t>(flag, ends.front(), expected);
    auto const last = parsed<std::uint64_t>(flag, ends.back(), expected);
    if (last < first || last - first >= 1000) refuse(flag, text, expected + ", at most 1000");
    for (std::uint64_t i = 0; i <= last - first; ++i) seeds.insert(first + i);
  }
  return {seeds.begin(), seeds.end()};
}

std::vector<double> parsed_numbers(std::string const& flag, std::string const& text) {
  std::string const expected = "positive numbers separated by commas";
  std::vector<double> values;
  for (std::string const& part : split(text, ',')) {
    double const value = parsed<double>(flag, part, expected);
    if (!(value > 0) || !std::isfinite(value)) refuse(flag, text, expected);
    values.push_back(value);
  }
  return values;
}

tailor::IntRange parsed_range(std::string const& flag, std::string const& text) {
  std::string const expected = "a range such as 4, 4-36 or 256-4096:16";
  auto const parts = split(text, ':');
  auto const ends = split(parts.front(), '-');
  if (parts.size() > 2 || ends.size() > 2) refuse(flag, text, expected);
  return {.low = parsed<int>(flag, ends.front(), expected),
          .high = parsed<int>(flag, ends.back(), expected),
          .step = parts.size() == 2 ? parsed<int>(flag, parts.back(), expected) : 1};
}

}  // namespace tailor_program
