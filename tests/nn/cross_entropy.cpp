#include <tailor/nn/cross_entropy.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

namespace {

template <class T, class D>
std::vector<T> losses(D& dev, std::vector<T>& logits, std::vector<std::int32_t> const& targets,
                      double soft_cap, bool with_gradient, double scale = 1) {
  int const tokens = int(targets.size());
  std::vector<T> result(targets.size());
  cross_entropy(
      dev, CrossEntropy<T>{.logits = matrix(logits.data(), tokens, int(logits.size()) / tokens),
                           .targets = VectorView<std::int32_t const>{targets.data(), tokens},
                           .losses = VectorView<T>{result.data(), tokens},
                           .scale = T(scale),
                           .soft_cap = T(soft_cap),
                           .with_gradient = with_gradient});
  return result;
}

double reference(double const* logits, int vocab, int target, double cap) {
  auto const capped = [&](int j) {
    return cap == 0 ? logits[j] : cap * std::tanh(logits[j] / cap);
  };
  double sum = 0;
  for (int j = 0; j < vocab; ++j) sum += std::exp(capped(j) - capped(target));
  return std::log(sum);
}

}  // namespace

TEMPLATE_TEST_CASE("cross-entropy equals its formula, with and without a soft cap", "[nn]",
                   TestDevice, naive::Device) {
  TestType dev;
  for (int vocab : {1, 2, 33, 256}) {
    for (double cap : {0.0, 1.5}) {
      auto const drawn = normal_values<double>(4 * vocab, 1);
      std::vector<std::int32_t> const targets{0, vocab / 3, vocab / 2, vocab - 1};
      std::vector<double> expected;
      for (int i = 0; i < 4; ++i) {
        expected.push_back(reference(&drawn[i * vocab], vocab, targets[i], cap));
      }
      auto wide = drawn;
      std::vector<float> narrow(drawn.begin(), drawn.end());
      auto const in_double = losses(dev, wide, targets, cap, false);
      auto const in_float = losses(dev, narrow, targets, cap, false);
      for (int i = 0; i < 4; ++i) {
        CHECK(in_double[i] == Approx(expected[i]).margin(tolerance<double>));
        CHECK(in_float[i] == Approx(expected[i]).margin(tolerance<float>));
      }
    }
  }
}

TEMPLATE_TEST_CASE("the gradient of cross-entropy agrees with central differences", "[nn]",
                   TestDevice, naive::Device) {
  TestType dev;
  double const cap = GENERATE(0.0, 1.5);
  auto logits = normal_values<double>(3 * 21, 1);
  std::vector<std::int32_t> const targets{20, 0, 7};
  auto gradient = logits;
  losses(dev, gradient, targets, cap, true, .25);
  auto const value = [&] {
    auto copy = logits;
    double sum = 0;
    for (double loss : losses(dev, copy, targets, cap, false)) sum += .25 * loss;
    return sum;
  };
  CHECK(gradient_error(logits, gradient, value) < gradient_tolerance);
}

// Case O20: ln 65 = 4.174387269895637, ln 50257 = 10.82490511970208.
TEST_CASE("logits that are all equal cost ln(vocab)", "[nn]") {
  TestDevice dev;
  for (auto const& [vocab, expected] :
       {std::pair{65, 4.174387269895637}, std::pair{50257, 10.82490511970208}}) {
    for (double level : {0.0, -40.0, 1000.0}) {
      std::vector<float> narrow(static_cast<std::size_t>(vocab), static_cast<float>(level));
      std::vector<double> wide(static_cast<std::size_t>(vocab), level);
      CHECK(std::abs(losses(dev, narrow, {3}, 0, false)[0] - expected) < 1e-6);
      CHECK(std::abs(losses(dev, wide, {3}, 0, true)[0] - expected) < 1e-12);
    }
  }
}

TEST_CASE("a row's gradient sums to zero without a soft cap", "[nn]") {
  TestDevice dev;
  auto logits = normal_values<double>(100, 1);
  losses(dev, logits, {17}, 0, true);
  double sum = 0;
  for (double value : logits) sum += value;
  CHECK(std::abs(sum) < tolerance<double>);
}

TEST_CASE("logits far apart give a finite loss and gradient, broken ones a loss that says so",
          "[nn]") {
  TestDevice dev;
  std::vector<float> far{-3e4f, 3e4f, 0};
  CHECK(losses(dev, far, {0}, 0, true)[0] == Approx(6e4f));
  CHECK(far[0] == Approx(-1));
  CHECK(far[1] == Approx(1));
  for (float bad : {INFINITY, NAN}) {
    std::vector<float> broken(40, 0.0f);
    broken[21] = bad;
    CHECK_FALSE(std::isfinite(losses(dev, broken, {0}, 0, true)[0]));
  }
}

TEST_CASE("cross-entropy leaves logits alone without a gradient", "[nn]") {
  TestDevice dev;
  auto logits = normal_values<float>(50, 1);
  auto const before = logits;
  losses(dev, logits, {17}, 0, false);
  CHECK(logits == before);
}

TEST_CASE("cross-entropy names the argument that does not fit", "[nn]") {
  TestDevice dev;
  std::vector<float> logits(6), out(2);
  std::vector<std::int32_t> targets(3);
  CHECK(thrown_message<std::invalid_argument>([&] {
          cross_entropy(dev,
                        CrossEntropy<float>{.logits = matrix(logits.data(), 2, 3),
                                            .targets = VectorView<std::int32_t>{targets.data(), 3},
                                            .losses = VectorView<float>{out.data(), 2}});
        }) == "cross_entropy: targets must have 2 elements, got 3");
}
