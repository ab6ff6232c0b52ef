#include <tailor/arch/compute.hpp>  // tailor::sequential_depth
#include <tailor/cpu.hpp>
#include <tailor/nn/transformer.hpp>

#include "support/catch.hpp"
#include "support/model_cases.hpp"
#include "support/naive_device.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tailor;
using Cpu = cpu::Device;

namespace {

template <class T>
std::vector<T> copied(VectorView<T const> view) {
  return {view.data, view.data + view.size};
}

template <class T>
double largest_difference(std::vector<T> const& a, std::vector<T> const& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, double(std::abs(a[i] - b[i])));
  }
  return worst;
}

}  // namespace

TEST_CASE("logits that are all zero cost ln(vocab)") {
  Cpu dev{{.threads = 1}};
  for (int vocab : {65, 50257}) {
    Plan plan =
        uniform_plan({.d_model = 8, .layers = 1, .heads = 2, .vocab = vocab, .tied = false}, 12);
    cases::Run<double, Cpu> run(dev, plan, 1, 5, Purpose::inference);
    auto const& head = run.model.layout.at("head");
    fill(dev, VectorView<double>{run.model.parameters.view().data + head.offset, head.size()}, 0);
    CHECK(run.loss() / 5 ==
          Approx(vocab == 65 ? 4.174387269895637 : 10.82490511970208).epsilon(1e-12));
  }
}

TEST_CASE("a loss does not depend on later tokens") {
  Cpu dev{{.threads = 1}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<double, Cpu> run(dev, plan, 1, 8, Purpose::inference);
    run.loss();
    auto const before = copied<double>(run.losses.view());
    run.ids[5] = (run.ids[5] + 1) % plan.vocab;
    run.loss();
    auto const after = copied<double>(run.losses.view());
    CHECK(std::equal(before.begin(), before.begin() + 5, after.begin()));
    CHECK(before[5] != after[5]);
  }
}

TEST_CASE("a loss depends on earlier tokens where attention reaches them") {
  Cpu dev{{.threads = 1}};
  Plan plan = uniform_plan(cases::small, 6);
  auto const changed = [&](Plan const& of) {
    cases::Run<double, Cpu> run(dev, of, 1, 8, Purpose::inference);
    run.loss();
    double const before = run.losses.view()[7];
    run.ids[0] = (run.ids[0] + 1) % of.vocab;
    run.loss();
    return run.losses.view()[7] != before;
  };
  CHECK(changed(plan));
  for (auto& layer : plan.layers) layer.window = 4;  // two layers reach 6 tokens back, not 7
  CHECK_FALSE(changed(plan));
  for (auto& layer : plan.layers) layer.heads = layer.kv_heads = layer.head_dim = 0;
  CHECK_FALSE(changed(plan));
}

TEST_CASE("a loss does not depend on the other sequences of the batch") {
  Cpu dev{{.threads = 1}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<float, Cpu> run(dev, plan, 3, 7, Purpose::inference);
    run.loss();
    auto const together = copied<float>(run.losses.view());
    for (int sequence = 0; sequence < 3; ++sequence) {
      TokenBatch<> const one{.ids = {run.ids.data() + 7 * sequence, 7},
                             .targets = {run.targets.data() + 7 * sequence, 7},
                             .sequences = 1,
                             .length = 7};
      token_losses(dev, run.model, one, run.workspace,
                   VectorView<float>{run.losses.view().data, 7});
      CHECK(std::equal(together.begin() + 7 * sequence, together.begin() + 7 * sequence + 7,
                       run.losses.view().data));
    }
  }
}

TEST_CASE("training and inference compute the same losses, and logits agree with them") {
  Cpu dev{{.threads = 1}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<double, Cpu> run(dev, plan);
    cases::Run<double, Cpu> inference(dev, plan, 2, 6, Purpose::inference);
    run.differentiate();
    inference.loss();
    CHECK(copied<double>(run.losses.view()) == copied<double>(inference.losses.view()));

    std::vector<double> rows(std::size_t(12 * plan.vocab));
    logits(dev, run.model, run.batch(), run.workspace, matrix(rows.data(), 12, plan.vocab));
    for (std::size_t i = 0; i < 12; ++i) {
      double const* const row = rows.data() + i * std::size_t(plan.vocab);
      double sum = 0;
      for (int j = 0; j < plan.vocab; ++j) sum += std::exp(row[j]);
      CHECK(std::log(sum) - row[run.targets[i]] == Approx(run.losses.view()[std::int64_t(i)]));
    }
  }
}

TEST_CASE("losses and gradients have the same bits for every number of threads") {
  Plan const plan = plan_of({.d_model = 32, .layers = 2, .heads = 4, .kv_heads = 2, .vocab = 50},
                            {{40, 24}, {60}});
  Cpu one{{.threads = 1}}, three{{.threads = 3}};
  cases::Run<float, Cpu> a(one, plan, 5, 40), b(three, plan, 5, 40);
  a.differentiate();
  b.differentiate();
  CHECK(copied<float>(a.losses.view()) == copied<float>(b.losses.view()));
  CHECK(copied<float>(a.gradients.view()) == copied<float>(b.gradients.view()));
}

TEST_CASE("a model gives the same losses and gradients on another device") {
  Cpu dev{{.threads = 2}};
  naive::Device plain;
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<double, Cpu> a(dev, plan);
    cases::Run<double, naive::Device> b(plain, plan);
    a.differentiate();
    b.differentiate();
    CHECK(largest_difference(copied<double>(a.losses.view()), copied<double>(b.losses.view())) <
          1e-11);
    CHECK(largest_difference(copied<double>(a.gradients.view()),
                             copied<double>(b.gradients.view())) < 1e-9);
  }
}

TEST_CASE("the observer sees the stream entering and leaving the FFN of every layer") {
  Cpu dev{{.threads = 1}};
  Plan const plan = plan_of(cases::small, {{3, 0, 4}, {5}});
  struct Seen {
    int layer;
    std::vector<double> before, after;
  };
  auto const watched = [&](Purpose purpose) {
    cases::Run<double, Cpu> run(dev, plan, 2, 6, purpose);
    std::vector<Seen> seen;
    token_losses(dev, run.model, run.batch(), run.workspace, run.losses.view(),
                 [&](int layer, MatrixView<double const> before, MatrixView<double const> after) {
                   auto const copy = [](MatrixView<double const> m) {
                     return std::vector<double>(m.data, m.data + std::int64_t{m.rows} * m.cols);
                   };
                   seen.push_back({layer, copy(before), copy(after)});
                 });
    return seen;
  };
  auto const in_place = watched(Purpose::inference), kept = watched(Purpose::training);
  REQUIRE(in_place.size() == 2);
  REQUIRE(kept.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(in_place[i].layer == int(i));
    CHECK(in_place[i].before.size() == 12 * 8);
    CHECK(in_place[i].before == kept[i].before);
    CHECK(in_place[i].after == kept[i].after);
    CHECK(in_place[i].before != in_place[i].after);
  }
}

TEST_CASE("a layer whose only width is zero passes the stream through unchanged") {
  Cpu dev{{.threads = 1}};
  Plan plan = plan_of(cases::small, {{6}, {6}});
  cases::Run<double, Cpu> full(dev, plan, 2, 6, Purpose::inference);
  auto const& down = full.model.layout.at("layers.1.ffn.0.down");
  fill(dev, VectorView<double>{full.model.parameters.view().data + down.offset, down.size()}, 0);
  plan.layers[1].widths = {0};
  cases::Run<double, Cpu> cut(dev, plan, 2, 6, Purpose::inference);
  CHECK(cut.loss() == Approx(full.loss()).epsilon(1e-13));
}

TEST_CASE("the bytes of a workspace are known before it is made, and cover what training keeps") {
  Cpu dev{{.threads = 1}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    for (auto purpose : {Purpose::inference, Purpose::training}) {
      Workspace<float, Cpu> const workspace(dev, plan, 3, 7, purpose);
      CHECK(workspace.bytes() == workspace_bytes<float, Cpu>(plan, 3, 7, purpose));
      CHECK(workspace.blocks().size() == std::size_t(sequential_depth(plan)));
    }
    CHECK(workspace_bytes<float, Cpu>(plan, 3, 7, Purpose::training) >= activation_bytes(plan, 21));
    CHECK(workspace_bytes<float, Cpu>(plan, 8, 12, Purpose::inference) <=
          workspace_bytes<float, Cpu>(plan, 8, 12, Purpose::training));
  }
}

TEST_CASE("what does not fit together is refused") {
  Cpu dev{{.threads = 1}};
  Plan const plan = uniform_plan(cases::small, 6);
  CHECK_THROWS_AS((Workspace<float, Cpu>(dev, plan, 0, 6, Purpose::training)),
                  std::invalid_argument);
  CHECK_THROWS_AS((Workspace<float, Cpu>(dev, plan, 1, plan.context + 1, Purpose::training)),
                  std::invalid_argument);
  CHECK_THROWS_AS((workspace_bytes<float, Cpu>(plan, 1 << 30, 12, Purpose::training)),
                  std::invalid_argument);

  cases::Run<float, Cpu> run(dev, plan);
  cases::Run<float, Cpu> inference(dev, plan, 2, 6, Purpose::inference);
  cases::Run<float, Cpu> other(dev, uniform_plan(cases::small, 7));
  auto batch = run.batch();
  CHECK_THROWS_AS(inference.differentiate(), std::invalid_argument);
  CHECK_THROWS_AS(token_losses(dev, run.model, batch, other.workspace, run.losses.view()),
                  std::invalid_argument);
  batch.sequences = 3;
  CHECK_THROWS_AS(token_losses(dev, run.model, batch, run.workspace, run.losses.view()),
                  std::invalid_argument);
  batch.sequences = 1;
  CHECK_THROWS_AS(token_losses(dev, run.model, batch, run.workspace, run.losses.view()),
                  std::invalid_argument);
  CHECK_THROWS_AS(
      loss_and_gradients(dev, run.model, run.batch(), run.workspace,
                         VectorView<float>{run.gradients.view().data, 5}, 1, run.losses.view()),
      std::invalid_argument);
}
