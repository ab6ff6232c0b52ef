// The scans of a row against plain loops, on every instruction set that this machine has.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <tailor/host/scans.hpp>  // tailor::host::scans

namespace {

using tailor::host::InstructionSet;
using tailor::host::Scans;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Few values, so that there are ties, and some infinities.
std::vector<double> numbers(std::mt19937_64& random, int n, bool infinities) {
  std::vector<double> x;
  for (int j = 0; j < n; ++j) {
    bool const infinite = infinities && random() % 5 == 0;
    x.push_back(infinite ? infinity : static_cast<double>(random() % 8) - 4);
  }
  return x;
}

int first_place(std::vector<double> const& x) {
  return static_cast<int>(std::min_element(x.begin(), x.end()) - x.begin());
}

std::vector<Scans> all_scans() {
  std::vector<Scans> all;
  for (auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (set <= tailor::host::best_instruction_set()) all.push_back(tailor::host::scans(set));
  }
  return all;
}

}  // namespace

TEST_CASE("scans give the least numbers and the first place, on every instruction set", "[scans]") {
  std::mt19937_64 random(1);
  for (Scans const& scans : all_scans()) {
    for (int n = 1; n < 70; ++n) {
      std::vector<double> const x = numbers(random, n, true);
      auto const least = scans.least_of(x.data(), n);
      CHECK(least.value == x[first_place(x)]);
      if (least.value < infinity) CHECK(least.place == first_place(x));

      std::vector<double> const y = numbers(random, n, false);
      std::vector<double> differences;
      for (int j = 0; j < n; ++j) differences.push_back(x[j] - y[j]);
      auto const two = scans.least_two_of(x.data(), y.data(), n);
      int const place = first_place(differences);
      CHECK(two.first.value == differences[place]);
      if (two.first.value < infinity) CHECK(two.first.place == place);
      std::sort(differences.begin(), differences.end());
      CHECK(two.second == (n > 1 ? differences[1] : infinity));
    }
  }
}

TEST_CASE("scans shorten paths and keep where they came from, on every instruction set",
          "[scans]") {
  std::mt19937_64 random(2);
  for (Scans const& scans : all_scans()) {
    for (int n = 1; n < 70; ++n) {
      std::vector<double> const cost = numbers(random, n, false);
      std::vector<double> price = numbers(random, n, true);
      for (double& p : price) p = p == infinity ? -infinity : p;  // closed
      std::vector<double> distance = numbers(random, n, true);
      std::vector<std::int64_t> from(n, 3);
      std::vector<double> expected = distance;
      std::vector<std::int64_t> expected_from = from;
      for (int j = 0; j < n; ++j) {
        if (cost[j] - price[j] + 1.5 >= expected[j]) continue;
        expected[j] = cost[j] - price[j] + 1.5;
        expected_from[j] = 7;
      }
      auto const least =
          scans.shorten({cost.data(), price.data(), 1.5, 7}, distance.data(), from.data(), n);
      CHECK(distance == expected);
      CHECK(from == expected_from);
      CHECK(least.value == expected[first_place(expected)]);
      if (least.value < infinity) CHECK(least.place == first_place(expected));
    }
  }
}

TEST_CASE("scans of nothing find nothing", "[scans]") {
  for (Scans const& scans : all_scans()) {
    CHECK(scans.least_of(nullptr, 0).value == infinity);
    CHECK(scans.least_two_of(nullptr, nullptr, 0).first.value == infinity);
    CHECK(scans.shorten({nullptr, nullptr, 0, 0}, nullptr, nullptr, 0).value == infinity);
  }
}
