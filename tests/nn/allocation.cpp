#include <tailor/cpu.hpp>
#include <tailor/nn/transformer.hpp>

#include "support/catch.hpp"
#include "support/counted_allocations.hpp"
#include "support/model_cases.hpp"

using namespace tailor;

TEST_CASE("loss_and_gradients allocates nothing for any kind of model") {
  cpu::Device dev{{.threads = 2}};
  for (auto const& [name, plan] : cases::all()) {
    INFO(name);
    cases::Run<float, cpu::Device> run(dev, plan);
    run.differentiate();
    long const before = allocations;
    run.differentiate();
    CHECK(allocations == before);
  }
}

TEST_CASE("the counter of allocations counts") {
  long const before = allocations;
  cpu::Buffer<float> const buffer(3);
  CHECK(allocations == before + 1);
}
