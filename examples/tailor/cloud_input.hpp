#pragma once
// Clouds of points and matrices of distances out of .npy files.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <tailor/cpu.hpp>                 // tailor::cpu::Device
#include <tailor/geometry/distances.hpp>  // tailor::Distances

namespace tailor_program {

/// The points of a file, one a row, in double.
struct PointTable {
  int rows = 0, cols = 0;
  std::vector<double> values;

  tailor::MatrixView<double const> view() const {
    return tailor::matrix(values.data(), rows, cols);
  }
};

/// Whether a distance may be infinite, which means: never an edge.
enum class InfiniteDistances { allowed, refused };

/// Flags that say how a file becomes distances, and what that may cost. Every reader throws
/// std::invalid_argument, std::length_error or tailor::NpyError, which name the file, and the entry
/// where it is one.
struct CloudFlags {
  std::string metric = "euclidean", memory = "8G";
  double rho = 0.5, curvature = 1;
  int threads = 0;

  void add_metric_to(CLI::App& command);
  void add_ball_to(CLI::App& command);
  void add_cost_to(CLI::App& command);

  /// Looks at every flag, before any file is opened. Throws std::invalid_argument that names one.
  void check() const;

  std::size_t memory_limit() const;

  /// How many points the file has, from its header alone.
  int points_in(std::filesystem::path const& file) const;

  /// Numbers that are not finite are left to the metric.
  PointTable read_points(std::filesystem::path const& file) const;

  /// Distances between the points of a file.
  tailor::Distances distances_of(tailor::cpu::Device& device,
                                 std::filesystem::path const& file) const;

  /// Distances that a file holds: square, symmetric, 0 or more, 0 on the diagonal.
  tailor::Distances read_distances(std::filesystem::path const& file,
                                   InfiniteDistances infinite) const;
};

}  // namespace tailor_program
