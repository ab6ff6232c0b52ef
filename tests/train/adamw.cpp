#include <tailor/train/adamw.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

namespace {

template <class T>
struct State {
  std::vector<T> parameters, gradients, first, second;
  AdamWScalars scalars;

  explicit State(int size)
      : parameters(normal_values<T>(size, 1)),
        gradients(normal_values<T>(size, 2)),
        first(gradients.size()),
        second(gradients.size()) {}

  template <class D>
  void step(D& dev, int number, double rate, double decay, double gradient_scale = 1) {
    scalars = {.learning_rate = rate,
               .first_correction = 1 / (1 - std::pow(.9, number)),
               .second_correction = 1 / (1 - std::pow(.95, number)),
               .gradient_scale = gradient_scale};
    auto const view = [](std::vector<T>& v) {
      return VectorView<T>{v.data(), std::int64_t(v.size())};
    };
    adamw(dev, AdamW<T>{.parameters = view(parameters),
                        .gradients = view(gradients),
                        .first_moment = view(first),
                        .second_moment = view(second),
                        .scalars = {&scalars, 1},
                        .weight_decay = decay});
  }
};

}  // namespace

TEMPLATE_TEST_CASE("AdamW follows its algorithm over several steps", "[train]", TestDevice,
                   naive::Device) {
  TestType dev;
  for (int size : {1, 1023, 1024, 1025, 3000}) {
    State<double> wide(size);
    State<float> narrow(size);
    auto expected = wide.parameters;
    std::vector<double> m(expected.size()), v(expected.size());
    for (int step = 1; step <= 5; ++step) {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        double const g = .5 * wide.gradients[i];
        m[i] = .9 * m[i] + .1 * g;
        v[i] = .95 * v[i] + .05 * g * g;
        double const mean = m[i] / (1 - std::pow(.9, step));
        double const square = v[i] / (1 - std::pow(.95, step));
        expected[i] -= .01 * (mean / (std::sqrt(square) + 1e-8) + .1 * expected[i]);
      }
      wide.step(dev, step, .01, .1, .5);
      narrow.step(dev, step, .01, .1, .5);
    }
    CHECK(relative_distance(wide.parameters, expected) < tolerance<double>);
    CHECK(relative_distance(narrow.parameters, expected) < tolerance<float>);
  }
}

TEST_CASE("the first step of AdamW is the learning rate against the sign of the gradient",
          "[train]") {
  TestDevice dev;
  State<double> s(100);
  auto const before = s.parameters;
  s.step(dev, 1, .01, 0);
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(s.parameters[i] - before[i] == Approx(s.gradients[i] > 0 ? -.01 : .01).epsilon(1e-5));
  }
}

TEST_CASE("gradient_scale == 0 changes nothing", "[train]") {
  TestDevice dev;
  State<float> s(50);
  s.step(dev, 1, .01, .1);
  auto const before = s;
  std::fill(s.gradients.begin(), s.gradients.end(), NAN);
  s.step(dev, 2, .01, .1, 0);
  CHECK(
      (s.parameters == before.parameters && s.first == before.first && s.second == before.second));
}

TEST_CASE("weight decay shrinks parameters without touching the moments", "[train]") {
  TestDevice dev;
  State<double> s(50);
  std::fill(s.gradients.begin(), s.gradients.end(), 0.0);
  auto const before = s.parameters;
  s.step(dev, 1, .01, .1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(s.parameters[i] == Approx(before[i] * (1 - .001)).epsilon(1e-12));
    CHECK((s.first[i] == 0 && s.second[i] == 0));
  }
}

TEST_CASE("AdamW names the argument that does not fit", "[train]") {
  TestDevice dev;
  State<float> s(5);
  s.second.resize(4);
  CHECK(thrown_message<std::invalid_argument>([&] { s.step(dev, 1, .01, 0); }) ==
        "adamw: second_moment must have 5 elements, got 4");
}
