#include <tailor/arch/plan_of.hpp>  // tailor::uniform_plan
#include <tailor/io/plan_json.hpp>  // under test

#include <functional>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;
using nlohmann::json;

namespace {

/// A plan in which no field has its default.
Plan unusual() {
  return {.d_model = 48,
          .vocab = 1000,
          .context = 77,
          .activation = Activation::geglu,
          .norm_eps = 1. / 3,
          .unit_offset_gains = true,
          .tied = false,
          .embedding_scale = 6.928203230275509,
          .attention_soft_cap = 50,
          .logit_soft_cap = 30,
          .rope_scaling = {.kind = RopeScaling::Kind::llama3,
                           .factor = 32,
                           .low_frequency_factor = 1.5,
                           .high_frequency_factor = 5,
                           .original_context = 8192},
          .layer_norm_scaling = LayerNormScaling::by_sub_block,
          .layers = {{.heads = 4,
                      .kv_heads = 2,
                      .head_dim = 10,
                      .window = 16,
                      .rope_base = 1e6,
                      .norms = NormPlacement::both,
                      .qk_norm = QkNorm::per_head,
                      .widths = {5, 0, 9}},
                     {}}};
}

void refused(std::function<void(json&)> const& spoil, std::string const& message) {
  json stored = unusual();
  spoil(stored);
  CHECK_THROWS_AS(stored.get<Plan>(), std::invalid_argument);
  CHECK_THROWS_WITH(stored.get<Plan>(), message);
}

}  // namespace

TEST_CASE("reading what was written gives back the plan", "[io]") {
  auto const simple = uniform_plan({.d_model = 64, .layers = 3, .heads = 4}, 128);
  for (auto const& plan : {simple, unusual()}) {
    CHECK(json(plan).get<Plan>() == plan);
    CHECK(json::parse(json(plan).dump()).get<Plan>() == plan);
    CHECK(json(json::parse(json(plan).dump(2)).get<Plan>()).dump() == json(plan).dump());
  }
}

TEST_CASE("a stored plan carries its format and names, not numbers, for switches", "[io]") {
  json const stored = unusual();
  CHECK(stored["format"] == 1);
  CHECK(stored["activation"] == "geglu");
  CHECK(stored["layers"][0]["norms"] == "both");
  CHECK(stored["layers"][0]["widths"] == json({5, 0, 9}));
}

TEST_CASE("a stored plan that is not exactly a plan is refused by the path of the field", "[io]") {
  refused([](json& j) { j["format"] = 2; }, "plan.format: expected 1, got 2");
  refused([](json& j) { j.erase("format"); }, "plan.format: missing");
  refused([](json& j) { j = json::array(); }, "plan: expected an object, got array");
  refused([](json& j) { j.erase("vocab"); }, "plan.vocab: missing");
  refused([](json& j) { j["colour"] = 1; }, "plan.colour: unknown field");
  refused([](json& j) { j["d_model"] = "48"; }, "plan.d_model: expected an integer, got string");
  refused([](json& j) { j["d_model"] = 48.5; }, "plan.d_model: expected an integer, got number");
  refused([](json& j) { j["d_model"] = true; }, "plan.d_model: expected an integer, got boolean");
  refused([](json& j) { j["d_model"] = 1ll << 40; },
          "plan.d_model: expected an integer of 32 bits, got 1099511627776");
  refused([](json& j) { j["d_model"] = ~0ull; },
          "plan.d_model: expected an integer of 32 bits, got 18446744073709551615");
  refused([](json& j) { j["tied"] = 0; }, "plan.tied: expected true or false, got number");
  refused([](json& j) { j["norm_eps"] = nullptr; }, "plan.norm_eps: expected a number, got null");
  refused([](json& j) { j["activation"] = "tanh"; },
          "plan.activation: expected one of swiglu, geglu, gelu, relu2, got \"tanh\"");
  refused([](json& j) { j["activation"] = 1; }, "plan.activation: expected a name, got number");
  refused([](json& j) { j["rope_scaling"].erase("factor"); }, "plan.rope_scaling.factor: missing");
  refused([](json& j) { j["rope_scaling"]["beta"] = 1; }, "plan.rope_scaling.beta: unknown field");
  refused([](json& j) { j["layers"] = 3; }, "plan.layers: expected an array, got number");
  refused([](json& j) { j["layers"][1]["kv_heads"] = {}; },
          "plan.layers[1].kv_heads: expected an integer, got null");
  refused([](json& j) { j["layers"][1]["bias"] = {}; }, "plan.layers[1].bias: unknown field");
  refused([](json& j) { j["layers"][0]["widths"][2] = "9"; },
          "plan.layers[0].widths[2]: expected an integer, got string");
  refused([](json& j) { j["layers"][0]["widths"] = std::vector<int>(300, 1); },
          "plan.layers[0].widths: expected at most 256 entries, got 300");
}

TEST_CASE("a stored plan that breaks a rule is refused as any plan is", "[io]") {
  refused([](json& j) { j["layers"][0]["kv_heads"] = 3; },
          "plan.layers[0].kv_heads: must divide heads, got 3");
  refused([](json& j) { j["d_model"] = 0; }, "plan.d_model: must be from 1 to 2^20, got 0");
}

TEST_CASE("a plan is unchanged where reading fails", "[io]") {
  json stored = unusual();
  stored["layers"][1].erase("heads");
  Plan plan = uniform_plan({.d_model = 64, .layers = 1, .heads = 4}, 8);
  auto const before = plan;
  CHECK_THROWS(stored.get_to(plan));
  CHECK(plan == before);
}
