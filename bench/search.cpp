// The matched-budget search at 113M over the paper's ranges. Items are attention layouts times
// sub-blocks: what is examined per second.

#include <benchmark/benchmark.h>

#include <stdexcept>
#include <tailor/arch/search.hpp>  // tailor::search

namespace {

constexpr std::int64_t target = 113'246'208;

void search_free_attention(benchmark::State& state) {
  tailor::SearchSpace const space;
  auto const once = tailor::search(space, target);
  for (auto const& match : once.best) {
    if (tailor::parameters(match.configuration, space.activation) != match.parameters)
      throw std::runtime_error("search: a match has another count than it says");
  }
  for (auto _ : state) benchmark::DoNotOptimize(tailor::search(space, target).found);
  state.counters["found"] = static_cast<double>(once.found);
  state.SetItemsProcessed(state.iterations() * 8 * 33 * 241 * 64);
}

BENCHMARK(search_free_attention)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
