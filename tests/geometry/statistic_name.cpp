#include <tailor/geometry/statistic_name.hpp>  // what is tested

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message

#include <set>
#include <string>

using namespace tailor;

TEST_CASE("parse_statistic(name.rule()) == name and parse_statistic(name.key()) == name",
          "[geometry]") {
  std::set<std::string> spellings;
  for (std::size_t i = 0; i < all_statistics.size(); ++i) {
    StatisticName const name = all_statistics[i];
    CHECK(name.index() == i);
    CHECK(parse_statistic(name.rule()) == name);
    CHECK(parse_statistic(name.key()) == name);
    spellings.insert(name.rule());
    spellings.insert(name.key());
  }
  CHECK(spellings.size() == 18);
  StatisticName const best = parse_statistic("topological/hyperbolic");
  CHECK(best.statistic == Statistic::topological);
  CHECK(best.geometry == Geometry::hyperbolic);
  CHECK(best.key() == "hyperbolic.topological");
}

TEST_CASE("an unknown name is an error that lists the names", "[geometry]") {
  for (std::string const text : {"", "shift", "hyperbolic/topological", "shift/raw "}) {
    CHECK(contains(thrown_message<std::invalid_argument>([&] { parse_statistic(text); }),
                   "no statistic \"" + text + "\": shift, distortion or topological"));
  }
}
