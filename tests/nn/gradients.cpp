#include <tailor/cpu.hpp>
#include <tailor/nn/transformer.hpp>

#include "support/catch.hpp"
#include "support/model_cases.hpp"

#include <algorithm>
#include <cmath>

using namespace tailor;

namespace {

/// The largest difference of a tensor's gradient from central differences, relative to the largest
/// element of that tensor's gradient.
template <class Run>
double worst_error(Run& run, TensorSpec const& tensor) {
  double worst = 0, scale = 0;
  for (std::int64_t i = tensor.offset; i < tensor.offset + tensor.size(); ++i) {
    double& value = run.model.parameters.view()[i];
    double const held = value, step = 1e-4;
    double loss[4];
    int next = 0;
    for (double const at : {-2.0, -1.0, 1.0, 2.0}) {
      value = held + at * step;
      loss[next++] = run.loss();
    }
    value = held;
    // Fourth order, so that truncation stays below rounding.
    double const slope = (8 * (loss[2] - loss[1]) - (loss[3] - loss[0])) / (12 * step);
    worst = std::max(worst, std::abs(slope - run.gradients.view()[i]));
    scale = std::max(scale, std::abs(run.gradients.view()[i]));
  }
  return scale > 0 ? worst / scale : worst;
}

}  // namespace

TEST_CASE("gradients agree with central differences for every kind of model") {
  cpu::Device dev{{.threads = 1}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<double, cpu::Device> run(dev, plan);
    run.differentiate();
    for (auto const& tensor : run.model.layout.tensors) {
      INFO(tensor.name);
      CHECK(worst_error(run, tensor) < 1e-6);
    }
  }
}

TEST_CASE("gradients are added to, times the scale") {
  cpu::Device dev{{.threads = 1}};
  cases::Run<double, cpu::Device> once(dev, cases::all().front().plan);
  cases::Run<double, cpu::Device> twice(dev, cases::all().front().plan);
  once.differentiate();
  twice.differentiate(0.25);
  twice.differentiate(0.5);
  for (std::int64_t i = 0; i < once.gradients.size(); ++i) {
    CHECK(twice.gradients.view()[i] == Approx(0.75 * once.gradients.view()[i]).margin(1e-15));
  }
}
