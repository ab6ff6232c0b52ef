#include <tailor/train/train.hpp>

#include <support/catch.hpp>
#include <support/temporary_folder.hpp>
#include <support/thrown_message.hpp>
#include <train/support.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <limits>

using namespace tailor;

namespace {

using Float = Model<float, cpu::Device>;

Float tiny(cpu::Device& dev) {
  return build<float, TinyModel>(dev, {.seed = 3});
}

bool same_bits(VectorView<float const> a, VectorView<float const> b) {
  return a.size == b.size && std::memcmp(a.data, b.data, std::size_t(a.size) * sizeof(float)) == 0;
}

/// Everything of two histories that a clock has no part in.
void check_same(History const& a, History const& b) {
  REQUIRE(a.records.size() == b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    CHECK(a.records[i].step == b.records[i].step);
    CHECK(a.records[i].tokens == b.records[i].tokens);
    CHECK(a.records[i].loss == b.records[i].loss);
    CHECK(a.records[i].rate == b.records[i].rate);
    CHECK(a.records[i].gradient_norm == b.records[i].gradient_norm);
  }
  REQUIRE(a.validation.size() == b.validation.size());
  for (std::size_t i = 0; i < a.validation.size(); ++i) {
    CHECK(a.validation[i].step == b.validation[i].step);
    CHECK(a.validation[i].loss == b.validation[i].loss);
  }
}

struct Outcome {
  History history;
  std::vector<float> arrays[3] = {};  // parameters, both moments
};

/// Trains afresh on a device of its own, as a process of its own would, and reads the checkpoint.
Outcome run(TrainOptions const& options, int threads = 1) {
  cpu::Device dev{{.threads = threads}};
  auto model = tiny(dev);
  Outcome outcome{.history = train(dev, model, tiny_corpus(), options)};
  auto stored = tiny(dev);
  auto first = buffer<float>(dev, stored.layout.size),
       second = buffer<float>(dev, stored.layout.size);
  load_checkpoint<float>(dev, options.checkpoint, stored, first.view(), second.view());
  CHECK(same_bits(stored.parameters.view(), model.parameters.view()));
  int i = 0;
  for (auto view : {stored.parameters.view(), first.view(), second.view()}) {
    outcome.arrays[i++].assign(view.data, view.data + view.size);
  }
  return outcome;
}

/// Runs f in a process of its own and waits for it to succeed.
template <class F>
void in_another_process(F const& f) {
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    try {
      f();
    } catch (...) {
      std::_Exit(1);
    }
    std::_Exit(0);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
}

}  // namespace

TEST_CASE("a run that was stopped and continued has the bits of an uninterrupted one", "[train]") {
  TemporaryFolder folder;
  TrainOptions options{
      .steps = 20, .sequences = 4, .accumulate = 2, .log_every = 3, .evaluate_every = 5};
  options.checkpoint = folder / "whole";
  auto const whole = run(options);
  CHECK(whole.history.finished);
  CHECK(whole.history.records.size() == 7);
  CHECK(whole.history.validation.size() == 5);

  options.checkpoint = folder / "parts";
  options.resume = true;
  options.stop = [](std::int64_t step) { return step == 10; };
  in_another_process([&] { run(options); });
  CHECK(read_checkpoint(options.checkpoint).state.step == 10);
  CHECK_FALSE(read_checkpoint(options.checkpoint).history.finished);
  options.stop = nullptr;
  auto const rest = run(options);
  CHECK(rest.history.finished);
  check_same(rest.history, whole.history);
  for (int i = 0; i < 3; ++i) CHECK(rest.arrays[i] == whole.arrays[i]);
}

TEST_CASE("the bits do not depend on the number of threads", "[train]") {
  TemporaryFolder folder;
  TrainOptions options{.steps = 6, .log_every = 1, .checkpoint = folder / "run"};
  auto const one = run(options, 1), two = run(options, 2), five = run(options, 5);
  check_same(one.history, two.history);
  check_same(one.history, five.history);
  for (int i = 0; i < 3; ++i) {
    CHECK(one.arrays[i] == two.arrays[i]);
    CHECK(one.arrays[i] == five.arrays[i]);
  }
}

TEST_CASE("the loss falls, and every record and the progress say so", "[train]") {
  cpu::Device dev{{.threads = 1}};
  auto model = tiny(dev);
  std::vector<Progress> told;
  auto const history =
      train(dev, model, tiny_corpus(),
            {.steps = 60, .learning_rate = 1e-2, .progress = [&](Progress const& p) {
               told.push_back(p);
             }});
  REQUIRE(history.records.size() == 6);
  CHECK(history.records.front().loss > history.records.back().loss + 0.5);
  REQUIRE(history.validation.size() == 1);
  CHECK(history.validation.back().loss < history.records.front().loss);
  CHECK(history.step == 60);
  CHECK(history.arithmetic == host::name(dev.instruction_set()));
  REQUIRE(told.size() == 6);
  CHECK(told[2].step == 30);
  CHECK(told[2].steps == 60);
  CHECK(told[2].tokens == 30 * 16 * 16);
  CHECK(told[2].loss == history.records[2].loss);
  CHECK(told[2].tokens_per_second > 0);
  CHECK(told[2].seconds_left > 0);
  CHECK(told[5].seconds_left == 0);
}

TEST_CASE("a finished run that is continued repeats nothing", "[train]") {
  TemporaryFolder folder;
  TrainOptions options{.steps = 4, .log_every = 2, .checkpoint = folder / "run", .resume = true};
  auto const before = run(options);
  options.progress = [](Progress const&) { FAIL("a step was made"); };
  check_same(run(options).history, before.history);
}

TEST_CASE("a checkpoint of another run is refused and the difference named", "[train]") {
  TemporaryFolder folder;
  TrainOptions options{.steps = 4, .sequences = 2, .checkpoint = folder / "run", .resume = true};
  run(options);
  cpu::Device dev{{.threads = 1}};
  auto model = tiny(dev);
  auto const message = [&](TrainOptions const& other, Corpus const& corpus) {
    return thrown_message<std::invalid_argument>([&] { train(dev, model, corpus, other); });
  };
  auto other = options;
  other.seed = 2;
  CHECK(contains(message(other, tiny_corpus()), "seed 1 and cannot be continued with 2"));
  other = options;
  other.learning_rate = 0.5;
  CHECK(contains(message(other, tiny_corpus()), "learning_rate 0.003"));
  CHECK(contains(message(options, tiny_corpus(3000)), "another text"));
  // The same text cut elsewhere would train on what was held out before.
  CorpusOptions const elsewhere{.validation = 0.2, .test = 0.1, .length = 1};
  Corpus const text = tiny_corpus();
  std::vector<std::int32_t> ids = text.train;
  ids.insert(ids.end(), text.validation.begin(), text.validation.end());
  ids.insert(ids.end(), text.test.begin(), text.test.end());
  CHECK(contains(message(options, corpus_of(ids, text.vocab, elsewhere)), "another part of it"));
  auto plan = model.plan;
  plan.layers[1].widths[0] = 8;
  auto narrow = build<float>(dev, plan);
  CHECK(contains(
      thrown_message<std::invalid_argument>([&] { train(dev, narrow, tiny_corpus(), options); }),
      "plan"));
}

TEST_CASE("a loss that is not finite stops the run, names step and place, keeps the checkpoint",
          "[train]") {
  TemporaryFolder folder;
  cpu::Device dev{{.threads = 1}};
  auto model = tiny(dev);
  TrainOptions options{.steps = 10, .log_every = 4, .checkpoint = folder / "run", .resume = true};
  options.stop = [](std::int64_t step) { return step == 4; };
  train(dev, model, tiny_corpus(), options);
  auto const good = read_checkpoint(options.checkpoint);

  // A weight goes bad after step 5, which the record at step 8 finds.
  options.stop = [&](std::int64_t step) {
    if (step == 5) {
      model.parameters.view()[model.layout.at("layers.1.ffn.0.up").offset + 3] =
          std::numeric_limits<float>::quiet_NaN();
    }
    return false;
  };
  try {
    train(dev, model, tiny_corpus(), options);
    FAIL("the run did not stop");
  } catch (TrainingDiverged const& diverged) {
    CHECK(diverged.step == 6);
    CHECK(diverged.place == "the parameter layers.1.ffn.0.up");
    CHECK(contains(diverged.what(), "step 6"));
    CHECK(contains(diverged.what(), "the last good checkpoint is"));
  }
  CHECK(read_checkpoint(options.checkpoint).state.step == good.state.step);
}

TEST_CASE("where parameters are finite, the layer whose activations overflow is named", "[train]") {
  cpu::Device dev{{.threads = 1}};
  auto model = tiny(dev);
  auto const& down = model.layout.at("layers.1.ffn.0.down");
  fill(dev, VectorView<float>{model.parameters.view().data + down.offset, down.size()}, 1e38f);
  auto const& up = model.layout.at("layers.1.ffn.0.up");
  fill(dev, VectorView<float>{model.parameters.view().data + up.offset, up.size()}, 1e20f);
  auto const before = model.parameters.view()[0];
  try {
    train(dev, model, tiny_corpus(), {.steps = 2});
    FAIL("the run did not stop");
  } catch (TrainingDiverged const& diverged) {
    CHECK(diverged.step == 1);
    CHECK(diverged.place == "the output of the FFN of layer 1");
  }
  CHECK(model.parameters.view()[0] == before);
}

TEST_CASE("a text with ids outside the model's vocabulary is refused", "[train]") {
  cpu::Device dev{{.threads = 1}};
  auto model = tiny(dev);
  std::vector<std::int32_t> ids(2000, 1);
  ids[1000] = 256;
  CHECK_THROWS_AS(train(dev, model, corpus_of(ids, 300), {.steps = 1}), std::invalid_argument);
  CHECK_THROWS_AS(train(dev, model, corpus_of(tiny_text(30), {.validation = 0, .test = 0.6}), {}),
                  std::invalid_argument);
}
