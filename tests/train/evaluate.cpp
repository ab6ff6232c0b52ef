#include <tailor/train/evaluate.hpp>

#include <support/catch.hpp>
#include <support/thrown_message.hpp>
#include <train/support.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace tailor;

namespace {

std::vector<std::int32_t> some_ids(int size, int vocab) {
  std::vector<std::int32_t> ids;
  for (int i = 0; i < size; ++i) ids.push_back(std::int32_t((i * 7919ll + i * i) % vocab));
  return ids;
}

Plan plan_with(int vocab, bool tied) {
  auto plan = plan_of<TinyModel>();
  plan.vocab = vocab;
  plan.tied = tied;
  return plan;
}

}  // namespace

TEST_CASE("a head of zeros costs the logarithm of the vocabulary", "[train]") {
  cpu::Device dev{{.threads = 1}};
  for (int vocab : {65, 50257}) {
    auto model = build<double>(dev, plan_with(vocab, false));
    auto const& head = model.layout.at("head");
    fill(dev, VectorView<double>{model.parameters.view().data + head.offset, head.size()}, 0.0);
    auto const result = evaluate(dev, model, some_ids(40, vocab));
    CHECK(result.loss == Approx(std::log(double(vocab))).epsilon(1e-12));
    CHECK(result.tokens == 39);
  }
  CHECK(std::log(65.0) == Approx(4.174387269895637).epsilon(1e-15));
  CHECK(std::log(50257.0) == Approx(10.82490511970208).epsilon(1e-15));
}

TEST_CASE("the result does not depend on how many windows are evaluated at a time", "[train]") {
  cpu::Device dev{{.threads = 1}}, two{{.threads = 2}};
  auto const model = build<float, TinyModel>(dev, {.seed = 2, .deviation = 0.3});
  auto const text = some_ids(1000, 256);
  auto const one = evaluate(dev, model, text, {.sequences = 1});
  CHECK(one.tokens == 999);
  CHECK(one.windows == 63);
  for (int sequences : {2, 5, 8, 64, 1000}) {
    CHECK(evaluate(dev, model, text, {.sequences = sequences}).loss == one.loss);
  }
  auto const other = build<float, TinyModel>(two, {.seed = 2, .deviation = 0.3});
  CHECK(evaluate(two, other, text, {.sequences = 7}).loss == one.loss);
}

TEST_CASE("windows with a lead give every token more context", "[train]") {
  cpu::Device dev{{.threads = 1}};
  auto const model = build<double, TinyModel>(dev, {.seed = 2, .deviation = 0.3});
  auto const text = some_ids(200, 256);
  // With a lead of length - 1 every window counts one token: the mean by hand, window by window.
  double sum = 0;
  std::int64_t counted = 0;
  for (int start = 0; start + 17 <= 200; ++start) {
    std::vector<std::int32_t> const window(text.begin() + start, text.begin() + start + 17);
    auto const whole = evaluate(dev, model, window);
    if (start == 0) {
      sum += whole.loss * 16;
      counted += 16;
    } else {
      auto const shorter =
          evaluate(dev, model, std::vector<std::int32_t>(window.begin(), window.end() - 1));
      sum += whole.loss * 16 - shorter.loss * 15;
      counted += 1;
    }
  }
  auto const result = evaluate(dev, model, text, {.lead = 15});
  CHECK(result.tokens == counted);
  CHECK(result.loss == Approx(sum / double(counted)).epsilon(1e-9));
}

TEST_CASE("some windows are spread evenly over the text", "[train]") {
  cpu::Device dev{{.threads = 1}};
  auto const model = build<double, TinyModel>(dev);
  auto const text = some_ids(16 * 100 + 1, 256);
  auto const some = evaluate(dev, model, text, {.windows = 10});
  CHECK(some.windows == 10);
  CHECK(some.tokens == 160);
  CHECK(evaluate(dev, model, text, {.windows = 1000}).tokens == 1600);
}

TEST_CASE("perplexity, bits per token and bits per byte say the same in three units", "[train]") {
  Evaluation const result{.loss = std::log(8.0), .tokens = 10, .bytes_per_token = 4};
  CHECK(result.perplexity() == Approx(8));
  CHECK(result.bits_per_token() == Approx(3));
  CHECK(result.bits_per_byte().value() == Approx(0.75));
  CHECK_FALSE(Evaluation{.loss = 1}.bits_per_byte().has_value());
}

TEST_CASE("losses that are not finite are counted and left out of the mean", "[train]") {
  cpu::Device dev{{.threads = 1}};
  auto model = build<float>(dev, plan_with(256, false));
  // A row of the table that is not a number spoils the window with that id, and no other.
  auto const& table = model.layout.at("embedding");
  model.parameters.view()[table.offset + 9 * 16] = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::int32_t> text(16 * 4 + 1, 1);
  text[20] = 9;
  auto const result = evaluate(dev, model, text);
  CHECK(result.undefined == 16);
  CHECK(result.tokens == 64);
  CHECK(std::isfinite(result.loss));
  auto const nothing = evaluate(dev, model, std::vector<std::int32_t>(17, 9));
  CHECK_FALSE(nothing.defined());
  CHECK(nothing.undefined == 16);
}

TEST_CASE("what cannot be evaluated is refused in one message", "[train]") {
  cpu::Device dev{{.threads = 1}};
  auto const model = build<float, TinyModel>(dev);
  auto const message = [&](std::vector<std::int32_t> const& text, EvaluateOptions options) {
    return thrown_message<std::invalid_argument>([&] { evaluate(dev, model, text, options); });
  };
  CHECK(contains(message({1}, {}), "at least 2 tokens"));
  CHECK(contains(message({1, 2, 256}, {}), "offset 2 is 256"));
  CHECK(contains(message({1, 2, 3}, {.length = 17}), "context 16"));
  CHECK(contains(message({1, 2, 3}, {.sequences = 0}), "sequences positive"));
  CHECK(contains(message({1, 2, 3}, {.lead = 16}), "lead"));
}
