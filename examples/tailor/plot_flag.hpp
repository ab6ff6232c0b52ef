#pragma once
// The flag --plot FILE.svg of a command that can draw its result.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace tailor_program {

struct PlotFlag {
  std::string file;

  void add_to(CLI::App& command, std::string const& what);

  bool wanted() const { return !file.empty(); }

  /// Throws std::invalid_argument where the picture could not be made or written: before long work.
  void check() const;

  /// Writes a picture. Throws std::runtime_error where gnuplot drew none.
  void write(std::optional<std::string> const& svg) const;
};

}  // namespace tailor_program
