#include <tailor/study/cloud_files.hpp>  // under test

#include <tailor/io/npy.hpp>  // tailor::write_npy

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

void write_cloud(std::filesystem::path const& file, int tokens, int d_model, float first) {
  std::vector<float> values(std::size_t(tokens * d_model));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + float(i);
  tailor::write_npy<float>(file, {tokens, d_model}, values);
}

}  // namespace

TEST_CASE("the clouds of a folder come in the order of their numbers", "[study]") {
  TemporaryFolder const folder;
  for (char const* number : {"10", "2"}) {
    float const first = number[0] == '2' ? 2 : 10;
    write_cloud(folder / ("layer_" + std::string(number) + "_before.npy"), 3, 2, first);
    write_cloud(folder / ("layer_" + std::string(number) + "_after.npy"), 3, 2, first + 100);
  }
  std::ofstream(folder / "notes.txt") << "passed over";
  auto const clouds = tailor::read_clouds(folder);
  REQUIRE(clouds.size() == 2);
  CHECK(clouds[0].layer == "layer 2");
  CHECK(clouds[1].layer == "layer 10");
  CHECK(clouds[0].before.view()(0, 0) == 2);
  CHECK(clouds[0].before.view()(2, 1) == 7);
  CHECK(clouds[1].after.view()(0, 0) == 110);
}

TEST_CASE("a folder of clouds with a fault is told with the file", "[study]") {
  TemporaryFolder const folder;
  auto const refused = [&](char const* expected) {
    CHECK_THROWS_WITH(tailor::read_clouds(folder), Catch::Contains(expected));
  };
  refused("found none");
  write_cloud(folder / "layer_00_before.npy", 3, 2, 0);
  refused("layer_00_after.npy: missing beside layer_00_before.npy");
  write_cloud(folder / "layer_00_after.npy", 4, 2, 0);
  refused("layer 00");
  tailor::write_npy<float>(folder / "layer_00_after.npy", {6}, std::vector<float>(6));
  refused("expected an array [tokens, d_model], got 1 dimensions");
  write_cloud(folder / "layer_00_after.npy", 3, 2, 0);
  CHECK(tailor::read_clouds(folder).size() == 1);
  write_cloud(folder / "layer_x_before.npy", 3, 2, 0);
  refused("expected a layer number, got \"x\"");
  CHECK_THROWS_AS(tailor::read_clouds(folder / "nowhere"), std::invalid_argument);
}
