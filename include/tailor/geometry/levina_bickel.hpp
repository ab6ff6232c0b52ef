#pragma once
// The intrinsic dimension by maximum likelihood over several neighbours of every token.

#include <tailor/geometry/dimension.hpp>          // tailor::Dimension
#include <tailor/geometry/distance_matrix.hpp>    // tailor::DistanceMatrix
#include <tailor/geometry/nearest_distances.hpp>  // tailor::nearest_distances

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tailor {

/// How the estimates of single tokens become one. `mackay_ghahramani`: the inverse of the mean of
/// their inverses, which maximises the likelihood of all tokens together; `levina_bickel`: their
/// mean, as first published, which is too large by (k - 1) / (k - 2) on average.
enum class DimensionAverage { mackay_ghahramani, levina_bickel };

struct LevinaBickelOptions {
  int neighbours = 20;  ///< k, at least 2: smaller is more local and noisier
  DimensionAverage average = DimensionAverage::mackay_ghahramani;
};

/// The dimension in which the distances T_1 <= ... <= T_k from a token to its nearest k neighbours
/// are most likely, (k - 1) / sum_j ln(T_k / T_j), averaged over tokens.
/// Cost:   O(n^2).
/// Domain: k is n - 1 in a cloud of fewer than k + 1 tokens. Undefined below 3 tokens, where all
///         have duplicates, or all k neighbours of one token (levina_bickel) or of every token are
///         at one distance. A token with a duplicate is left out and counted.
/// Error:  std::invalid_argument for fewer than two neighbours.
/// @post   with two neighbours the maximum likelihood is that of TwoNN
/// @post   the maximum likelihood is unchanged by scaling the distances
/// @post   the maximum likelihood finds the dimension of spheres
/// Source: Levina and Bickel 2005; MacKay and Ghahramani 2005, comments on it.
template <DistanceMatrix D>
Dimension levina_bickel(D const& d, LevinaBickelOptions options = {}) {
  if (options.neighbours < 2) {
    throw std::invalid_argument("levina_bickel: at least 2 neighbours expected, got " +
                                std::to_string(options.neighbours));
  }
  int const k = std::max(2, std::min(options.neighbours, int(d.size()) - 1));
  NearestDistances const nearest = nearest_distances(d, k);
  int const used = nearest.size();
  double inverses = 0;
  double estimates = 0;
  for (int i = 0; i < used; ++i) {
    double sum = 0;
    for (double const distance : nearest[i]) sum += std::log(nearest[i].back() / distance);
    inverses += sum / (k - 1);
    estimates += (k - 1) / sum;
  }
  double const value =
      options.average == DimensionAverage::mackay_ghahramani ? used / inverses : estimates / used;
  Dimension result{.value = value, .outcome = nearest.outcome};
  if (used > 0 && !std::isfinite(value)) {
    result.outcome.status = Status::undefined;
    result.outcome.reason = "all neighbours of a token are at one distance";
  }
  if (result.outcome.status != Status::ok) result.value = 0;
  return result;
}

}  // namespace tailor
