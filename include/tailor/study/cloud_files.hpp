#pragma once
// Clouds that another program left in a folder: layer_NN_before.npy and layer_NN_after.npy.

#include <tailor/geometry/cloud.hpp>  // tailor::Cloud
#include <tailor/io/npy.hpp>          // tailor::read_npy

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tailor {

/// One matrix of tokens: a .npy array of two dimensions.
/// Error: std::invalid_argument or NpyError, which name the file.
inline HostMatrix read_cloud_matrix(std::filesystem::path const& file) {
  NpyArray<float> array = read_npy<float>(file);
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (array.shape.size() != 2 || array.shape[0] > most || array.shape[1] > most) {
    throw std::invalid_argument(file.string() + ": expected an array [tokens, d_model], got " +
                                std::to_string(array.shape.size()) + " dimensions" +
                                (array.shape.size() == 2 ? " of more than 2^31" : ""));
  }
  return HostMatrix(int(array.shape[0]), int(array.shape[1]), std::move(array.values));
}

/// The clouds of a folder, in the order of their numbers; other files are passed over.
/// Error:  std::invalid_argument where the folder cannot be read or has no such pair, where one
///         file of a pair is missing, or the two differ in shape; NpyError for a damaged file.
inline std::vector<Cloud> read_clouds(std::filesystem::path const& folder) {
  namespace fs = std::filesystem;
  constexpr std::string_view start = "layer_", end = "_before.npy", other_end = "_after.npy";
  std::error_code error;
  std::vector<std::pair<long, std::string>> layers;
  for (fs::directory_iterator it(folder, error), none; !error && it != none; it.increment(error)) {
    std::string const name = it->path().filename().string();
    bool const before = name.ends_with(end);
    if (!name.starts_with(start) || (!before && !name.ends_with(other_end))) continue;
    std::string const number =
        name.substr(start.size(), name.size() - start.size() - (before ? end : other_end).size());
    if (number.empty() || number.size() > 6 ||
        !std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      throw std::invalid_argument((folder / name).string() + ": expected a layer number, got \"" +
                                  number + "\"");
    }
    std::string const partner = std::string(start) + number + std::string(before ? other_end : end);
    if (!fs::exists(folder / partner)) {
      throw std::invalid_argument((folder / partner).string() + ": missing beside " + name);
    }
    if (before) layers.emplace_back(std::stol(number), number);
  }
  if (error) throw std::invalid_argument(folder.string() + ": " + error.message());
  if (layers.empty()) {
    throw std::invalid_argument(
        folder.string() + ": expected layer_NN_before.npy and layer_NN_after.npy, found none");
  }
  std::sort(layers.begin(), layers.end());
  std::vector<Cloud> clouds;
  for (auto const& [index, number] : layers) {
    std::string const stem = std::string(start) + number;
    Cloud cloud{.layer = "layer " + number,
                .before = read_cloud_matrix(folder / (stem + std::string(end))),
                .after = read_cloud_matrix(folder / (stem + std::string(other_end)))};
    check(cloud);
    clouds.push_back(std::move(cloud));
  }
  return clouds;
}

}  // namespace tailor
