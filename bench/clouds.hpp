#pragma once
// Clouds to measure speed on: uniform points on a sphere, where every algorithm has most to do, and
// clouds that look like the residual stream of a language model.
//
// The second kind has what was measured in a 135M model on prose:
//
//                                          there         here, n = 256 to 1024, layers 1 to 29
//   mean cosine between tokens             .52 to .72    .57 to .60
//   participation ratio of unit vectors    33 to 49      32 to 52
//   TwoNN                                  2 to 13       5.2 to 9.7
//   tokens that repeat an id               .71           .66 (256), .75 (1024)
//   of these, their nearest has that id    most, early   .98 to 1
//   a massive token from the third layer on: norm 24,000, nearly all in one coordinate
//   one token in a hundred with eight times the median norm
//
// `bench_geometry_peer describe TOKENS LAYER` prints the figures.

#include <tailor/geometry/cloud.hpp>   // tailor::Cloud, tailor::HostMatrix
#include <tailor/geometry/sample.hpp>  // tailor::SplitMix64

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace tailor_bench {

/// Normal variates from a counter.
class Normal {
 public:
  explicit Normal(std::uint64_t key) : random_(tailor::SplitMix64::mix(key)) {}

  double uniform() { return (double(random_() >> 11) + 0.5) * 0x1p-53; }
  double operator()() {
    double const radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  tailor::SplitMix64 random_;
};

/// n points, uniform on the unit sphere of R^d.
inline tailor::HostMatrix on_sphere(int n, int d, std::uint64_t seed) {
  tailor::HostMatrix points(n, d);
  Normal normal(seed);
  std::vector<double> x(static_cast<std::size_t>(d));
  for (int i = 0; i < n; ++i) {
    double squares = 0;
    for (double& coordinate : x) {
      coordinate = normal();
      squares += coordinate * coordinate;
    }
    for (int k = 0; k < d; ++k)
      points.view().row(i)[k] = float(x[std::size_t(k)] / std::sqrt(squares));
  }
  return points;
}

/// A pair of clouds on spheres that have nothing to do with each other.
inline tailor::Cloud sphere_pair(int n, std::uint64_t seed) {
  return {"sphere", on_sphere(n, 64, 2 * seed), on_sphere(n, 64, 2 * seed + 1)};
}

/// Ids of n tokens of a text: a Zipf law over 50,000 words.
inline std::vector<int> token_ids(int n, std::uint64_t seed) {
  constexpr int words = 50000;
  std::vector<double> cumulative(words);
  double sum = 0;
  for (int w = 0; w < words; ++w) cumulative[std::size_t(w)] = sum += 1 / std::pow(w + 3.0, 1.3);
  Normal random(seed ^ 0x1d5);
  std::vector<int> ids;
  for (int i = 0; i < n; ++i) {
    double const place = random.uniform() * sum;
    ids.push_back(
        int(std::lower_bound(cumulative.begin(), cumulative.end(), place) - cumulative.begin()));
  }
  return ids;
}

struct ActivationOptions {
  int tokens = 256;
  int layer = 15;
  int layers = 30;
  int d_model = 576;
  bool outliers = true;  ///< the massive token and the moderate ones
  std::uint64_t seed = 1;
};

/// The tokens entering and leaving the FFN of one layer. A token is a common direction, a part that
/// belongs to its id, and a part of its own; the spectrum of both parts decays as 1 / k^0.7. The
/// FFN adds a saturating function of the token, the larger the earlier the layer.
inline tailor::Cloud activations(ActivationOptions const& options) {
  int const n = options.tokens;
  int const d = options.d_model;
  double const depth = double(options.layer) / std::max(1, options.layers - 1);
  double const norm = 54 + 670 * depth * depth;
  double const common = 0.6;               // share of the squared norm: the mean cosine
  double const own = 0.05 + 0.15 * depth;  // share of the rest that is not the id's
  double const moved = 0.45 - 0.35 * depth + (options.layer == options.layers - 1 ? 0.3 : 0.0);

  std::vector<double> spectrum(static_cast<std::size_t>(d));
  double total = 0;
  for (int k = 0; k < d; ++k) total += spectrum[std::size_t(k)] = 1 / std::pow(k + 1.0, 0.7);
  for (double& s : spectrum) s = std::sqrt((1 - common) * s / total);

  Normal shared(options.seed * 1000003 + std::uint64_t(options.layer));
  std::vector<double> centre(static_cast<std::size_t>(d));
  double squares = 0;
  for (double& c : centre) {
    c = shared();
    squares += c * c;
  }
  for (double& c : centre) c *= std::sqrt(common / squares);
  std::vector<int> source(static_cast<std::size_t>(8 * d));
  std::vector<double> sign(source.size());
  for (std::size_t k = 0; k < source.size(); ++k) {
    source[k] = std::min(d - 1, int(shared.uniform() * d));
    sign[k] = shared.uniform() < 0.5 ? -1 : 1;
  }

  std::vector<int> const ids = token_ids(n, options.seed);
  tailor::Cloud cloud{"layer " + std::to_string(options.layer), {n, d}, {n, d}};
  std::vector<double> x(static_cast<std::size_t>(d));
  std::vector<double> change(static_cast<std::size_t>(d));
  for (int i = 0; i < n; ++i) {
    Normal of_id(options.seed * 7919 + std::uint64_t(options.layer) * 104729 +
                 std::uint64_t(ids[std::size_t(i)]) * 15485863);
    Normal of_token(~options.seed * 6151 + std::uint64_t(options.layer) * 49157 +
                    std::uint64_t(i) * 32452843);
    double const spread = std::sqrt(own) * std::exp(0.6 * of_token());
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] = centre[k] + spectrum[k] * (std::sqrt(1 - own) * of_id() + spread * of_token());
    }
    double size = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      double sum = 0;
      for (std::size_t e = 8 * k; e < 8 * k + 8; ++e) sum += sign[e] * x[std::size_t(source[e])];
      change[k] = std::tanh(8 * sum) - 0.3 * x[k];
      size += change[k] * change[k];
    }
    bool const massive = options.outliers && i == 0 && options.layer >= 2;
    bool const moderate = options.outliers && i % 97 == 53;
    double const scale = norm * (moderate ? 8 : 1) * std::exp(0.15 * of_token());
    double const step = moved / std::sqrt(size) * (massive ? 0.01 : 1);
    for (int k = 0; k < d; ++k) {
      double const spike = massive && k == 0 ? 24000 : 0;
      cloud.before.view().row(i)[k] = float(scale * x[std::size_t(k)] + spike);
      cloud.after.view().row(i)[k] =
          float(scale * (x[std::size_t(k)] + step * change[std::size_t(k)]) + spike);
    }
  }
  return cloud;
}

}  // namespace tailor_bench
