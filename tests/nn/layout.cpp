#include <tailor/arch/budget.hpp>  // tailor::parameters
#include <tailor/nn/layout.hpp>

#include "support/catch.hpp"

using namespace tailor;

namespace {

Plan mixed_plan() {
  Plan plan{.d_model = 10, .vocab = 11, .context = 8, .activation = Activation::gelu};
  plan.tied = false;
  plan.layers = {
      {.heads = 2, .kv_heads = 1, .head_dim = 4, .qk_norm = QkNorm::whole, .widths = {7}},
      {.widths = {3, 0, 5}},
      {.heads = 2,
       .kv_heads = 2,
       .head_dim = 4,
       .norms = NormPlacement::both,
       .qk_norm = QkNorm::per_head,
       .widths = {0}},
      {.heads = 1, .kv_heads = 1, .head_dim = 6, .norms = NormPlacement::post}};
  return plan;
}

std::int64_t sum_of_sizes(Plan const& plan) {
  std::int64_t sum = 0;
  for (auto const& tensor : layout_of(plan).tensors) sum += tensor.size();
  return sum;
}

}  // namespace

TEST_CASE("the sizes of the tensors sum to parameters(plan, Count::all)") {
  Plan plan = mixed_plan();
  CHECK(sum_of_sizes(plan) == parameters(plan, Count::all));
  plan.tied = true;
  CHECK(sum_of_sizes(plan) == parameters(plan, Count::all));
  for (auto activation : {Activation::swiglu, Activation::geglu, Activation::relu2}) {
    plan.activation = activation;
    CHECK(sum_of_sizes(plan) == parameters(plan, Count::all));
  }
}

TEST_CASE("a type, its plan and the model of it have the same number of parameters") {
  using Small = Transformer<Hourglass<2, 20>, Dims{.d_model = 16, .layers = 2, .heads = 2}>;
  constexpr std::int64_t count = parameters<Small>(Count::all);
  CHECK(sum_of_sizes(plan_of<Small>()) == count);
}

TEST_CASE("tensors lie one after another in the order in which they run") {
  auto const layout = layout_of(mixed_plan());
  std::int64_t end = 0;
  for (auto const& tensor : layout.tensors) {
    CHECK(tensor.offset % 16 == 0);
    CHECK(tensor.offset >= end);
    CHECK(tensor.offset < end + 16);
    CHECK(&layout.at(tensor.name) == &tensor);
    end = tensor.offset + tensor.size();
  }
  CHECK(layout.size >= end);
  CHECK(layout.tensors.front().name == "embedding");
  CHECK(layout.tensors.back().name == "head");
}

TEST_CASE("what is not there has no tensors") {
  auto const layout = layout_of(mixed_plan());
  CHECK(layout.find("layers.0.ffn.0.gate") == nullptr);
  CHECK(layout.find("layers.1.attention.q") == nullptr);
  CHECK(layout.find("layers.1.ffn.1.up") == nullptr);
  CHECK(layout.at("layers.1.ffn.2.up").sub_block == 2);
  CHECK(layout.find("layers.2.ffn.0.norm") == nullptr);
  CHECK(layout.find("layers.3.attention.norm") == nullptr);
  CHECK(layout.at("layers.3.attention.post_norm").cols == 10);
  CHECK(layout.at("layers.0.attention.q_norm").cols == 8);
  CHECK(layout.at("layers.0.attention.k_norm").cols == 4);
  CHECK(layout.at("layers.2.attention.q_norm").cols == 4);
}

TEST_CASE("a layout refuses a bad plan and a name that is not there") {
  CHECK_THROWS_AS(layout_of(Plan{}), std::invalid_argument);
  CHECK_THROWS_AS(layout_of(mixed_plan()).at("layers.9.ffn.0.up"), std::invalid_argument);
}
