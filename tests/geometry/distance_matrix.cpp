#include <support/catch.hpp>                    // TEST_CASE, CHECK
#include <tailor/geometry/distance_matrix.hpp>  // the header under test

#include <cmath>

namespace {

/// A distance matrix that stores nothing.
struct OnALine {
  int n = 0;
  int size() const { return n; }
  double operator()(int i, int j) const { return std::abs(i - j); }
};

}  // namespace

TEST_CASE("anything with a size and d(i, j) is a distance matrix", "[geometry]") {
  STATIC_REQUIRE(tailor::DistanceMatrix<OnALine>);
  STATIC_REQUIRE(tailor::DistanceMatrix<tailor::DenseDistances>);
  STATIC_REQUIRE_FALSE(tailor::DistanceMatrix<std::vector<double>>);
}

TEST_CASE("a dense copy holds the same distances", "[geometry]") {
  OnALine const line{.n = 5};
  tailor::DenseDistances const copy = tailor::dense(line);
  REQUIRE(copy.size() == 5);
  for (int i = 0; i < 5; ++i) {
    REQUIRE(copy.row(i).size() == 5);
    for (int j = 0; j < 5; ++j) {
      CHECK(copy(i, j) == line(i, j));
      CHECK(copy.row(i)[static_cast<std::size_t>(j)] == line(i, j));
    }
  }
}

TEST_CASE("a dense matrix starts at zero, may be empty and is never of negative size",
          "[geometry]") {
  CHECK(tailor::DenseDistances(0).size() == 0);
  CHECK(tailor::DenseDistances(2)(1, 0) == 0);
  CHECK(tailor::DenseDistances::bytes(100000) == 80000000000u);
  CHECK_THROWS_AS(tailor::DenseDistances(-1), std::invalid_argument);
}
