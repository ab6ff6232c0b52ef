#pragma once
// An allocation as a table for people and as JSON for programs.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

/// The layers' names for a header; none where they are only "layer NN" counted from 0.
std::vector<std::string> given_names(tailor::Profile const& profile);

nlohmann::json allocation_json(tailor::Allocation const& allocation, std::string const& text);

}  // namespace tailor_program
