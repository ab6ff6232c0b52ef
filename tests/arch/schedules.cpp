#include <tailor/arch/schedules.hpp>  // under test

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;
using Widths = std::vector<int>;

namespace {

using Rule = std::function<Widths(int layers, int reference, int grain)>;

/// Every schedule by layers, reference and grain.
std::vector<Rule> rules() {
  return {
      [](int l, int w, int g) { return cosine_taper(l, w, {.grain = g}); },
      [](int l, int w, int g) { return linear_taper(l, w, {.grain = g}); },
      [](int l, int w, int g) { return sigmoid_taper(l, w, {.grain = g}); },
      [](int l, int w, int g) { return linear_taper(l, w, {.start = .5, .end = 4, .grain = g}); },
      [](int l, int w, int g) { return cosine_taper(l, w, {.start = 9, .end = 0, .grain = g}); },
      [](int l, int w, int g) { return wider_third(Third::early, l, w, {.grain = g}); },
      [](int l, int w, int g) { return wider_third(Third::middle, l, w, {.grain = g}); },
      [](int l, int w, int g) { return wider_third(Third::late, l, w, {.wide = 2, .grain = g}); }};
}

std::int64_t sum(Widths const& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::int64_t{0});
}

}  // namespace

TEST_CASE("the widths are multiples of grain and their sum is layers times reference",
          "[arch][schedules]") {
  for (auto const& rule : rules()) {
    for (int layers : {3, 4, 6, 7, 12, 16, 24, 33}) {
      for (auto const& [reference, grain] : {std::pair{16, 16}, {3072, 16}, {208, 16}, {100, 1}}) {
        auto const widths = rule(layers, reference, grain);
        CHECK(widths.size() == static_cast<std::size_t>(layers));
        CHECK(sum(widths) == std::int64_t{layers} * reference);
        for (int width : widths) CHECK((width >= 0 && width % grain == 0));
      }
    }
  }
}

TEST_CASE("tapers fall from start to end", "[arch][schedules]") {
  for (auto const& taper :
       {cosine_taper(12, 3072), linear_taper(12, 3072), sigmoid_taper(12, 3072)}) {
    CHECK(std::is_sorted(taper.rbegin(), taper.rend()));
    CHECK(std::abs(taper.front() - 4608) <= 16);
    CHECK(std::abs(taper.back() - 1536) <= 16);
  }
}

TEST_CASE("the cosine taper follows its published formula before the repair", "[arch][schedules]") {
  auto const widths = cosine_taper(13, 1024, {.grain = 1});
  for (int l = 0; l < 13; ++l) {
    double const wanted = 512 + 512 * (1 + std::cos(3.141592653589793 * l / 12));
    CHECK(std::abs(widths[static_cast<std::size_t>(l)] - wanted) <= 1);
  }
}

TEST_CASE("the sigmoid is flatter at the ends than the line and steeper in the middle",
          "[arch][schedules]") {
  auto const sigmoid = sigmoid_taper(9, 4096, {.grain = 1});
  auto const line = linear_taper(9, 4096, {.grain = 1});
  CHECK(sigmoid[0] - sigmoid[1] < line[0] - line[1]);
  CHECK(sigmoid[3] - sigmoid[5] > line[3] - line[5]);
}

TEST_CASE("a wider third is wide where its name says", "[arch][schedules]") {
  CHECK(wider_third(Third::early, 6, 64) == Widths{96, 96, 48, 48, 48, 48});
  CHECK(wider_third(Third::middle, 6, 64) == Widths{48, 48, 96, 96, 48, 48});
  CHECK(wider_third(Third::late, 6, 64) == Widths{48, 48, 48, 48, 96, 96});
}

TEST_CASE("one layer has the reference width", "[arch][schedules]") {
  CHECK(cosine_taper(1, 64) == Widths{64});
  CHECK(sigmoid_taper(1, 64) == Widths{64});
}

TEST_CASE("no layer loses its FFN by rounding", "[arch][schedules]") {
  for (int width : cosine_taper(12, 16)) CHECK(width == 16);
  CHECK(cosine_taper(3, 32, {.start = 1, .end = 0}).back() == 0);  // wanted, not rounded
}

TEST_CASE("reversed(reversed(widths)) == widths", "[arch][schedules]") {
  auto const widths = cosine_taper(7, 96);
  CHECK(reversed(reversed(widths)) == widths);
  CHECK(reversed(Widths{1, 2, 3}) == Widths{3, 2, 1});
  CHECK(reversed(Widths{}).empty());
}

TEST_CASE("a permutation keeps every width and depends on the seed alone", "[arch][schedules]") {
  auto const widths = cosine_taper(12, 3072);
  auto sorted = widths;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto shuffled = permuted(widths, seed);
    CHECK(shuffled == permuted(widths, seed));
    CHECK(shuffled != permuted(widths, seed + 1));
    std::sort(shuffled.begin(), shuffled.end());
    CHECK(shuffled == sorted);
  }
  CHECK(permuted(widths, 1) != permuted(widths, 1ull << 32 | 1));  // the whole seed counts
}

TEST_CASE("every order of three layers is drawn about equally often", "[arch][schedules]") {
  std::vector<int> seen(6, 0);
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    auto const order = permuted({0, 1, 2}, seed);
    seen[static_cast<std::size_t>(order[0] * 2 + (order[1] > order[2] ? 1 : 0))]++;
  }
  for (int count : seen) CHECK(std::abs(count - 1000) < 5 * 29);  // five standard deviations
}

TEST_CASE("a schedule that cannot be is refused by name", "[arch][schedules]") {
  CHECK_THROWS_WITH(
      cosine_taper(12, 100),
      "schedule: the reference width must be a positive multiple of the grain 16, got "
      "100; the nearest are 96 and 112");
  CHECK_THROWS_WITH(cosine_taper(0, 64), "schedule: layers must be from 1 to 4096, got 0");
  CHECK_THROWS_AS(cosine_taper(-1, 64), std::invalid_argument);
  CHECK_THROWS_AS(cosine_taper(1 << 30, 64), std::invalid_argument);
  CHECK_THROWS_AS(cosine_taper(4, 64, {.grain = 0}), std::invalid_argument);
  CHECK_THROWS_AS(cosine_taper(4, -64), std::invalid_argument);
  CHECK_THROWS_AS(cosine_taper(4, 64, {.start = -1}), std::invalid_argument);
  CHECK_THROWS_AS(cosine_taper(4, 64, {.start = 0, .end = 0}), std::invalid_argument);
  CHECK_THROWS_AS(sigmoid_taper(4, 64, {.steepness = 0}), std::invalid_argument);
  CHECK_THROWS_WITH(wider_third(Third::early, 2, 64),
                    "wider_third: layers must be at least 3, got 2");
  CHECK_THROWS_AS(wider_third(Third::early, 6, 64, {.wide = 3}), std::invalid_argument);
  CHECK_THROWS_AS(repaired_widths({1e300, 1}, 64, 16), std::invalid_argument);
}
