#include <tailor/study/rules.hpp>  // what is tested

#include "support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace tailor;

namespace {

constexpr Dims dims{.d_model = 64, .layers = 6, .heads = 4, .vocab = 256, .context = 128};

Plan reference(int width = 128) {
  return uniform_plan(dims, width);
}

/// A profile with front-loaded work, another shape for each statistic.
Profile profile_of(int layers = 6) {
  Profile profile;
  for (int l = 0; l < layers; ++l) {
    LayerProfile layer{.name = "layer " + std::to_string(l),
                       .statistics = {},
                       .dimension = {},
                       .participation_ratio = {}};
    for (std::size_t s = 0; s < 9; ++s)
      layer.statistics[s] = {
          .mean = 0.1 * double(s + 1) / (1 + 0.7 * l) + 0.01 * double((l * s) % 5),
          .samples = 10,
          .status = Status::ok};
    layer.dimension = {.mean = 6.0 + l, .samples = 10, .status = Status::ok};
    profile.layers.push_back(layer);
  }
  return profile;
}

RulePlan plan_by(std::string const& name, Plan const& plan = reference(), std::uint64_t seed = 1) {
  auto const profile = profile_of(int(plan.layers.size()));
  return plan_for(parse_rule(name), plan, &profile, seed);
}

std::vector<int> widths_by(std::string const& name, std::uint64_t seed = 1) {
  return widths_of(plan_by(name, reference(), seed).plan);
}

std::multiset<int> multiset_of(std::vector<int> const& widths) {
  return {widths.begin(), widths.end()};
}

}  // namespace

TEST_CASE("every rule matches the reference's Count::matrices exactly, an oracle apart",
          "[study]") {
  for (int const width : {64, 96, 128, 168, 192, 256})
    for (auto const& name : rule_names()) {
      if (name == "oracle:FILE") continue;
      for (auto const* prefix : {"", "anti:", "mirrored:", "inverse:", "random:"}) {
        if (*prefix != 0 && name.find('/') == std::string::npos) continue;
        if (name == "hourglass-reallocated" && width < 128) continue;
        INFO(prefix + name << " at width " << width);
        auto const found = plan_by(prefix + name, reference(width));
        CHECK(found.surplus == 0);
        CHECK(parameters(found.plan) == parameters(reference(width)));
      }
    }
}

TEST_CASE("anti, mirrored and random keep every width of the rule they stand before", "[study]") {
  for (auto const statistic : all_statistics) {
    auto const name = statistic.rule();
    auto const widths = widths_by(name);
    for (auto const* prefix : {"anti:", "mirrored:", "random:"})
      CHECK(multiset_of(widths_by(prefix + name)) == multiset_of(widths));
    auto mirrored = widths_by("mirrored:" + name);
    std::reverse(mirrored.begin(), mirrored.end());
    CHECK(mirrored == widths);
  }
}

TEST_CASE("anti gives the largest width to the smallest work", "[study]") {
  auto const found = plan_by("anti:topological/hyperbolic");
  auto const widths = widths_of(found.plan);
  auto const& work = found.allocation->difficulty;
  for (std::size_t a = 0; a < work.size(); ++a)
    for (std::size_t b = 0; b < work.size(); ++b)
      if (work[a] < work[b]) CHECK(widths[a] >= widths[b]);
  CHECK(anti_widths({1, 2, 3}, {5, 5, 5}) == std::vector<int>{3, 2, 1});
  CHECK_THROWS_AS(anti_widths({1, 2}, {1}), std::invalid_argument);
}

TEST_CASE("inverse gives widths that rise where those of the rule fall", "[study]") {
  auto profile = profile_of();
  for (auto& layer : profile.layers) layer.dimension.mean = 4;
  auto const rule = widths_of(plan_for(parse_rule("shift/raw"), reference(), &profile).plan);
  auto const inverse =
      widths_of(plan_for(parse_rule("inverse:shift/raw"), reference(), &profile).plan);
  auto const work = values(profile, {});
  for (std::size_t l = 0; l + 1 < rule.size(); ++l) {
    if (work[l] <= work[l + 1]) continue;
    CHECK(rule[l] >= rule[l + 1]);
    CHECK(inverse[l] <= inverse[l + 1]);
  }
}

TEST_CASE("random is a new permutation per seed, and one seed gives one plan", "[study]") {
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const widths = widths_by("random", seed);
    CHECK(widths == widths_by("random", seed));
    CHECK(multiset_of(widths) == multiset_of(widths_by("topological/hyperbolic")));
    orders.insert(widths);
  }
  CHECK(orders.size() > 10);
  CHECK(widths_by("topological/hyperbolic", 1) == widths_by("topological/hyperbolic", 2));
}

TEST_CASE("rules that come to the same plan are equal by it", "[study]") {
  CHECK(plan_by("uniform").plan == reference());
  CHECK(plan_by("hourglass", reference(32)).plan == plan_by("uniform", reference(32)).plan);
  CHECK(plan_by("random", reference(), 3).plan ==
        plan_by("random:topological/hyperbolic", reference(), 3).plan);
  CHECK_FALSE(plan_by("cosine-taper").plan == reference());
}

TEST_CASE("the cosine taper falls from one and a half to half of the reference width", "[study]") {
  auto const widths = widths_by("cosine-taper");
  CHECK(std::is_sorted(widths.rbegin(), widths.rend()));
  CHECK(widths.front() == 192);
  CHECK(widths.back() == 64);
}

TEST_CASE("an oracle's widths are taken as they are, and the surplus is told", "[study]") {
  auto const path = (std::filesystem::temp_directory_path() /
                     ("tailor_oracle_" + std::to_string(std::random_device()())))
                        .string();
  std::ofstream(path) << "[128, 128, 128, 128, 128, 130]";
  auto const found = plan_by("oracle:" + path);
  CHECK(widths_of(found.plan).back() == 130);
  CHECK(found.surplus == 2 * 3 * 64);
  CHECK(widths_of(plan_by("mirrored:oracle:" + path).plan).front() == 130);
  std::ofstream(path) << "1 2 3";
  CHECK_THROWS_WITH(plan_by("oracle:" + path),
                    Catch::Contains("expected 6 widths") && Catch::Contains("got 3"));
  std::filesystem::remove(path);
}

TEST_CASE("what a rule needs and does not have is an error that says so", "[study]") {
  CHECK_THROWS_WITH(plan_for(parse_rule("shift/raw"), reference()),
                    Catch::Contains("needs a profile"));
  auto uneven = reference();
  uneven.layers[2].widths = {64};
  for (auto const* name : {"uniform", "cosine-taper"})
    CHECK_THROWS_WITH(plan_by(name, uneven), Catch::Contains("layer 2 differs"));
  auto stacked = hourglass_of(reference());
  CHECK_THROWS_WITH(plan_by("shift/raw", stacked), Catch::Contains("one FFN per layer"));
  auto profile = profile_of();
  profile.layers[4].statistics[0].status = Status::undefined;
  CHECK_THROWS_WITH(plan_for(parse_rule("shift/raw"), reference(), &profile),
                    Catch::Contains("layer 4"));
  CHECK_NOTHROW(plan_for(parse_rule("topological/raw"), reference(), &profile));
  profile.layers.pop_back();
  CHECK_THROWS_WITH(plan_for(parse_rule("topological/raw"), reference(), &profile),
                    Catch::Contains("5 layers"));
}
