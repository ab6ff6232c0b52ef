#pragma once
// A profile as a table for people.

#include <string>

#include <tailor/geometry/profile.hpp>  // tailor::Profile

namespace tailor_program {

/// Layers x nine statistics with standard errors, dimensions, reliabilities, and what was left out.
std::string profile_text(tailor::Profile const& profile);

}  // namespace tailor_program
