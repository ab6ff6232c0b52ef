// The pieces of the geometry engine (Gromov-Wasserstein has a program of its own) on clouds that look
// like activations, and where it matters on points of a sphere. Each result is checked before it is timed.
//   bench_geometry --benchmark_filter=H1

#include <benchmark/benchmark.h>

#include <cmath>
#include <span>
#include <vector>

#include <tailor/cpu.hpp>       // tailor::cpu::Device
#include <tailor/geometry.hpp>  // all that is timed

#include "clouds.hpp"

namespace {

tailor::Cloud activations(benchmark::State const& state) {
  return tailor_bench::activations({.tokens = int(state.range(0))});
}

tailor::Cloud sphere(benchmark::State const& state) {
  return tailor_bench::sphere_pair(int(state.range(0)), 1);
}

tailor::DenseDistances angles(tailor::HostMatrix const& cloud) {
  tailor::cpu::Device device({.threads = 1});
  return tailor::distances<tailor::Spherical>(device, cloud.view()).matrix;
}

void count_points(benchmark::State& state) {
  state.counters["points"] =
      benchmark::Counter(double(state.range(0)), benchmark::Counter::kIsIterationInvariantRate);
}

void count_pairs(benchmark::State& state, double pairs) {
  state.counters["pairs"] =
      benchmark::Counter(pairs, benchmark::Counter::kIsIterationInvariantRate);
}

template <class Metric>
void distances(benchmark::State& state) {
  tailor::Cloud const cloud = activations(state);
  tailor::cpu::Device device({.threads = 1});
  auto const again = tailor::distances<Metric>(device, cloud.before.view());
  if (again(0, 1) != again(1, 0) || again(1, 1) != 0) state.SkipWithError("not distances");
  for (auto _ : state) {
    benchmark::DoNotOptimize(tailor::distances<Metric>(device, cloud.before.view()));
  }
  count_pairs(state, double(state.range(0)) * double(state.range(0) - 1) / 2);
}

template <class Metric>
void shift(benchmark::State& state) {
  tailor::Cloud const cloud = activations(state);
  tailor::cpu::Device device({.threads = 1});
  if (tailor::shift<Metric>(device, cloud.before.view(), cloud.before.view()).mean != 0) {
    state.SkipWithError("a cloud has moved from itself");
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        tailor::shift<Metric>(device, cloud.before.view(), cloud.after.view()));
  }
  count_points(state);
}

template <tailor::Cloud (*clouds)(benchmark::State const&)>
void h1(benchmark::State& state) {
  tailor::DenseDistances const d = angles(clouds(state).before);
  auto const diagram = tailor::rips_h1(d);
  if (diagram.births != diagram.bars.size() + diagram.zero_length) {
    state.SkipWithError("classes are missing");
  }
  for (auto _ : state) benchmark::DoNotOptimize(tailor::rips_h1(d));
  count_points(state);
  state.counters["bars"] = double(diagram.bars.size());
}

template <tailor::Cloud (*clouds)(benchmark::State const&)>
void w2(benchmark::State& state) {
  tailor::Cloud const cloud = clouds(state);
  std::vector<tailor::Bar> const x = tailor::rips_h1(angles(cloud.before)).bars;
  std::vector<tailor::Bar> const y = tailor::rips_h1(angles(cloud.after)).bars;
  double const there = tailor::wasserstein2(x, y).value;
  double const back = tailor::wasserstein2(y, x).value;
  if (!(std::abs(there - back) <= 1e-12 * there)) state.SkipWithError("not symmetric");
  for (auto _ : state) benchmark::DoNotOptimize(tailor::wasserstein2(x, y));
  count_pairs(state, double(x.size()) * double(y.size()));
}

void dimension(benchmark::State& state) {
  tailor::DenseDistances const d = angles(activations(state).before);
  if (!(tailor::two_nn_mle(d).value > 0)) state.SkipWithError("no dimension");
  for (auto _ : state) {
    benchmark::DoNotOptimize(tailor::two_nn_mle(d));
    benchmark::DoNotOptimize(tailor::participation_ratio(d));
  }
  count_points(state);
}

void work(benchmark::State& state) {
  tailor::Cloud const cloud = activations(state);
  tailor::cpu::Device device({.threads = 1});
  if (tailor::work(device, cloud.before.view(), cloud.before.view()).statistics[0].value != 0) {
    state.SkipWithError("a cloud is work away from itself");
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(tailor::work(device, cloud.before.view(), cloud.after.view()));
  }
  count_points(state);
}

/// Two samples of 256 tokens from each of four layers, by threads: pairs of clouds a second.
void profile(benchmark::State& state) {
  std::vector<tailor::Cloud> clouds;
  for (int layer : {2, 10, 18, 26}) {
    clouds.push_back(tailor_bench::activations({.tokens = 1024, .layer = layer}));
  }
  tailor::cpu::Device device({.threads = int(state.range(0))});
  tailor::MeasureOptions const options{.samples = 2};
  for (tailor::LayerProfile const& layer : tailor::measure(device, clouds, options).layers) {
    for (tailor::Estimate const& statistic : layer.statistics) {
      if (statistic.samples != options.samples) state.SkipWithError("a sample is undefined");
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(tailor::measure(device, clouds, options));
  count_pairs(state, double(clouds.size()) * options.samples);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(2)->Range(256, 4096)->Unit(benchmark::kMillisecond);
}
void smaller_sizes(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(2)->Range(256, 1024)->Unit(benchmark::kMillisecond);
}

}  // namespace

BENCHMARK_TEMPLATE(distances, tailor::Euclidean)->Name("distances, Euclidean")->Apply(sizes);
BENCHMARK_TEMPLATE(distances, tailor::Spherical)->Name("distances, angles")->Apply(sizes);
BENCHMARK_TEMPLATE(distances, tailor::Hyperbolic)->Name("distances, hyperbolic")->Apply(sizes);
BENCHMARK_TEMPLATE(shift, tailor::Spherical)->Name("shift, angles")->Apply(sizes);
BENCHMARK_TEMPLATE(h1, activations)->Name("H1, activations")->Apply(sizes);
BENCHMARK_TEMPLATE(h1, sphere)->Name("H1, sphere")->Apply(smaller_sizes);
BENCHMARK_TEMPLATE(w2, activations)->Name("W2, activations")->Apply(sizes);
BENCHMARK_TEMPLATE(w2, sphere)
    ->Name("W2, sphere")
    ->Arg(256)
    ->Arg(512)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(dimension)->Name("dimension")->Apply(sizes);
BENCHMARK(work)->Name("nine statistics")->Apply(smaller_sizes);
BENCHMARK(profile)
    ->Name("profile, threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

BENCHMARK_MAIN();
