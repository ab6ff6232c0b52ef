#include <tailor/train/trainer.hpp>

#include <support/catch.hpp>
#include <support/naive_device.hpp>
#include <support/thrown_message.hpp>
#include <train/counting.hpp>
#include <train/support.hpp>

#include <cmath>
#include <vector>

using namespace tailor;

namespace {

template <class D>
struct Setting {
  D dev;
  Corpus corpus = tiny_corpus();
  Model<double, D> model = build<double, TinyModel>(dev, {.seed = 4});

  Trainer<double, D> trainer(TrainOptions const& options) {
    return {dev, model, corpus.train, resolved(options, model.plan)};
  }
};

std::vector<double> values(VectorView<double const> view) {
  return {view.data, view.data + view.size};
}

double norm(std::vector<double> const& x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("inside a step nothing is allocated and nothing returns to the host", "[train]") {
  counting::Device dev;
  auto const corpus = tiny_corpus();
  auto model = build<float, TinyModel>(dev);
  Trainer<float, counting::Device> trainer(dev, model, corpus.train,
                                           resolved({.sequences = 3, .accumulate = 2}, model.plan));
  trainer.step(dev);
  auto const allocations = counting::allocations();
  int const downloads = dev.downloads, buffers = dev.buffers;
  for (int i = 0; i < 3; ++i) trainer.step(dev);
  CHECK(counting::allocations() == allocations);
  CHECK(dev.downloads == downloads);
  CHECK(dev.buffers == buffers);
  CHECK(trainer.state(dev).step == 4);
  CHECK(dev.downloads == downloads + 1);
}

TEST_CASE("a step is AdamW on the clipped gradient, with decay on all but gains", "[train]") {
  Setting<naive::Device> s;
  TrainOptions const options{
      .sequences = 2, .learning_rate = 0.01, .warmup = 1, .weight_decay = 0.2, .clip = 0.05};
  auto trainer = s.trainer(options);
  auto const before = values(s.model.parameters.view());
  trainer.step(s.dev);
  auto const after = values(s.model.parameters.view());
  auto const g = values(trainer.gradients());
  double const scale = 0.05 / norm(g);
  REQUIRE(scale < 1);
  for (auto const& tensor : s.model.layout.tensors) {
    for (auto i = std::size_t(tensor.offset); i < std::size_t(tensor.offset + tensor.size()); ++i) {
      // After one step the corrected means are the gradient and its square.
      double const step = scale * g[i] / (std::abs(scale * g[i]) + 1e-8);
      double const decay = tensor.role == Role::gain ? 0 : 0.2 * before[i];
      CHECK(after[i] == Approx(before[i] - 0.01 * (step + decay)).epsilon(1e-9).margin(1e-15));
    }
  }
}

TEST_CASE("accumulated batches are one large batch", "[train]") {
  Setting<cpu::Device> one, four;
  auto large = one.trainer({.sequences = 8, .accumulate = 1});
  auto small = four.trainer({.sequences = 2, .accumulate = 4});
  for (int i = 0; i < 3; ++i) {
    large.step(one.dev);
    small.step(four.dev);
  }
  auto const a = values(one.model.parameters.view()), b = values(four.model.parameters.view());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i] == Approx(b[i]).epsilon(1e-9).margin(1e-12));
  }
  CHECK(large.state(one.dev).loss_sum == Approx(small.state(four.dev).loss_sum).epsilon(1e-12));
}

TEST_CASE("a trainer runs on any device, with the same numbers", "[train]") {
  Setting<cpu::Device> cpu;
  Setting<naive::Device> naive;
  auto a = cpu.trainer({.sequences = 2});
  auto b = naive.trainer({.sequences = 2});
  for (int i = 0; i < 3; ++i) {
    a.step(cpu.dev);
    b.step(naive.dev);
  }
  CHECK(a.state(cpu.dev).loss_sum == Approx(b.state(naive.dev).loss_sum).epsilon(1e-9));
}

TEST_CASE("two models of one seed see the same batches", "[train]") {
  counting::Device dev;
  auto const corpus = tiny_corpus();
  auto plan = plan_of<TinyModel>();
  auto wide = build<float>(dev, plan);
  plan.layers[0].widths = {8, 8};
  auto narrow = build<float>(dev, plan);
  TrainOptions const options = resolved({.sequences = 3, .seed = 6}, plan);
  Trainer<float, counting::Device> a(dev, wide, corpus.train, options);
  Trainer<float, counting::Device> b(dev, narrow, corpus.train, options);
  for (int step = 0; step < 5; ++step) {
    auto const x = a.load(dev, 0), y = b.load(dev, 0);
    CHECK(std::equal(x.ids.data, x.ids.data + x.ids.size, y.ids.data));
    CHECK(std::equal(x.targets.data, x.targets.data + x.targets.size, y.targets.data));
    a.step(dev);
    b.step(dev);
  }
}

TEST_CASE("the padding between tensors stays zero", "[train]") {
  Setting<cpu::Device> s;
  using Odd = Transformer<Hourglass<1, 5>, Dims{.d_model = 12, .layers = 1, .heads = 2}>;
  auto const plan = plan_of<Odd>();
  auto model = build<double>(s.dev, plan);
  Trainer<double, cpu::Device> trainer(s.dev, model, s.corpus.train, resolved({}, plan));
  for (int i = 0; i < 3; ++i) trainer.step(s.dev);
  auto const& tensors = model.layout.tensors;
  std::int64_t padding = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::int64_t const end = i + 1 < tensors.size() ? tensors[i + 1].offset : model.layout.size;
    for (auto j = tensors[i].offset + tensors[i].size(); j < end; ++j, ++padding) {
      CHECK(model.parameters.view()[j] == 0);
    }
  }
  CHECK(padding > 0);
}

TEST_CASE("the memory of a run is known before anything is allocated", "[train]") {
  counting::Device dev;
  auto const corpus = tiny_corpus();
  auto model = build<float, TinyModel>(dev);
  TrainOptions const options = resolved({.sequences = 4}, model.plan);
  dev.bytes = 0;
  Trainer<float, counting::Device> trainer(dev, model, corpus.train, options);
  std::int64_t const parameters = 4 * model.layout.size;
  auto const told = training_bytes<float, counting::Device>(model.plan, options);
  CHECK(dev.bytes + parameters <= told + 1024);
  CHECK(dev.bytes + parameters >= told);
  CHECK_THROWS_AS((training_bytes<float, counting::Device>(model.plan, {.steps = 0})),
                  std::invalid_argument);
}

TEST_CASE("a text without a window or with ids outside the vocabulary is refused", "[train]") {
  Setting<cpu::Device> s;
  s.corpus.train.resize(16);
  CHECK_THROWS_AS(s.trainer({}), std::invalid_argument);
  s.corpus.train.assign(100, 256);
  CHECK_THROWS_AS(s.trainer({}), std::invalid_argument);
}
