#include <tailor/study/nearest_name.hpp>  // what is tested

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tailor;

TEST_CASE("the nearest name is the one with the fewest edits, the first of equals", "[study]") {
  std::vector<std::string> const names{"uniform", "hourglass", "random"};
  CHECK(nearest_name("unifrom", names) == "uniform");
  CHECK(nearest_name("hour-glass", names) == "hourglass");
  CHECK(nearest_name("rand", names) == "random");
  CHECK(nearest_name("", {names.data(), 1}) == "uniform");
  CHECK(nearest_name(std::string(1 << 20, 'x'), names) == "uniform");
}
