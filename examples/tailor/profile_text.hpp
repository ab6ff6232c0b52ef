#pragma once
// A profile as a table for people.

#include <string>

#include <tailor/geometry/profile.hpp>  // tailor::Profile

#include "engine.hpp"

namespace tailor_program {

/// Layers x nine statistics with standard errors, dimensions, how well samples agree, and what was
/// left out.
std::string profile_text(tailor::Profile const& profile);

/// The same, and where the profile without massive tokens, if there is one, differs.
std::string profile_text(MeasuredProfile const& measured);

/// "stable: reliability 0.962 (at least 0.95 wanted) after 15 samples".
std::string stability_text(tailor::Stability const& stability, int samples);

}  // namespace tailor_program
