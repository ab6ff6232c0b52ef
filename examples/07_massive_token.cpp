// Why massive tokens are left out of a profile, and why profiles are compared at equal numbers of
// tokens. What to look for: one massive token among 256 multiplies the raw distortion by more than
// a hundred and leaves every angle alone; the topological work of one and the same layer grows with
// the number of tokens drawn from it.

#include <tailor/cpu.hpp>                      // tailor::cpu::Device
#include <tailor/geometry/distances.hpp>       // distances
#include <tailor/geometry/rips_h1.hpp>         // rips_h1
#include <tailor/geometry/statistic_name.hpp>  // all_statistics
#include <tailor/geometry/wasserstein.hpp>     // wasserstein2
#include <tailor/geometry/work.hpp>            // work

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

constexpr int dimension = 256;

/// Tokens entering and leaving an FFN branch.
struct Layer {
  std::vector<float> before, after;
};

/// As inside a language model: a common mean direction, a spectrum that decays after some thirty
/// directions, a small step.
Layer tokens_of_a_layer(int tokens, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> mean;
  for (int j = 0; j < dimension; ++j) mean.push_back(normal(engine));
  Layer layer;
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < dimension; ++j) {
      double const scale = 1 / std::sqrt(1 + j / 32.0);
      double const x = mean[std::size_t(j)] + 2 * scale * normal(engine);
      layer.before.push_back(float(x));
      layer.after.push_back(float(x + 0.3 * scale * normal(engine)));
    }
  }
  return layer;
}

tailor::MatrixView<float const> cloud(std::vector<float> const& values) {
  return tailor::matrix(values.data(), int(values.size()) / dimension, dimension);
}

void one_massive_token(tailor::cpu::Device& device) {
  Layer layer = tokens_of_a_layer(256, 1);
  tailor::Work const without = tailor::work(device, cloud(layer.before), cloud(layer.after));
  for (std::size_t j = 0; j < dimension; ++j) {  // the norms of real ones: 400 medians
    layer.before[j] *= 400;
    layer.after[j] *= 440;
  }
  tailor::Work const with = tailor::work(device, cloud(layer.before), cloud(layer.after));
  std::printf("one massive token of 256 multiplies\n");
  for (tailor::StatisticName const name : tailor::all_statistics) {
    std::printf("  %-24s by %.3g\n", name.rule().c_str(),
                with.at(name).value / without.at(name).value);
  }
}

/// W2 of the H1 diagrams by angle, the mean over some layers.
double topological_work(tailor::cpu::Device& device, int tokens) {
  constexpr int layers = 4;
  double sum = 0;
  for (unsigned seed = 1; seed <= layers; ++seed) {
    Layer const layer = tokens_of_a_layer(tokens, seed);
    auto const bars = [&](std::vector<float> const& values) {
      return tailor::rips_h1(tailor::distances<tailor::Spherical>(device, cloud(values))).bars;
    };
    auto const before = bars(layer.before);
    auto const after = bars(layer.after);
    sum += tailor::wasserstein2(std::span<tailor::Bar const>(before),
                                std::span<tailor::Bar const>(after))
               .value;
  }
  return sum / layers;
}

int main() {
  tailor::cpu::Device device;
  one_massive_token(device);

  std::printf("topological/spherical by number of tokens\n");
  constexpr int fewest = 64;
  double const first = topological_work(device, fewest);
  std::printf("  %4d  %.4f\n", fewest, first);
  for (int const tokens : {128, 256, 512}) {
    double const work = topological_work(device, tokens);
    std::printf("  %4d  %.4f  like n^%.2f\n", tokens, work,
                std::log(work / first) / std::log(double(tokens) / fewest));
  }
}
