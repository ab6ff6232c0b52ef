#pragma once
// The names of the nine work statistics: three geometries by three statistics.

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tailor {

/// raw: Euclidean distance of the states; spherical: angle; hyperbolic: Poincare ball at a fixed
/// radius.
enum class Geometry { raw, spherical, hyperbolic };

/// shift: mean distance that tokens move; distortion: Gromov-Wasserstein distance of the two clouds
/// (half the root of gw_sq); topological: W2 between their H1 diagrams.
enum class Statistic { shift, distortion, topological };

inline constexpr std::array<std::string_view, 3> geometry_names{"raw", "spherical", "hyperbolic"};
inline constexpr std::array<std::string_view, 3> statistic_names{"shift", "distortion",
                                                                 "topological"};

constexpr std::string_view name(Geometry g) {
  return geometry_names[std::size_t(g)];
}
constexpr std::string_view name(Statistic s) {
  return statistic_names[std::size_t(s)];
}

/// One of the nine. Two spellings: "topological/hyperbolic" for rules, "hyperbolic.topological" as
/// a key in files.
struct StatisticName {
  Statistic statistic = Statistic::shift;
  Geometry geometry = Geometry::raw;

  /// The place among the nine: geometry by geometry.
  constexpr std::size_t index() const { return 3 * std::size_t(geometry) + std::size_t(statistic); }

  std::string rule() const {
    return std::string(name(statistic)) + "/" + std::string(name(geometry));
  }
  std::string key() const {
    return std::string(name(geometry)) + "." + std::string(name(statistic));
  }

  friend constexpr bool operator==(StatisticName, StatisticName) = default;
};

/// All nine, in the order of index().
/// @post all_statistics[i].index() == i
inline constexpr std::array<StatisticName, 9> all_statistics = [] {
  std::array<StatisticName, 9> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {Statistic(i % 3), Geometry(i / 3)};
  return all;
}();

/// The statistic of either spelling.
/// Error: std::invalid_argument that lists the names.
/// @post parse_statistic(name.rule()) == name and parse_statistic(name.key()) == name
inline StatisticName parse_statistic(std::string_view text) {
  for (StatisticName const name : all_statistics) {
    if (text == name.rule() || text == name.key()) return name;
  }
  throw std::invalid_argument(
      "no statistic \"" + std::string(text) +
      "\": shift, distortion or topological, then /raw, /spherical or /hyperbolic expected");
}

}  // namespace tailor
