#pragma once
// An allocation as a table for people and as JSON for programs.

#include <nlohmann/json.hpp>
#include <string>

#include <tailor/allocation/allocate.hpp>     // tailor::Allocation
#include <tailor/arch/plan.hpp>               // tailor::Plan
#include <tailor/geometry/profile.hpp>        // tailor::Profile
#include <tailor/study/allocate_profile.hpp>  // tailor::AllocationOptions

namespace tailor_program {

/// Per layer: statistic, smoothed difficulty, dimension, exponent, optimum and width, and the width
/// that the other choice of exponents would give.
std::string allocation_text(tailor::Allocation const& allocation, tailor::Profile const& profile,
                            tailor::Plan const& reference,
                            tailor::AllocationOptions const& options);

nlohmann::json allocation_json(tailor::Allocation const& allocation, std::string const& text);

}  // namespace tailor_program
