#pragma once
// The profile of a model: the nine work statistics of every layer, averaged over samples of tokens.

#include <tailor/device/device.hpp>             // tailor::Device
#include <tailor/geometry/cloud.hpp>            // tailor::Cloud, tailor::massive_tokens
#include <tailor/geometry/measure_options.hpp>  // tailor::MeasureOptions
#include <tailor/geometry/points.hpp>           // tailor::token_faults
#include <tailor/geometry/profile.hpp>          // tailor::Profile
#include <tailor/geometry/sample.hpp>           // tailor::sample_without_replacement
#include <tailor/geometry/sampled_profile.hpp>  // tailor::SampledProfile
#include <tailor/geometry/stopping_rule.hpp>    // tailor::Stability
#include <tailor/geometry/work.hpp>             // tailor::work

#include <algorithm>
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
  profile.options.until = {};
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
  for (LayerProfile& layer : profile.layers) layer.tokens = profile.tokens;
  return profile;
}

/// The tokens of the first `count` samples, drawn among those not left out.
inline std::vector<std::vector<int>> draw_samples(Profile const& profile, int count) {
  std::vector<int> available;
  for (int token = 0; token < profile.cloud_tokens; ++token) {
    if (!std::binary_search(profile.left_out.begin(), profile.left_out.end(), token)) {
      available.push_back(token);
    }
  }
  std::vector<std::vector<int>> samples;
  for (int s = 0; s < count; ++s) {
    auto& tokens = samples.emplace_back(sample_without_replacement(
        profile.tokens, int(available.size()), profile.options.seed, std::uint64_t(s)));
    for (int& token : tokens) token = available[std::size_t(token)];
  }
  return samples;
}

/// The work of every sample of tokens that is not there yet.
template <Device D>
void take_samples(D& dev, std::vector<Cloud> const& clouds, MeasureOptions const& options,
                  std::vector<std::vector<int>> const& tokens, SampledProfile& sampled) {
  WorkOptions const work_options{.ball = {.rho = options.rho, .curvature = options.curvature},
                                 .gromov_wasserstein = options.gromov_wasserstein,
                                 .limit_bytes = options.limit_bytes};
  int const layers = sampled.layers();
  int const first = sampled.samples();
  int const samples = int(tokens.size());
  sampled.resize(samples);
  int done = layers * first;
  std::mutex reporting;
  parallel(dev, std::int64_t(layers) * (samples - first), [&](std::int64_t task) {
    int const layer = int(task % layers);
    int const sample = first + int(task / layers);
    Cloud const& cloud = clouds[std::size_t(layer)];
    HostMatrix const before = rows_at(cloud.before.view(), tokens[std::size_t(sample)]);
    HostMatrix const after = rows_at(cloud.after.view(), tokens[std::size_t(sample)]);
    sampled.at(layer, sample) = work(dev, before.view(), after.view(), work_options);
    if (options.progress) {
      std::lock_guard const lock(reporting);
      options.progress(++done, layers * samples);
    }
  });
}

/// Samples added at a time where a stopping rule asks for more.
inline constexpr int samples_of_a_round = 5;

/// The profile of a model from the clouds of its layers: several random samples of tokens, the same
/// tokens in all layers, and per layer the mean of each statistic over the samples. Tokens massive
/// in some layer are left out of all, counted and named, unless they are to be kept. Clouds that
/// are not larger than a sample are used whole, once, and have no standard error. With
/// options.until samples are added until that rule is content or there are options.most_samples;
/// `stability` then says which.
/// Cost:   layers x samples times that of work(), spread over the host threads of the device.
/// Error:  std::invalid_argument that names the layer whose clouds differ in shape, or the two
///         layers that differ in tokens; std::length_error over options.limit_bytes.
/// @post   the profile is the same bits for every number of threads
/// @post   a profile with added samples is the one that had them from the start
/// Source: Geometry-Guided Layerwise FFN Width Allocation; samples and exclusion are ours.
template <Device D>
Profile measure(D& dev, std::vector<Cloud> const& clouds, MeasureOptions const& options = {}) {
  check(clouds, options);
  Profile const frame = empty_profile(clouds, options);
  bool const whole = frame.tokens >= frame.cloud_tokens - int(frame.left_out.size());
  int const most = whole ? 1 : std::max(options.samples, options.most_samples);
  SampledProfile sampled(frame);
  int samples = whole ? 1 : options.samples;
  std::optional<Stability> stability;
  for (;;) {
    take_samples(dev, clouds, options, draw_samples(frame, samples), sampled);
    if (options.until) stability = options.until(sampled);
    if (!stability || stability->stable || samples == most) break;
    samples = std::min(samples + samples_of_a_round, most);
  }
  Profile profile = sampled.mean();
  profile.stability = std::move(stability);
  return profile;
}

}  // namespace tailor
