#include <tailor/geometry/sample.hpp>  // what is tested

#include <support/catch.hpp>  // Catch2

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace tailor;

TEST_CASE("a sample has no position twice and stays within the population", "[geometry]") {
  for (int const count : {0, 1, 7, 99, 100}) {
    auto const sample = sample_without_replacement(count, 100, 5, 0);
    REQUIRE(int(sample.size()) == count);
    CHECK(std::is_sorted(sample.begin(), sample.end()));
    CHECK(std::adjacent_find(sample.begin(), sample.end()) == sample.end());
    CHECK(std::all_of(sample.begin(), sample.end(), [](int i) { return i >= 0 && i < 100; }));
  }
  CHECK_THROWS_AS(sample_without_replacement(101, 100, 5, 0), std::invalid_argument);
  CHECK_THROWS_AS(sample_without_replacement(-1, 100, 5, 0), std::invalid_argument);
}

TEST_CASE("one seed and index give the same sample every time, others another", "[geometry]") {
  auto const draw = [](std::uint64_t seed, std::uint64_t index) {
    return sample_without_replacement(20, 1000, seed, index);
  };
  CHECK(draw(1, 2) == draw(1, 2));
  CHECK(draw(1, 2) != draw(1, 3));
  CHECK(draw(1, 2) != draw(2, 2));
  CHECK(draw(1, 2) != draw(2, 1));
}

TEST_CASE("every position is drawn equally often", "[geometry]") {
  std::array<int, 30> counts{};
  for (std::uint64_t index = 0; index < 6000; ++index) {
    for (int const i : sample_without_replacement(10, 30, 7, index)) ++counts[std::size_t(i)];
  }
  for (int const count : counts) CHECK(std::abs(count - 2000) < 5 * std::sqrt(2000 * 2.0 / 3));
}

TEST_CASE("SplitMix64 gives the published values", "[geometry]") {
  SplitMix64 random(1234567);
  CHECK(random() == 6457827717110365317u);
  CHECK(random() == 3203168211198807973u);
  CHECK(random() == 9817491932198370423u);
}
