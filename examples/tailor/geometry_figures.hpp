#pragma once
// Pictures of what geometry computes, each an SVG; nothing where gnuplot fails.

#include <optional>
#include <span>
#include <string>

#include <tailor/geometry/bar.hpp>          // tailor::Bar
#include <tailor/geometry/coupling.hpp>     // tailor::Coupling
#include <tailor/geometry/wasserstein.hpp>  // tailor::BarMatch

namespace tailor_program {

/// The bars of one diagram, as a barcode and as points over the diagonal. `unit` says what the axes
/// measure; a bar that never dies is an arrow.
std::optional<std::string> barcode_figure(std::span<tailor::Bar const> bars,
                                          std::string const& title, std::string const& unit);

/// Two diagrams with a line for every pair of a matching.
std::optional<std::string> matching_figure(std::span<tailor::Bar const> first,
                                           std::span<tailor::Bar const> second,
                                           std::span<tailor::BarMatch const> matching,
                                           std::string const& title, std::string const& first_name,
                                           std::string const& second_name);

/// The weights of a coupling, in shares of a point of the first cloud, added up in at most 256 x 256
/// cells.
std::optional<std::string> coupling_figure(tailor::Coupling const& coupling,
                                           std::string const& title, std::string const& first_name,
                                           std::string const& second_name);

}  // namespace tailor_program
