// Which peak learning rate suits which size: trains one model per size and rate and prints the
// validation loss of each. The default rate (train/learning_rate.hpp) was set from this table.
//   bench_learning_rate_sweep FILE-OR-FOLDER [STEPS [THREADS]]
// What to look for: how the best rate moves with the size.

#include <tailor/arch/budget.hpp>  // tailor::parameters
#include <tailor/arch/plan.hpp>    // tailor::Plan
#include <tailor/cpu.hpp>          // tailor::cpu::Device
#include <tailor/train/train.hpp>  // tailor::load_corpus, tailor::train

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace {

struct Size {
  int d_model, layers;
};

tailor::Plan plan_of(Size size) {
  tailor::Plan plan{.d_model = size.d_model, .vocab = 256, .context = 64};
  int const heads = size.d_model / 16;
  plan.layers.assign(
      std::size_t(size.layers),
      tailor::LayerPlan{
          .heads = heads, .kv_heads = heads, .head_dim = 16, .widths = {4 * size.d_model}});
  return plan;
}

double final_loss(tailor::cpu::Device& device, tailor::Corpus const& corpus,
                  tailor::Plan const& plan, double rate, int steps) {
  auto model = tailor::build<float>(device, plan, {.seed = 1});
  try {
    auto const history = tailor::train(
        device, model, corpus,
        {.steps = steps, .learning_rate = rate, .log_every = steps, .evaluate_windows = 256});
    return history.validation.back().loss;
  } catch (tailor::TrainingDiverged const&) {
    return -1;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::fprintf(stderr, "usage: learning_rate_sweep FILE-OR-FOLDER [STEPS [THREADS]]\n");
    return 2;
  }
  int const steps = argc > 2 ? std::atoi(argv[2]) : 300;
  tailor::cpu::Device device{{.threads = argc > 3 ? std::atoi(argv[3]) : 0}};
  auto const corpus = tailor::load_corpus(argv[1], {.length = 64});
  std::printf("%lld tokens (%s), %d steps of 1024 tokens, %s; validation loss, nats per byte\n",
              static_cast<long long>(corpus.tokens()), corpus.hash_text().c_str(), steps,
              name(device.instruction_set()));
  double const rates[] = {3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 1e-2, 2e-2};
  std::printf("%12s", "matrices");
  for (double rate : rates) std::printf(" %8.0e", rate);
  std::printf("   default\n");
  for (Size const size : {Size{32, 2}, Size{64, 2}, Size{96, 3}, Size{128, 4}, Size{192, 5}}) {
    auto const plan = plan_of(size);
    std::printf("%12lld", static_cast<long long>(tailor::parameters(plan)));
    for (double rate : rates) {
      std::printf(" %8.3f", final_loss(device, corpus, plan, rate, steps));
      std::fflush(stdout);
    }
    std::printf("   %.1e\n", tailor::default_learning_rate(tailor::parameters(plan)));
  }
} catch (std::exception const& error) {
  std::fprintf(stderr, "learning_rate_sweep: %s\n", error.what());
  return 1;
}
