#pragma once
// How the nine work statistics are taken.

#include <tailor/geometry/gromov_wasserstein.hpp>  // tailor::GromovWassersteinOptions
#include <tailor/geometry/metric.hpp>              // tailor::Hyperbolic
#include <tailor/geometry/stopping_rule.hpp>       // tailor::StoppingRule

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace tailor {

/// The names of the starts of the Gromov-Wasserstein distance, in the order of their enumerators.
inline constexpr std::array<std::string_view, 5> gromov_wasserstein_starts{
    "identity", "product", "best-anchor", "all-anchors", "all-anchor-pairs"};
static_assert(gromov_wasserstein_starts.size() ==
                  std::size_t(GromovWassersteinStart::all_anchor_pairs) + 1,
              "gromov_wasserstein_starts: every start needs a name");

/// The option that asks for each of them.
inline constexpr std::array<bool GromovWassersteinOptions::*, gromov_wasserstein_starts.size()>
    gromov_wasserstein_start_options{
        &GromovWassersteinOptions::identity, &GromovWassersteinOptions::product,
        &GromovWassersteinOptions::best_anchor, &GromovWassersteinOptions::all_anchors,
        &GromovWassersteinOptions::all_anchor_pairs};

/// Options of one measurement of a pair of clouds.
struct WorkOptions {
  Hyperbolic ball = {};                              ///< radius rho and curvature c of the ball
  GromovWassersteinOptions gromov_wasserstein = {};  ///< starts and iterations
  std::size_t limit_bytes = std::size_t(4) << 30;    ///< more than this is refused
};

/// Options of a profile.
struct MeasureOptions {
  int samples = 10;           ///< samples of tokens, the same tokens in all layers
  int most_samples = 40;      ///< with `until`: no more than these
  int tokens = 256;           ///< tokens in a sample; smaller clouds are used whole, once
  std::uint64_t seed = 0;     ///< of the samples
  bool keep_massive = false;  ///< keep tokens with norms over 20 medians
  double rho = 0.5;           ///< radius of the hyperbolic map as a share of the ball's
  double curvature = 1;       ///< c > 0: the ball has curvature -c
  GromovWassersteinOptions gromov_wasserstein = {};
  std::size_t limit_bytes = std::size_t(4) << 30;  ///< for one layer and sample
  /// Where there is one, samples are added, five at a time, until it says stable.
  StoppingRule until = {};
  /// Called with (done, total) after every layer of every sample, never twice at a time. The total
  /// grows where samples are added.
  std::function<void(int, int)> progress = {};
};

}  // namespace tailor
