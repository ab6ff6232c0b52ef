#include <tailor/geometry/diagram_csv.hpp>  // what is tested

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message, contains

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using tailor::Bar;
using tailor::parse_diagram_csv;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string fault(std::string const& text) {
  return thrown_message<std::invalid_argument>([&] { (void)parse_diagram_csv(text, "a.csv"); });
}

}  // namespace

TEST_CASE("parse_diagram_csv gives the same bars back bit for bit", "[geometry]") {
  std::vector<Bar> bars{{0, infinity}, {0.1, 0.1}, {1e-310, 1e308}, {-3, -0.0}, {1e16, 1e16 + 2}};
  std::mt19937_64 random(4);
  while (bars.size() < 1000) {
    double const birth = std::bit_cast<double>(random() >> 2);  // any size, and positive
    bars.push_back({birth, birth * 1.5});
  }
  CHECK(parse_diagram_csv(tailor::diagram_csv(bars), "text") == bars);
}

TEST_CASE("a diagram is one birth and death per line, inf where it never dies", "[geometry]") {
  std::vector<Bar> const bars{{0.5, 1}, {2, infinity}};
  CHECK(tailor::diagram_csv(bars) == "0.5,1\n2,inf\n");
  CHECK(tailor::diagram_csv({}).empty());
}

TEST_CASE("what other programs write is read", "[geometry]") {
  std::vector<Bar> const bars{{0.5, 1}, {2, infinity}};
  auto const text = GENERATE(
      as<std::string>(), "5.000000000000000000e-01,1.000000000000000000e+00\n2.0e+00,inf\n",
      "# birth,death\n0.5,1\n2,inf\n", "birth,death\n0.5,1\n2,Infinity",
      "\"birth\",\"death\"\r\n0.5,1\r\n2,INF\r\n", "\n 0.5 , 1 \n\n\t2,inf\n\n");
  CAPTURE(text);
  CHECK(parse_diagram_csv(text, "a.csv") == bars);
}

TEST_CASE("a text without bars is the empty diagram", "[geometry]") {
  auto const text = GENERATE(as<std::string>(), "", "\n", "birth,death\n", "# nothing\n\n");
  CHECK(parse_diagram_csv(text, "a.csv").empty());
}

TEST_CASE("a line that is not a bar is an error that names file and line", "[geometry]") {
  auto const line =
      GENERATE(as<std::string>(), "1", "1;2", "1,2,3", "1,", ",2", "one,2", "1,x", "birth,death",
               "1e999,2", "2,1", "inf,inf", "-inf,0", "nan,1", "1,nan", "0x1,0x2", "1 2,3");
  CAPTURE(line);
  std::string const message = fault("birth,death\n0,1\n" + line + "\n");
  CHECK(contains(message, "a.csv: line 3: "));
  CHECK(contains(message, "\"" + line + "\""));
}

TEST_CASE("a first line with a number in it is never taken for a header", "[geometry]") {
  auto const line = GENERATE(as<std::string>(), "nan,nan", "inf,inf", "birth,1", "0,death",
                             "\xEF\xBB\xBF"
                             "0,1");
  CHECK(contains(fault(line + "\n1,2\n"), "a.csv: line 1: "));
}

TEST_CASE("bytes that are no text are refused in one line", "[geometry]") {
  std::string const message =
      fault(std::string("\x93NUMPY\x01\x00v\x00{", 11) + std::string(500, 'x'));
  CHECK(contains(message, "line 1"));
  CHECK(message.find_first_of(std::string("\n\r\0", 3)) == std::string::npos);
  CHECK(message.size() < 200);
}
