#include <tailor/study/width_list.hpp>  // what is tested

#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using namespace tailor;

TEST_CASE("a JSON array and integers between blanks are the same widths", "[study]") {
  std::vector<int> const widths{96, 0, 128};
  for (auto const* text : {"[96, 0, 128]", "[96,0,128]\n", " [ 96\t,0 ,\r\n128 ] ", "96 0 128",
                           "96\n0\n128\n", "96, 0, 128", "096 00 128"})
    CHECK(parse_width_list(text) == widths);
  CHECK(parse_width_list("[]").empty());
  CHECK(parse_width_list("7") == std::vector<int>{7});
}

TEST_CASE("anything else is an error that names the byte", "[study]") {
  auto const fails_at = [](std::string const& text, int byte) {
    INFO(text);
    CHECK_THROWS_WITH(parse_width_list(text), Catch::Contains("at byte " + std::to_string(byte)));
  };
  fails_at("", 0);
  fails_at("  ", 2);
  fails_at("[1, 2", 5);
  fails_at("[1 2]", 3);
  fails_at("[1,,2]", 3);
  fails_at("[1,]", 3);
  fails_at("1,", 2);
  fails_at("[1] 2", 4);
  fails_at("[[1]]", 1);
  fails_at("1.5 2", 1);
  fails_at("[1e3]", 2);
  fails_at("-1", 0);
  fails_at("3 x", 2);
  fails_at("4194305", 0);
  fails_at("99999999999999999999", 0);
  fails_at(std::string("1 \0", 3), 2);
  fails_at(
      "\xef\xbb\xbf"
      "1",
      0);
}

TEST_CASE("more widths than a plan may have layers are refused", "[study]") {
  std::string text;
  for (int l = 0; l <= PlanLimits::layers; ++l) text += "1 ";
  CHECK_THROWS_WITH(parse_width_list(text), Catch::Contains("at most 4096 widths"));
}

TEST_CASE("a file of widths is read; one that is not there, no file, or too large is named",
          "[study]") {
  auto const path = std::filesystem::temp_directory_path() /
                    ("tailor_widths_" + std::to_string(std::random_device()()));
  std::ofstream(path) << "[64, 32]";
  CHECK(read_width_list(path.string()) == std::vector<int>{64, 32});
  std::ofstream(path) << "[64, oops]";
  CHECK_THROWS_WITH(read_width_list(path.string()),
                    Catch::Contains(path.string()) && Catch::Contains("at byte 5"));
  std::ofstream(path) << std::string((1 << 20) + 1, ' ');
  CHECK_THROWS_WITH(read_width_list(path.string()), Catch::Contains("at most 1048576 bytes"));
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(read_width_list(path.string()), Catch::Contains(path.string()));
  CHECK_THROWS_AS(read_width_list("/dev/zero"), std::invalid_argument);
  CHECK_THROWS_AS(read_width_list("/"), std::invalid_argument);
}
