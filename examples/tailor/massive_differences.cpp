#include "massive_differences.hpp"

#include <algorithm>
#include <cmath>

namespace tailor_program {

std::vector<MassiveDifference> massive_differences(tailor::Profile const& with,
                                                   tailor::Profile const& without) {
  std::vector<MassiveDifference> result;
  std::size_t const layers = std::min(with.layers.size(), without.layers.size());
  for (tailor::StatisticName const name : tailor::all_statistics) {
    for (std::size_t l = 0; l < layers; ++l) {
      tailor::Estimate const& kept = with.layers[l].at(name);
      tailor::Estimate const& left = without.layers[l].at(name);
      if (kept.status != tailor::Status::ok || left.status != tailor::Status::ok) continue;
      double const enough = std::max(left.mean / 10, 3 * left.standard_error.value_or(0));
      if (std::abs(kept.mean - left.mean) > enough) {
        result.push_back({l, name, kept.mean, left.mean});
      }
    }
  }
  return result;
}

std::filesystem::path without_massive_file(std::filesystem::path const& profile) {
  std::filesystem::path file = profile;
  return file.replace_filename(profile.stem().string() + "-without-massive" +
                               profile.extension().string());
}

}  // namespace tailor_program
