#include "plot_flag.hpp"

#include <stdexcept>

#include <tailor/io/atomic_file.hpp>  // tailor::write_file

#include "files.hpp"
#include "gnuplot.hpp"

namespace tailor_program {

void PlotFlag::add_to(CLI::App& command, std::string const& what) {
  command.add_option("--plot", file, "draw " + what + " into this .svg file (needs gnuplot)");
}

void PlotFlag::check() const {
  if (!wanted()) return;
  if (!file.ends_with(".svg")) {
    throw std::invalid_argument("--plot: a file that ends in .svg expected, got \"" + file + "\"");
  }
  check_output(file);
  if (!can_draw()) throw std::invalid_argument("--plot: gnuplot is needed and was not found");
}

void PlotFlag::write(std::optional<std::string> const& svg) const {
  if (!svg) throw std::runtime_error("--plot: gnuplot could not draw " + file);
  tailor::write_file(file, *svg);
}

}  // namespace tailor_program
