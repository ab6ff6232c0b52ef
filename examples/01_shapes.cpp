// An architecture is a type, and its parameter count is known to the compiler.
// What to look for: the static_asserts. Change one width and this file no longer compiles. What it
// prints is what equal budgets do not equalise: norms, sequential depth, memory.

#include <tailor/arch.hpp>  // shapes, Transformer, parameters, CosineTaper

#include <cstdio>

using namespace tailor;

constexpr Dims dims{.d_model = 768, .layers = 12, .heads = 12, .vocab = 50257, .context = 1024};

using Reference = Transformer<Conventional<4>, dims>;
using Deep = Transformer<Hourglass<4, 768>, dims>;
using Deeper = Transformer<Hourglass<8, 384>, dims>;
using Tapered = Transformer<CosineTaper<dims, 3072>, dims>;
using HalfAsDeep =
    Transformer<Hourglass<4, 512>,
                Dims{.d_model = 1536, .layers = 6, .heads = 24, .vocab = 50257, .context = 1024}>;

static_assert(parameters<Reference>() == 113'246'208);
static_assert(same_budget<Deep, Reference>);
static_assert(same_budget<Deeper, Reference>);
static_assert(same_budget<Tapered, Reference>);
static_assert(same_budget<HalfAsDeep, Reference>);               // attention and FFN together ...
static_assert(!same_budget<HalfAsDeep, Reference, Count::ffn>);  // ... but not the FFN alone

template <Architecture A>
void print(char const* name) {
  std::printf("%-12s %11lld %11lld %11lld %6d %8.0f %8.2f\n", name,
              static_cast<long long>(parameters<A>(Count::attention)),
              static_cast<long long>(parameters<A>(Count::ffn)),
              static_cast<long long>(parameters<A>(Count::all)), sequential_depth<A>(),
              static_cast<double>(training_flops_per_token<A>()) / 1e6,
              static_cast<double>(activation_bytes<A>(1024)) / (1 << 30));
}

int main() {
  std::printf("%-12s %11s %11s %11s %6s %8s %8s\n", "", "attention", "ffn", "all", "depth", "MFLOP",
              "GiB");
  print<Reference>("reference");
  print<Deep>("hourglass 4");
  print<Deeper>("hourglass 8");
  print<Tapered>("tapered");
  print<HalfAsDeep>("half as deep");
  std::printf(
      "MFLOP: training, per token. GiB: activations of 1024 tokens. Norms make `all` differ.\n");
}
