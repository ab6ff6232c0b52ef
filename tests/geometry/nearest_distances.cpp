#include <tailor/geometry/nearest_distances.hpp>  // what is tested

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace tailor;

/// Points on a line.
struct Line {
  std::vector<double> at;
  int size() const { return int(at.size()); }
  double operator()(int i, int j) const {
    return std::abs(at[std::size_t(i)] - at[std::size_t(j)]);
  }
};

std::vector<double> row(NearestDistances const& nearest, int i) {
  return {nearest[i].begin(), nearest[i].end()};
}

}  // namespace

TEST_CASE("every token has the distances to its nearest neighbours, ascending", "[geometry]") {
  auto const nearest = nearest_distances(Line{{5, 0, 1, 9, 3}}, 3);
  REQUIRE(nearest.tokens == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(row(nearest, 0) == std::vector<double>{2, 4, 4});
  CHECK(row(nearest, 1) == std::vector<double>{1, 3, 5});
  CHECK(row(nearest, 3) == std::vector<double>{4, 6, 8});
  CHECK(nearest.outcome.n_used == 5);
  CHECK(nearest.outcome.reason.empty());
}

TEST_CASE("a token with a duplicate is left out and counted, but stays a neighbour", "[geometry]") {
  auto const nearest = nearest_distances(Line{{0, 2, 2, 7}}, 2);
  CHECK(nearest.tokens == std::vector<int>{0, 3});
  CHECK(row(nearest, 0) == std::vector<double>{2, 2});
  CHECK(row(nearest, 1) == std::vector<double>{5, 5});
  CHECK(nearest.outcome.n_undefined == 2);
  CHECK(nearest.outcome.reason == "2 tokens have a duplicate");
}

TEST_CASE("too few tokens, or duplicates alone, leave nothing and say why", "[geometry]") {
  auto const few = nearest_distances(Line{{0, 1, 3}}, 3);
  CHECK(few.outcome.status == Status::undefined);
  CHECK(few.outcome.n_undefined == 3);
  CHECK(few.outcome.reason == "fewer than 4 tokens");
  auto const twins = nearest_distances(Line{{0, 0, 4, 4}}, 2);
  CHECK(twins.outcome.status == Status::undefined);
  CHECK(twins.outcome.reason == "every token has a duplicate");
}

TEST_CASE("a distance that is none is an error that names its tokens", "[geometry]") {
  double const none =
      GENERATE(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
  CHECK(contains(thrown_message<std::invalid_argument>([&] {
                   (void)nearest_distances(Line{{0, 1, none}}, 1);
                 }),
                 "between tokens 0 and 2"));
  CHECK_THROWS_AS(nearest_distances(Line{{0, 1}}, 0), std::invalid_argument);
}
