#pragma once
// Where massive tokens change a profile.

#include <cstddef>
#include <filesystem>
#include <vector>

#include <tailor/geometry/profile.hpp>         // tailor::Profile
#include <tailor/geometry/statistic_name.hpp>  // tailor::StatisticName

namespace tailor_program {

/// One statistic of one layer, measured with massive tokens and without them.
struct MassiveDifference {
  std::size_t layer;
  tailor::StatisticName statistic;
  double with, without;
};

/// Where the mean with massive tokens differs from the one without them by more than a tenth and by
/// more than three standard errors of the latter, statistic by statistic.
std::vector<MassiveDifference> massive_differences(tailor::Profile const& with,
                                                   tailor::Profile const& without);

/// The file beside `profile` that the profile without massive tokens goes to.
std::filesystem::path without_massive_file(std::filesystem::path const& profile);

}  // namespace tailor_program
