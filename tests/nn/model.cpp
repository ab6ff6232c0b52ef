#include <tailor/arch/budget.hpp>  // tailor::parameters
#include <tailor/cpu.hpp>
#include <tailor/nn/model.hpp>

#include "support/catch.hpp"

#include <algorithm>

using namespace tailor;

namespace {

using Small =
    Transformer<Hourglass<2, 5>, Dims{.d_model = 12, .layers = 2, .heads = 2, .vocab = 7}>;

}  // namespace

TEST_CASE("a model built from a type equals the one built from the type's plan") {
  cpu::Device dev{{.threads = 1}};
  auto const typed = build<float, Small>(dev, {.seed = 4});
  auto const planned = build<float>(dev, plan_of<Small>(), {.seed = 4});
  CHECK(typed.plan == planned.plan);
  CHECK(typed.layout == planned.layout);
  auto const a = typed.parameters.view(), b = planned.parameters.view();
  CHECK(std::equal(a.data, a.data + a.size, b.data, b.data + b.size));
}

TEST_CASE("the padding between tensors is zero") {
  cpu::Device dev{{.threads = 1}};
  auto const model = build<float, Small>(dev, {.deviation = 1});
  std::int64_t zeros = 0;
  for (std::int64_t i = 0; i < model.parameters.size(); ++i) {
    zeros += model.parameters.view()[i] == 0;
  }
  CHECK(zeros == model.layout.size - parameters<Small>(Count::all));
}

TEST_CASE("a bad plan is refused before anything is allocated") {
  cpu::Device dev{{.threads = 1}};
  CHECK_THROWS_AS(build<float>(dev, Plan{}), std::invalid_argument);
}
