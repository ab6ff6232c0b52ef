#pragma once
// The work of every layer in every sample, and the profiles that follow from it.

#include <tailor/geometry/profile.hpp>      // tailor::Profile, tailor::estimate
#include <tailor/geometry/reliability.hpp>  // tailor::mean_rank_correlation
#include <tailor/geometry/work.hpp>         // tailor::Work

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tailor {

/// Samples of a profile, as they are taken: a stopping rule looks at one, and `measure` returns its
/// mean.
class SampledProfile {
 public:
  /// `frame` has the layers and everything about them but what samples say.
  explicit SampledProfile(Profile frame) : frame_(std::move(frame)), work_(frame_.layers.size()) {}

  int layers() const { return int(work_.size()); }
  int samples() const { return int(work_[0].size()); }
  Work const& at(int layer, int sample) const {
    return work_[std::size_t(layer)][std::size_t(sample)];
  }
  Work& at(int layer, int sample) { return work_[std::size_t(layer)][std::size_t(sample)]; }

  /// Room for this many samples; those that are there stay.
  void resize(int samples) {
    for (std::vector<Work>& layer : work_) layer.resize(std::size_t(samples));
  }

  /// The mean over all samples, with how well they agree.
  Profile mean() const {
    Profile profile = averaged(-1);
    for (std::size_t i = 0; i < profile.reliability.size(); ++i) {
      profile.rank_correlation[i] = mean_rank_correlation(profiles_of(i));
      if (auto const r = profile.rank_correlation[i]) {
        profile.reliability[i] = reliability_of_mean(*r, samples());
      }
    }
    return profile;
  }

  /// The mean over all samples but one, for the jackknife. Without correlations.
  /// Domain: sample in [0, samples()), of two or more.
  /// @post   the mean of all means without one sample is the mean
  Profile mean_without(int sample) const { return averaged(sample); }

 private:
  Profile averaged(int omitted) const {
    Profile profile = frame_;
    profile.samples = samples() - (omitted >= 0 ? 1 : 0);
    for (std::size_t l = 0; l < work_.size(); ++l) average(profile.layers[l], work_[l], omitted);
    return profile;
  }

  static void average(LayerProfile& layer, std::span<Work const> work, int omitted) {
    auto const over_samples = [&](auto const& value_of) {
      std::vector<double> values;
      for (int s = 0; s < int(work.size()); ++s) {
        auto const& result = value_of(work[std::size_t(s)]);
        if (s != omitted && result.outcome.status == Status::ok) values.push_back(result.value);
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
    for (int s = 0; s < int(work.size()); ++s) {
      auto const& starts = work[std::size_t(s)].starts;
      for (std::size_t g = 0; g < starts.size(); ++g) {
        if (s != omitted && starts[g]) ++layer.starts[g][std::size_t(*starts[g])];
      }
    }
  }

  /// Statistic i of every sample, over the layers in which every sample has it.
  /// Shapes: [sample][layer].
  std::vector<std::vector<double>> profiles_of(std::size_t i) const {
    std::vector<std::vector<double>> profiles(work_[0].size());
    for (std::vector<Work> const& layer : work_) {
      bool const defined = std::all_of(layer.begin(), layer.end(), [i](Work const& sample) {
        return sample.statistics[i].outcome.status == Status::ok;
      });
      for (std::size_t s = 0; defined && s < layer.size(); ++s) {
        profiles[s].push_back(layer[s].statistics[i].value);
      }
    }
    return profiles;
  }

  Profile frame_;
  std::vector<std::vector<Work>> work_;  ///< [layer][sample]
};

}  // namespace tailor
