#include <tailor/arch/plan_of.hpp>            // uniform_plan
#include <tailor/study/allocate_profile.hpp>  // what is tested

#include "support/catch.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace tailor;

namespace {

Plan reference() {
  return uniform_plan({.d_model = 32, .layers = 4, .heads = 2, .vocab = 256, .context = 64}, 96);
}

Profile profile_of(std::vector<double> const& work) {
  Profile profile;
  for (double value : work) {
    LayerProfile layer;
    layer.name = "layers." + std::to_string(profile.layers.size());
    for (auto& each : layer.statistics) each = {.mean = value, .samples = 3, .status = Status::ok};
    layer.dimension = {.mean = 2, .samples = 3, .status = Status::ok};  // exponent 1
    profile.layers.push_back(layer);
  }
  return profile;
}

}  // namespace

TEST_CASE("a profile's statistic, dimensions and the plan's budget decide the widths", "[study]") {
  auto const plan = reference();
  auto const found = allocate(profile_of({4, 1, 1, 1}), plan,
                              {.statistic = "shift/raw", .budget = budget(plan), .grain = 1});
  CHECK(found.exponents == std::vector<double>(4, 1));
  CHECK(found.spent == budget(plan));
  CHECK(found.status == RoundingStatus::exact);
  // With exponent 1 widths go as the root of the work: 2 : 1 : 1 : 1 of 4 * 96.
  CHECK(found.continuous[0] == Approx(2 * 4 * 96 / 5.0));
  CHECK(found.continuous[3] == Approx(4 * 96 / 5.0));
}

TEST_CASE("floor and cap are shares of the reference width", "[study]") {
  auto const found =
      allocate(profile_of({1e4, 1, 1, 1e-4}), reference(), {.grain = 1, .floor = 0.5, .cap = 1.5});
  CHECK(found.floors == std::vector<int>(4, 48));
  CHECK(found.caps == std::vector<int>(4, 144));
  CHECK(found.widths.front() == 144);
  CHECK(found.widths.back() == 48);
  CHECK_THROWS_WITH(allocate(profile_of({1, 1, 1, 1}), reference(), {.floor = 1.5}),
                    Catch::Contains("floor 1.5"));
}

TEST_CASE("an undefined statistic or dimension is an error that names the layer", "[study]") {
  auto profile = profile_of({1, 2, 3, 4});
  profile.layers[2].dimension.status = Status::undefined;
  CHECK_THROWS_WITH(allocate(profile, reference()), Catch::Contains("layers.2"));
  CHECK_THROWS_AS(allocate(profile_of({1, 2, 3, 4}), reference(), {.statistic = "shift"}),
                  std::invalid_argument);
  CHECK_THROWS_WITH(allocate(profile_of({1, 2, 3}), reference()), Catch::Contains("3 layers"));
}
