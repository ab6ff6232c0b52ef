#include <tailor/cpu.hpp>
#include <tailor/nn/generate.hpp>

#include "support/catch.hpp"
#include "support/model_cases.hpp"
#include "support/naive_device.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace tailor;
using Cpu = cpu::Device;

namespace {

/// The largest logit after the last of `ids`, by a full forward pass.
template <class D>
std::int32_t greedy_by_full_forward(D& dev, Model<double, D> const& model,
                                    std::vector<std::int32_t> const& ids) {
  int const length = int(ids.size());
  Workspace<double, D> workspace(dev, model.plan, 1, length, Purpose::inference);
  std::vector<double> rows(std::size_t(length * model.plan.vocab));
  TokenBatch<> const batch{
      .ids = {ids.data(), length}, .targets = {}, .sequences = 1, .length = length};
  logits(dev, model, batch, workspace, matrix(rows.data(), length, model.plan.vocab));
  auto const last = rows.end() - model.plan.vocab;
  return std::int32_t(std::max_element(last, rows.end()) - last);
}

}  // namespace

TEST_CASE("reading with a cache equals the full forward pass") {
  Cpu dev{{.threads = 1}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<double, Cpu> run(dev, plan, 1, 12, Purpose::inference);
    int const vocab = plan.vocab;
    std::vector<double> full(std::size_t(12 * vocab)), row(static_cast<std::size_t>(vocab));
    logits(dev, run.model, run.batch(), run.workspace, matrix(full.data(), 12, vocab));
    KeyValueCache<double, Cpu> cache(dev, plan, 12);
    int read = 0;
    for (int count : {5, 1, 1, 3, 1, 1}) {
      read_tokens(dev, run.model, VectorView<std::int32_t const>{run.ids.data() + read, count},
                  run.workspace, cache, matrix(row.data(), 1, vocab));
      read += count;
      CHECK(cache.length() == read);
      for (int j = 0; j < vocab; ++j) {
        CHECK(row[std::size_t(j)] ==
              Approx(full[std::size_t((read - 1) * vocab + j)]).epsilon(1e-10).margin(1e-12));
      }
    }
    CHECK_THROWS_AS(read_tokens(dev, run.model, VectorView<std::int32_t const>{run.ids.data(), 1},
                                run.workspace, cache, matrix(row.data(), 1, vocab)),
                    std::invalid_argument);
  }
}

TEST_CASE("generation at temperature 0 equals the full forward pass, within the context") {
  Cpu dev{{.threads = 1}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<double, Cpu> run(dev, plan, 1, 3, Purpose::inference);
    std::vector<std::int32_t> text(run.ids.begin(), run.ids.begin() + 3);
    auto const added = generate(dev, run.model, std::span<std::int32_t const>(text),
                                {.tokens = 9, .temperature = 0});
    for (int id : added) {
      CHECK(id == greedy_by_full_forward(dev, run.model, text));
      text.push_back(id);
    }
  }
}

TEST_CASE("a text beyond the context continues from its last half context") {
  naive::Device dev;
  cases::Run<double, naive::Device> run(dev, uniform_plan(cases::small, 6), 1, 3,
                                        Purpose::inference);
  std::vector<std::int32_t> text(run.ids.begin(), run.ids.begin() + 3);
  auto const added = generate(dev, run.model, std::span<std::int32_t const>(text),
                              {.tokens = 30, .temperature = 0});
  REQUIRE(added.size() == 30);
  int length = 3;
  for (int id : added) {
    CHECK(id == greedy_by_full_forward(dev, run.model, {text.end() - length, text.end()}));
    text.push_back(id);
    length = length == 12 ? 6 : length + 1;
  }
  auto const from_long = generate(dev, run.model, std::span<std::int32_t const>(text),
                                  {.tokens = 1, .temperature = 0});
  CHECK(from_long.front() == greedy_by_full_forward(dev, run.model, {text.end() - 6, text.end()}));
}

TEST_CASE("the same seed gives the same tokens, another seed others") {
  Cpu dev{{.threads = 1}};
  cases::Run<float, Cpu> run(dev, uniform_plan(cases::small, 6), 1, 3, Purpose::inference);
  std::span<std::int32_t const> const prompt(run.ids.data(), 2);
  auto const one = generate(dev, run.model, prompt, {.tokens = 40, .seed = 5});
  CHECK(generate(dev, run.model, prompt, {.tokens = 40, .seed = 5}) == one);
  CHECK(generate(dev, run.model, prompt, {.tokens = 40, .seed = 6}) != one);
}

TEST_CASE("a sampled token follows the softmax of its logits") {
  std::vector<double> const logits{0, 1, -1, 2};
  double sum = 0;
  for (double logit : logits) sum += std::exp(logit / 0.7);
  std::vector<int> counts(4);
  for (int i = 0; i < 10000; ++i) {
    ++counts[std::size_t(sample_token<double>(logits, {.temperature = 0.7}, (i + 0.5) / 10000))];
  }
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(counts[i] / 10000.0 == Approx(std::exp(logits[i] / 0.7) / sum).margin(2e-4));
  }
}

TEST_CASE("temperature 0 and top_k 1 both give the largest logit, the lowest id among equal ones") {
  std::vector<double> const logits{0, 3, 1, 3};
  for (double uniform : {0.0, 0.5, 0.999999}) {
    CHECK(sample_token<double>(logits, {.temperature = 0}, uniform) == 1);
    CHECK(sample_token<double>(logits, {.top_k = 1}, uniform) == 1);
    CHECK(sample_token<double>(logits, {.top_k = 2}, uniform) == (uniform < 0.5 ? 1 : 3));
  }
}

TEST_CASE("sampling refuses what makes no sense and logits that are not finite") {
  std::vector<double> logits{0, 1};
  CHECK_THROWS_AS(sample_token<double>(logits, {.temperature = -1}, 0), std::invalid_argument);
  CHECK_THROWS_AS(sample_token<double>(logits, {.top_k = -1}, 0), std::invalid_argument);
  CHECK_THROWS_AS(sample_token<double>({}, {}, 0), std::invalid_argument);
  logits[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(sample_token<double>(logits, {}, 0), std::domain_error);

  Cpu dev{{.threads = 1}};
  cases::Run<float, Cpu> run(dev, uniform_plan(cases::small, 6), 1, 3, Purpose::inference);
  std::vector<std::int32_t> const none, outside{1, 11};
  CHECK_THROWS_AS(generate(dev, run.model, std::span<std::int32_t const>(none)),
                  std::invalid_argument);
  CHECK_THROWS_AS(generate(dev, run.model, std::span<std::int32_t const>(outside)),
                  std::invalid_argument);
}
