#include <tailor/study/profile_json.hpp>  // what is tested

#include <support/catch.hpp>             // Catch2
#include <support/temporary_folder.hpp>  // TemporaryFolder
#include <support/thrown_message.hpp>    // thrown_message, contains

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using namespace tailor;
using nlohmann::json;

Profile example() {
  Profile profile{.options = {.samples = 7,
                              .tokens = 99,
                              .seed = ~std::uint64_t(0),
                              .keep_massive = true,
                              .rho = 0.1,
                              .curvature = 3},
                  .cloud_tokens = 1000,
                  .samples = 7,
                  .tokens = 99,
                  .left_out = {0, 5}};
  profile.options.gromov_wasserstein.all_anchors = true;
  profile.options.gromov_wasserstein.product = false;
  for (int l = 0; l < 2; ++l) {
    LayerProfile layer;
    layer.name = "layers." + std::to_string(l) + " \"*/";
    double value = 0.1 + l;
    for (Estimate& estimate : layer.statistics) {
      estimate = {
          .mean = value *= 1.1, .standard_error = value / 3, .samples = 7, .status = Status::ok};
    }
    layer.statistics[4] = {};
    layer.dimension = {.mean = 5, .samples = 1, .status = Status::ok};
    layer.tokens = 99;
    layer.undefined = 2;
    layer.reason = "token 3 is the zero vector";
    layer.massive = 1;
    layer.massive_tokens = {5};
    layer.starts[2][3] = 7;
    layer.lower_bounds[1] = {.mean = 1e-300, .samples = 7, .status = Status::ok};
    profile.layers.push_back(layer);
  }
  profile.rank_correlation[3] = 0.85;
  profile.reliability[3] = 0.97;
  profile.stability = {.criterion = "reliability", .wanted = 0.95, .reached = 0.94, .reason = "no"};
  return profile;
}

std::string refused(json const& changed) {
  return thrown_message<std::invalid_argument>([&] { (void)changed.get<Profile>(); });
}

}  // namespace

TEST_CASE("reading what was written gives back the profile", "[study]") {
  Profile const profile = example();
  json const written = profile;
  Profile const back = json::parse(written.dump()).get<Profile>();
  CHECK(json(back) == written);
  CHECK(back.options.seed == profile.options.seed);
  CHECK(back.options.gromov_wasserstein.all_anchors);
  CHECK_FALSE(back.options.gromov_wasserstein.product);
  CHECK(back.left_out == profile.left_out);
  for (std::size_t l = 0; l < 2; ++l) {
    CHECK(back.layers[l].name == profile.layers[l].name);
    for (std::size_t i = 0; i < 9; ++i) {
      CHECK(back.layers[l].statistics[i].mean == profile.layers[l].statistics[i].mean);
      CHECK(back.layers[l].statistics[i].status == profile.layers[l].statistics[i].status);
      CHECK(back.layers[l].statistics[i].standard_error ==
            profile.layers[l].statistics[i].standard_error);
    }
    CHECK(back.layers[l].starts == profile.layers[l].starts);
    CHECK(back.layers[l].massive_tokens == profile.layers[l].massive_tokens);
    CHECK(back.layers[l].lower_bounds[1].mean == 1e-300);
  }
  CHECK(back.rank_correlation == profile.rank_correlation);
  CHECK(back.reliability == profile.reliability);
  CHECK(back.stability.value().reached == 0.94);
  CHECK_FALSE(back.stability->stable);

  Profile plain = example();
  plain.stability = {};
  CHECK_FALSE(json(plain).get<Profile>().stability);
  plain.stability = {.criterion = "width-error", .wanted = 1, .stable = true};
  CHECK(json(plain).get<Profile>().stability.value().stable);
}

TEST_CASE("the nine statistics stand under their names, the undefined ones as null", "[study]") {
  json const written = example();
  json const& statistics = written["layers"][0]["statistics"];
  CHECK(statistics.size() == 9);
  for (StatisticName const name : all_statistics) CHECK(statistics.contains(name.key()));
  CHECK(statistics["spherical.distortion"]["mean"].is_null());
  CHECK(statistics["spherical.distortion"]["status"] == "undefined");
  CHECK(statistics["hyperbolic.topological"]["samples"] == 7);
  CHECK(written["reliability"]["spherical.shift"] == 0.97);
  CHECK(written["reliability"]["raw.shift"].is_null());
  CHECK(written["rank_correlation"]["spherical.shift"] == 0.85);
  CHECK(written["stability"]["status"] == "not stable");
}

TEST_CASE("a field that is missing, unknown or of another type is named with its path", "[study]") {
  json const good = example();
  auto changed = good;
  changed.erase("samples");
  CHECK(refused(changed) == "profile.samples: missing");
  changed = good;
  changed["layers"][1]["extra"] = 1;
  CHECK(refused(changed) == "profile.layers[1].extra: unknown field");
  changed = good;
  changed["layers"][1]["statistics"]["raw.shift"]["mean"] = "much";
  CHECK(refused(changed) ==
        "profile.layers[1].statistics.raw.shift.mean: expected a number, got \"much\"");
  changed = good;
  changed["layers"][0]["counts"]["massive_tokens"][0] = -1;
  CHECK(contains(refused(changed), "profile.layers[0].counts.massive_tokens[0]: expected a count"));
  changed = good;
  changed["tokens"] = std::uint64_t(1) << 40;
  CHECK(contains(refused(changed), "profile.tokens: expected a count"));
  changed = good;
  changed["options"]["gromov_wasserstein"]["starts"] = {"identity", "luck"};
  CHECK(contains(refused(changed), "starts: expected names of starts, got \"luck\""));
  changed = good;
  changed["layers"][0]["dimension"]["status"] = "fine";
  CHECK(contains(refused(changed), "dimension.status: expected ok or undefined"));
  changed = good;
  changed["format"] = 1;
  CHECK(refused(changed) == "profile.format: expected 2 (measure the profile again), got 1");
  changed = good;
  changed["stability"]["status"] = "shaky";
  CHECK(refused(changed) ==
        "profile.stability.status: expected stable or not stable, got \"shaky\"");
  changed = good;
  changed["layers"] = 3;
  CHECK(refused(changed) == "profile.layers: expected an array, got 3");
  CHECK(refused(json::array()) == "profile: expected an object, got []");
}

TEST_CASE("a profile file that is not there or not JSON is named", "[study]") {
  TemporaryFolder const folder;
  auto const path = folder / "profile.json";
  write_profile(path, example());
  CHECK(json(read_profile(path)) == json(example()));
  std::ofstream(path) << "{\"format\": 1,";
  CHECK(contains(thrown_message<std::invalid_argument>([&] { (void)read_profile(path); }),
                 path.string() + ": expected JSON"));
  std::filesystem::remove(path);
  CHECK(contains(thrown_message<std::runtime_error>([&] { (void)read_profile(path); }),
                 "cannot open " + path.string()));
}
