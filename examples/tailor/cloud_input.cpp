#include "cloud_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <tailor/geometry/metric.hpp>  // tailor::Euclidean, tailor::Spherical, tailor::Hyperbolic
#include <tailor/io/npy.hpp>           // tailor::read_npy

#include "numbers.hpp"

namespace tailor_program {
namespace {

namespace fs = std::filesystem;

void require_file(fs::path const& file) {
  if (!fs::exists(file)) throw std::invalid_argument(file.string() + ": there is no such file");
  if (!fs::is_regular_file(file)) {
    throw std::invalid_argument(file.string() + ": a .npy file expected, this is none");
  }
}

std::string shape_text(std::vector<std::int64_t> const& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

/// Rows and columns as ints.
std::pair<int, int> two_sizes(fs::path const& file, std::vector<std::int64_t> const& shape,
                              char const* expected) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (shape.size() != 2 || shape[0] > most || shape[1] > most) {
    throw std::invalid_argument(
        fmt::format("{}: {} expected, got {}", file.string(), expected, shape_text(shape)));
  }
  return {int(shape[0]), int(shape[1])};
}

}  // namespace

void CloudFlags::add_metric_to(CLI::App& command) {
  command.add_option("--metric", metric, "between points: euclidean, angle or hyperbolic")
      ->capture_default_str();
  add_ball_to(command);
}

void CloudFlags::add_ball_to(CLI::App& command) {
  command.add_option("--rho", rho, "radius of the Poincare ball map, below 1")
      ->capture_default_str();
  command.add_option("--curvature", curvature, "the ball has this negative curvature")
      ->capture_default_str();
}

void CloudFlags::add_cost_to(CLI::App& command) {
  command.add_option("--threads", threads, "threads; 0: all")->capture_default_str();
  command.add_option("--memory-limit", memory, "bytes, as 500M or 8G; what needs more is refused")
      ->capture_default_str();
}

void CloudFlags::check() const {
  if (metric != "euclidean" && metric != "angle" && metric != "hyperbolic") {
    throw std::invalid_argument("--metric: \"" + metric +
                                "\" is neither euclidean, angle nor hyperbolic");
  }
  tailor::Hyperbolic{.rho = rho, .curvature = curvature}.check();
  memory_limit();
}

std::size_t CloudFlags::memory_limit() const {
  return std::size_t(parsed_count("--memory-limit", memory));
}

int CloudFlags::points_in(fs::path const& file) const {
  require_file(file);
  return two_sizes(file, tailor::read_npy_header(file).shape, "a matrix, one row per point,").first;
}

PointTable CloudFlags::read_points(fs::path const& file) const {
  require_file(file);
  auto array = tailor::read_npy<double>(file, {.limit_bytes = std::int64_t(memory_limit())});
  auto const [rows, cols] = two_sizes(file, array.shape, "an array [points, dimensions]");
  return {.rows = rows, .cols = cols, .values = std::move(array.values)};
}

tailor::Distances CloudFlags::distances_of(tailor::cpu::Device& device,
                                           fs::path const& file) const {
  PointTable const points = read_points(file);
  tailor::DistanceOptions const options{.limit_bytes = memory_limit()};
  if (metric == "angle") {
    return tailor::distances(device, points.view(), tailor::Spherical{}, options);
  }
  if (metric == "hyperbolic") {
    return tailor::distances(device, points.view(),
                             tailor::Hyperbolic{.rho = rho, .curvature = curvature}, options);
  }
  return tailor::distances(device, points.view(), tailor::Euclidean{}, options);
}

tailor::Distances CloudFlags::read_distances(fs::path const& file,
                                             InfiniteDistances infinite) const {
  require_file(file);
  auto const array = tailor::read_npy<double>(file, {.limit_bytes = std::int64_t(memory_limit())});
  auto const [n, cols] = two_sizes(file, array.shape, "a square matrix of distances");
  if (n != cols) {
    throw std::invalid_argument(fmt::format("{}: a square matrix of distances expected, got {}",
                                            file.string(), shape_text(array.shape)));
  }
  tailor::Distances result{.matrix = tailor::DenseDistances(n), .tokens = {}, .outcome = {}};
  std::copy(array.values.begin(), array.values.end(), result.matrix.data());
  auto const refuse = [&](int i, int j, std::string const& expected, std::string const& got) {
    throw std::invalid_argument(
        fmt::format("{}: entry ({}, {}): {} expected, got {}", file.string(), i, j, expected, got));
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double const value = result(i, j);
      if (!(value >= 0)) refuse(i, j, "a distance of 0 or more", fmt::format("{}", value));
      if (value != result(j, i)) {
        refuse(i, j, "a symmetric matrix",
               fmt::format("{} and {} at ({}, {})", value, result(j, i), j, i));
      }
      if (i == j && value != 0) refuse(i, j, "0 on the diagonal", fmt::format("{}", value));
      if (infinite == InfiniteDistances::refused && std::isinf(value)) {
        refuse(i, j, "a finite distance", "inf");
      }
    }
  }
  result.tokens.resize(std::size_t(n));
  std::iota(result.tokens.begin(), result.tokens.end(), 0);
  result.outcome.n_used = n;
  return result;
}

}  // namespace tailor_program
