#pragma once
// The profile of a model: the nine work statistics of every layer, averaged over samples of tokens.

#include <tailor/device/device.hpp>             // tailor::Device
#include <tailor/geometry/cloud.hpp>            // tailor::Cloud, tailor::massive_tokens
#include <tailor/geometry/measure_options.hpp>  // tailor::MeasureOptions
#include <tailor/geometry/points.hpp>           // tailor::token_faults
#include <tailor/geometry/profile.hpp>          // tailor::Profile
#include <tailor/geometry/reliability.hpp>      // tailor::mean_reliability
#include <tailor/geometry/sample.hpp>           // tailor::sample_without_replacement
#include <tailor/geometry/work.hpp>             // tailor::work

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// Throws std::invalid_argument unless the options make sense and the clouds are pairs of one
/// shape, all of the same tokens.
inline void check(std::span<Cloud const> clouds, MeasureOptions const& options) {
  if (options.samples < 1 || options.tokens < 1) {
    throw std::invalid_argument("measure: at least one sample of one token expected, got " +
                                std::to_string(options.samples) + " of " +
                                std::to_string(options.tokens));
  }
  Hyperbolic{.rho = options.rho, .curvature = options.curvature}.check();
  if (clouds.empty())
    throw std::invalid_argument("measure: the clouds of at least one layer expected");
  for (Cloud const& cloud : clouds) {
    check(cloud);
    if (cloud.tokens() != clouds[0].tokens()) {
      throw std::invalid_argument("measure: all layers need the same tokens, layer " +
                                  clouds[0].layer + " has " + std::to_string(clouds[0].tokens()) +
                                  " and layer " + cloud.layer + " has " +
                                  std::to_string(cloud.tokens()));
    }
  }
}

/// The given rows of a matrix.
inline HostMatrix rows_at(MatrixView<float const> x, std::span<int const> rows) {
  HostMatrix result(int(rows.size()), x.cols);
  for (int i = 0; i < result.rows(); ++i) {
    std::copy_n(x.row(rows[std::size_t(i)]), x.cols, result.view().row(i));
  }
  return result;
}

/// Everything about a profile but the statistics: massive tokens, counts, names.
inline Profile empty_profile(std::span<Cloud const> clouds, MeasureOptions const& options) {
  Profile profile{.options = options, .cloud_tokens = clouds[0].tokens()};
  profile.options.progress = {};
  std::set<int> left_out;
  for (Cloud const& cloud : clouds) {
    LayerProfile& layer = profile.layers.emplace_back();
    layer.name = cloud.layer;
    layer.massive_tokens = massive_tokens(cloud);
    layer.massive = int(layer.massive_tokens.size());
    if (!options.keep_massive) {
      left_out.insert(layer.massive_tokens.begin(), layer.massive_tokens.end());
    }
    auto const faults = either_fault(token_faults(cloud.before.view(), Measures::directions),
                                     token_faults(cloud.after.view(), Measures::directions));
    Outcome const outcome = token_outcome(faults);
    layer.undefined = outcome.n_undefined;
    layer.reason = outcome.reason;
  }
  profile.left_out.assign(left_out.begin(), left_out.end());
  int const available = profile.cloud_tokens - int(profile.left_out.size());
  profile.tokens = std::min(options.tokens, available);
  profile.samples = available > options.tokens ? options.samples : 1;
  for (LayerProfile& layer : profile.layers) layer.tokens = profile.tokens;
  return profile;
}

/// The tokens of every sample, drawn among those not left out.
inline std::vector<std::vector<int>> draw_samples(Profile const& profile) {
  std::vector<int> available;
  for (int token = 0; token < profile.cloud_tokens; ++token) {
    if (!std::binary_search(profile.left_out.begin(), profile.left_out.end(), token)) {
      available.push_back(token);
    }
  }
  std::vector<std::vector<int>> samples;
  for (int s = 0; s < profile.samples; ++s) {
    auto& tokens = samples.emplace_back(sample_without_replacement(
        profile.tokens, int(available.size()), profile.options.seed, std::uint64_t(s)));
    for (int& token : tokens) token = available[std::size_t(token)];
  }
  return samples;
}

/// The means of one layer over its samples.
inline void average(LayerProfile& layer, std::span<Work const> samples) {
  auto const over_samples = [&](auto const& value_of) {
    std::vector<double> values;
    for (Work const& work : samples) {
      auto const& result = value_of(work);
      if (result.outcome.status == Status::ok) values.push_back(result.value);
    }
    return estimate(values);
  };
  for (std::size_t i = 0; i < layer.statistics.size(); ++i) {
    layer.statistics[i] =
        over_samples([i](Work const& w) -> WorkValue const& { return w.statistics[i]; });
  }
  layer.dimension = over_samples([](Work const& w) -> Dimension const& { return w.dimension; });
  layer.participation_ratio =
      over_samples([](Work const& w) -> Dimension const& { return w.participation_ratio; });
  for (std::size_t g = 0; g < layer.lower_bounds.size(); ++g) {
    layer.lower_bounds[g] =
        over_samples([g](Work const& w) -> WorkValue const& { return w.lower_bounds[g]; });
  }
  for (Work const& work : samples) {
    for (std::size_t g = 0; g < work.starts.size(); ++g) {
      if (work.starts[g]) ++layer.starts[g][std::size_t(*work.starts[g])];
    }
  }
}

/// The reliability of the mean of statistic i, over the layers in which every sample has it.
/// Shapes: work [layer][sample].
inline std::optional<double> reliability_of(std::span<std::vector<Work> const> work,
                                            std::size_t i) {
  std::vector<std::vector<double>> profiles(work[0].size());
  for (std::vector<Work> const& layer : work) {
    bool const defined = std::all_of(layer.begin(), layer.end(), [i](Work const& sample) {
      return sample.statistics[i].outcome.status == Status::ok;
    });
    for (std::size_t s = 0; defined && s < layer.size(); ++s) {
      profiles[s].push_back(layer[s].statistics[i].value);
    }
  }
  return mean_reliability(profiles);
}

/// The profile of a model from the clouds of its layers: several random samples of tokens, the same
/// tokens in all layers, and per layer the mean of each statistic over the samples. Tokens massive
/// in some layer are left out of all, counted and named, unless they are to be kept. Clouds that
/// are not larger than a sample are used whole, once, and have no standard error.
/// Cost:   layers x samples times that of work(), spread over the host threads of the device.
/// Error:  std::invalid_argument that names the layer whose clouds differ in shape, or the two
///         layers that differ in tokens; std::length_error over options.limit_bytes.
/// @post   the profile is the same bits for every number of threads
/// Source: Geometry-Guided Layerwise FFN Width Allocation; samples and exclusion are ours.
template <Device D>
Profile measure(D& dev, std::vector<Cloud> const& clouds, MeasureOptions const& options = {}) {
  check(clouds, options);
  Profile profile = empty_profile(clouds, options);
  auto const samples = draw_samples(profile);
  WorkOptions const work_options{.ball = {.rho = options.rho, .curvature = options.curvature},
                                 .gromov_wasserstein = options.gromov_wasserstein,
                                 .limit_bytes = options.limit_bytes};
  std::vector<std::vector<Work>> results(clouds.size(), std::vector<Work>(samples.size()));
  int const total = int(clouds.size() * samples.size());
  int done = 0;
  std::mutex reporting;
  parallel(dev, std::int64_t(total), [&](std::int64_t task) {
    std::size_t const layer = std::size_t(task) / samples.size();
    std::size_t const sample = std::size_t(task) % samples.size();
    HostMatrix const before = rows_at(clouds[layer].before.view(), samples[sample]);
    HostMatrix const after = rows_at(clouds[layer].after.view(), samples[sample]);
    results[layer][sample] = work(dev, before.view(), after.view(), work_options);
    if (options.progress) {
      std::lock_guard const lock(reporting);
      options.progress(++done, total);
    }
  });
  for (std::size_t l = 0; l < clouds.size(); ++l) average(profile.layers[l], results[l]);
  for (std::size_t i = 0; i < profile.reliability.size(); ++i) {
    profile.reliability[i] = reliability_of(results, i);
  }
  return profile;
}

}  // namespace tailor
