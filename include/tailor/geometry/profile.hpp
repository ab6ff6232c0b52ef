#pragma once
// The work statistics of all layers of a model, as means over samples.

#include <tailor/geometry/measure_options.hpp>  // tailor::MeasureOptions
#include <tailor/geometry/statistic_name.hpp>   // tailor::StatisticName
#include <tailor/geometry/status.hpp>           // tailor::Status
#include <tailor/geometry/stopping_rule.hpp>    // tailor::Stability

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// A mean over samples.
struct Estimate {
  double mean = 0;                            ///< not to be read where the status is undefined
  std::optional<double> standard_error = {};  ///< of the mean; nothing from fewer than two samples
  int samples = 0;                            ///< that had a value
  Status status = Status::undefined;
};

/// The mean of some samples' values and its standard error s / sqrt(k).
inline Estimate estimate(std::span<double const> values) {
  Estimate result{.samples = int(values.size())};
  if (values.empty()) return result;
  double const count = double(values.size());
  result.status = Status::ok;
  for (double const value : values) result.mean += value / count;
  if (values.size() > 1) {
    double squares = 0;
    for (double const value : values) squares += (value - result.mean) * (value - result.mean);
    result.standard_error = std::sqrt(squares / (count - 1) / count);
  }
  return result;
}

/// In how many samples each start led to the least Gromov-Wasserstein distance.
using StartCounts = std::array<int, gromov_wasserstein_starts.size()>;

/// One layer.
struct LayerProfile {
  std::string name;
  std::array<Estimate, 9> statistics;    ///< by StatisticName::index()
  Estimate dimension;                    ///< TwoNN by maximum likelihood, of the raw cloud before
  Estimate participation_ratio;          ///< of the same cloud
  int tokens = 0;                        ///< in one sample
  int undefined = 0;                     ///< tokens that could be drawn and have no direction
  int massive = 0;                       ///< tokens massive in this layer
  std::vector<int> massive_tokens = {};  ///< which
  std::string reason = {};               ///< of the undefined tokens, the first in words
  std::array<Estimate, 3> lower_bounds = {};  ///< Memoli's first, of the distortion, by Geometry
  std::array<StartCounts, 3> starts = {};     ///< of the distortion, by Geometry

  Estimate const& at(StatisticName name) const { return statistics[name.index()]; }
};

/// All layers.
struct Profile {
  MeasureOptions options;          ///< as asked, without the callbacks until and progress
  int cloud_tokens = 0;            ///< tokens in every layer's cloud
  int samples = 0;                 ///< drawn: one where the clouds are not larger than a sample
  int tokens = 0;                  ///< in every sample
  std::vector<int> left_out = {};  ///< tokens massive in some layer, left out of all
  std::vector<LayerProfile> layers = {};
  /// Between samples, the mean over all pairs, by StatisticName::index().
  std::array<std::optional<double>, 9> rank_correlation = {};
  /// Of the mean profile, by StatisticName::index(): see reliability_of_mean.
  std::array<std::optional<double>, 9> reliability = {};
  std::optional<Stability> stability = {};  ///< where samples were added until a rule was content
};

/// One statistic of all layers, in order.
/// Error: std::invalid_argument that names the first layer in which it is undefined.
inline std::vector<double> values(Profile const& profile, StatisticName name) {
  std::vector<double> result;
  for (LayerProfile const& layer : profile.layers) {
    Estimate const& estimate = layer.at(name);
    if (estimate.status != Status::ok) {
      throw std::invalid_argument("the statistic " + name.rule() + " is undefined in " +
                                  layer.name +
                                  (layer.reason.empty() ? "" : " (" + layer.reason + ")"));
    }
    result.push_back(estimate.mean);
  }
  return result;
}

/// The dimension (TwoNN by maximum likelihood) of all layers, in order.
/// Error: std::invalid_argument that names the first layer in which it is undefined.
inline std::vector<double> dimensions(Profile const& profile) {
  std::vector<double> result;
  for (LayerProfile const& layer : profile.layers) {
    if (layer.dimension.status != Status::ok) {
      throw std::invalid_argument("the intrinsic dimension is undefined in " + layer.name);
    }
    result.push_back(layer.dimension.mean);
  }
  return result;
}

}  // namespace tailor
