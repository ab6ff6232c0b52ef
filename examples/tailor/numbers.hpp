#pragma once
// Numbers and lists of numbers as people type them.

#include <cstdint>
#include <string>
#include <vector>

#include <tailor/arch/search_space.hpp>  // tailor::IntRange

namespace tailor_program {

/// Seeds and counts that a flag may have: CLI11 reads -1 as the largest number there is.
inline constexpr std::uint64_t largest_flag = std::uint64_t{1} << 62;

/// "113M", "1.5B", "400k", "123456": a count. Throws std::invalid_argument that names the flag.
std::int64_t parsed_count(std::string const& flag, std::string const& text);

/// "1-6", "1,2,5", "1-3,7": seeds, each once, ascending.
std::vector<std::uint64_t> parsed_seeds(std::string const& flag, std::string const& text);

/// "1e-3,3e-3": positive numbers.
std::vector<double> parsed_numbers(std::string const& flag, std::string const& text);

/// "4", "4-36", "256-4096:16": a range with its step.
tailor::IntRange parsed_range(std::string const& flag, std::string const& text);

/// The parts of a list between commas.
std::vector<std::string> split(std::string const& text, char separator);

}  // namespace tailor_program
