// Gromov-Wasserstein of activation-like clouds by their angles, one thread: pairs of points of
// either cloud a second, by starts.

#include <benchmark/benchmark.h>

#include <stdexcept>
#include <tailor/cpu/device.hpp>                   // tailor::cpu::Device
#include <tailor/cpu/gemm.hpp>                     // gemm of the CPU device
#include <tailor/cpu/primitives.hpp>               // buffer, upload, download of the CPU device
#include <tailor/geometry/distances.hpp>           // tailor::distances
#include <tailor/geometry/gromov_wasserstein.hpp>  // tailor::gromov_wasserstein
#include <tailor/geometry/metric.hpp>              // tailor::Spherical

#include "clouds.hpp"

namespace {

void gromov_wasserstein(benchmark::State& state, tailor::GromovWassersteinOptions const& options) {
  int const n = static_cast<int>(state.range(0));
  tailor::cpu::Device device{{.threads = 1}};
  tailor::Cloud const cloud = tailor_bench::activations({.tokens = n});
  auto const angles = [&](tailor::HostMatrix const& points) {
    return tailor::distances(device, points.view(), tailor::Spherical{}).matrix;
  };
  tailor::DenseDistances const before = angles(cloud.before);
  tailor::DenseDistances const after = angles(cloud.after);
  auto const once = tailor::gromov_wasserstein(device, before, after, options);
  if (!once.converged || !(once.lower_bound <= once.distortion)) {
    throw std::runtime_error("gromov_wasserstein: no stationary value above its lower bound");
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(tailor::gromov_wasserstein(device, before, after, options).gw_sq);
  }
  state.counters["distortion"] = once.distortion;
  state.SetItemsProcessed(state.iterations() * n * n);
}

constexpr tailor::GromovWassersteinOptions from_identity{.product = false, .best_anchor = false};
constexpr tailor::GromovWassersteinOptions from_product{
    .identity = false, .best_anchor = false, .exchanges = false};  // as other libraries do
constexpr tailor::GromovWassersteinOptions from_three{};
constexpr tailor::GromovWassersteinOptions with_third_bound{.third_lower_bound = true};

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(256)->Arg(512)->Arg(1024)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(gromov_wasserstein, identity, from_identity)->Apply(sizes);
BENCHMARK_CAPTURE(gromov_wasserstein, product, from_product)->Apply(sizes);
BENCHMARK_CAPTURE(gromov_wasserstein, three_starts, from_three)->Apply(sizes);
BENCHMARK_CAPTURE(gromov_wasserstein, third_bound, with_third_bound)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
