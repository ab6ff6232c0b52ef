#include <support/catch.hpp>                // TEST_CASE, CHECK
#include <support/matching_references.hpp>  // references::least_sum
#include <support/thrown_message.hpp>       // thrown_message
#include <tailor/geometry/wasserstein.hpp>  // the header under test

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

using tailor::Bar;
using tailor::GroundNorm;
using tailor::wasserstein1;
using tailor::wasserstein2;
using tailor::WassersteinResult;

namespace {

using Diagram = std::vector<Bar>;
using Random = std::mt19937_64;

constexpr double infinity = std::numeric_limits<double>::infinity();

double uniform(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

double pair_cost(GroundNorm norm, Bar const& x, Bar const& y) {
  double const births = std::abs(x.birth - y.birth);
  double const deaths = std::abs(x.death - y.death);
  return norm == GroundNorm::l2 ? births * births + deaths * deaths
                                : std::pow(std::max(births, deaths), 2);
}

double single_cost(GroundNorm norm, Bar const& x) {
  return std::pow(x.death - x.birth, 2) / (norm == GroundNorm::l2 ? 2 : 4);
}

/// The least sum of squares over every way to match the bars of x from the i-th on.
double by_enumeration(GroundNorm norm, Diagram const& x, Diagram& y, std::size_t i = 0) {
  if (i == x.size()) {
    double sum = 0;
    for (Bar const& bar : y) sum += single_cost(norm, bar);
    return sum;
  }
  double best = single_cost(norm, x[i]) + by_enumeration(norm, x, y, i + 1);
  for (std::size_t j = 0; j < y.size(); ++j) {
    Bar const taken = y[j];
    y.erase(y.begin() + static_cast<std::ptrdiff_t>(j));
    best = std::min(best, pair_cost(norm, x[i], taken) + by_enumeration(norm, x, y, i + 1));
    y.insert(y.begin() + static_cast<std::ptrdiff_t>(j), taken);
  }
  return best;
}

Diagram random_diagram(Random& random, int size, double lengths = 1) {
  Diagram diagram;
  for (int i = 0; i < size; ++i) {
    double const birth = uniform(random);
    diagram.push_back({birth, birth + lengths * uniform(random)});
  }
  return diagram;
}

/// Births and deaths on a grid: many ties, some bars of length zero, some equal.
Diagram grid_diagram(Random& random, int size) {
  Diagram diagram;
  for (int i = 0; i < size; ++i) {
    auto const birth = static_cast<double>(random() % 4);
    diagram.push_back({birth, birth + static_cast<double>(random() % 3)});
  }
  return diagram;
}

template <int exponent, GroundNorm norm>
WassersteinResult wasserstein(Diagram const& x, Diagram const& y) {
  if constexpr (exponent == 1) return wasserstein1<norm>(x, y);
  if constexpr (exponent == 2) return wasserstein2<norm>(x, y);
}

template <int exponent, GroundNorm norm>
void check_matching(Diagram const& x, Diagram const& y, WassersteinResult const& result) {
  std::vector<double> const distances = references::match_distances(norm, x, y, result);
  CHECK(distances.size() == result.matching.size());
  double sum = 0;
  for (double const distance : distances) sum += std::pow(distance, exponent);
  CHECK(std::pow(result.value, exponent) == Approx(sum).epsilon(1e-12));
  CHECK(2 * result.paired + result.diagonal == result.n_used);
}

template <GroundNorm norm>
void check_against_enumeration(Diagram const& x, Diagram y) {
  WassersteinResult const result = wasserstein2<norm>(x, y);
  CHECK(result.value * result.value == Approx(by_enumeration(norm, x, y)).epsilon(1e-12));
  check_matching<2, norm>(x, y, result);
}

template <int exponent, GroundNorm norm>
void check_against_augmented(Diagram const& x, Diagram const& y) {
  WassersteinResult const result = wasserstein<exponent, norm>(x, y);
  double const sum = references::least_sum(references::augmented(norm, exponent, x, y));
  if (sum >= references::forbidden) {
    CHECK(std::isinf(result.value));
    return;
  }
  CHECK(std::pow(result.value, exponent) == Approx(sum).epsilon(1e-9).margin(1e-14));
  check_matching<exponent, norm>(x, y, result);
}

/// With more bars than a block holds when `most` is large.
template <GroundNorm norm>
void check_random_diagrams(unsigned seed, unsigned least, unsigned most) {
  Random random(seed);
  int const kind = static_cast<int>(random() % references::kinds);
  auto const size = [&] { return static_cast<int>(least + random() % (most - least)); };
  Diagram const x = references::mixed_diagram(random, kind, size());
  Diagram const y = references::mixed_diagram(random, kind, size());
  check_against_augmented<1, norm>(x, y);
  check_against_augmented<2, norm>(x, y);
}

}  // namespace

TEST_CASE("a single bar costs its distance to the diagonal", "[wasserstein]") {
  Diagram const bar{{0, 1}};
  CHECK(wasserstein2(bar, {}).value == Approx(1 / std::sqrt(2.0)).epsilon(1e-15));
  CHECK(wasserstein2<GroundNorm::linf>(bar, {}).value == 0.5);
  CHECK(wasserstein2({}, bar).matching == std::vector<tailor::BarMatch>{{-1, 0}});
}

TEST_CASE("one pair and one single bar have the known distance", "[wasserstein]") {
  Diagram const x{{0, 4}, {1, 2}};
  Diagram const y{{0, 3}};
  CHECK(wasserstein2(x, y).value == Approx(1.224744871391589).epsilon(1e-14));
  CHECK(wasserstein2<GroundNorm::linf>(x, y).value == Approx(1.118033988749895).epsilon(1e-14));
  CHECK(wasserstein2(x, y).matching == std::vector<tailor::BarMatch>{{0, 0}, {1, -1}});
}

TEST_CASE("empty diagrams are at distance zero", "[wasserstein]") {
  WassersteinResult const result = wasserstein2({}, {});
  CHECK(result.value == 0);
  CHECK(result.n_used == 0);
  CHECK(result.status == tailor::Status::ok);
}

TEST_CASE("bars that never die are matched by birth", "[wasserstein]") {
  Diagram const x{{0, infinity}, {0.1, 0.5}};
  CHECK(wasserstein2(x, x).value == 0);
  CHECK(wasserstein2(Diagram{{0, infinity}}, Diagram{{3, infinity}}).value == 3);
  WassersteinResult const two =
      wasserstein2(Diagram{{5, infinity}, {1, infinity}}, Diagram{{2, infinity}, {4, infinity}});
  CHECK(two.value == Approx(std::sqrt(2.0)));
  CHECK(two.matching == std::vector<tailor::BarMatch>{{1, 0}, {0, 1}});
}

TEST_CASE(
    "different numbers of bars that never die are infinitely far apart, and the reason says so",
    "[wasserstein]") {
  WassersteinResult const result =
      wasserstein2(Diagram{{0, infinity}, {0.1, 0.5}}, Diagram{{0, 1}, {0.1, 0.5}});
  CHECK(result.value == infinity);
  CHECK(result.status == tailor::Status::ok);
  CHECK(contains(result.reason, "1 bars never die in the first diagram, 0 in the second"));
}

TEMPLATE_TEST_CASE_SIG("the distance is the least over all matchings", "[wasserstein]",
                       ((GroundNorm norm), norm), GroundNorm::l2, GroundNorm::linf) {
  Random random(GENERATE(range(1u, 101u)));
  int const n = static_cast<int>(random() % 6);
  int const m = static_cast<int>(random() % 6);
  check_against_enumeration<norm>(random_diagram(random, n), random_diagram(random, m));
  check_against_enumeration<norm>(random_diagram(random, n, 0.1), random_diagram(random, m, 0.5));
  check_against_enumeration<norm>(grid_diagram(random, n), grid_diagram(random, m));
}

TEMPLATE_TEST_CASE_SIG("the distance of diagrams is a metric", "[wasserstein]",
                       ((int exponent, GroundNorm norm), exponent, norm), (1, GroundNorm::l2),
                       (1, GroundNorm::linf), (2, GroundNorm::l2), (2, GroundNorm::linf)) {
  Random random(GENERATE(range(1u, 11u)));
  Diagram const x = random_diagram(random, 60);
  Diagram const y = random_diagram(random, 40, 0.3);
  Diagram const z = random_diagram(random, 50, 0.6);
  auto const distance = [](Diagram const& s, Diagram const& t) {
    return wasserstein<exponent, norm>(s, t).value;
  };
  SECTION("zero from a diagram to itself, in any order") {
    Diagram shuffled = x;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    CHECK(distance(x, x) == 0);
    CHECK(distance(x, shuffled) == 0);
  }
  SECTION("symmetric") {
    CHECK(distance(x, y) == Approx(distance(y, x)).epsilon(1e-12));
  }
  SECTION("the triangle inequality holds") {
    CHECK(distance(x, z) <= (distance(x, y) + distance(y, z)) * (1 + 1e-12));
  }
  SECTION("it scales with the diagrams") {
    double const factor = GENERATE(0x1p-600, 3.0, 0x1p600);
    Diagram large_x = x;
    Diagram large_y = y;
    for (Diagram* diagram : {&large_x, &large_y}) {
      for (Bar& bar : *diagram) bar = {bar.birth * factor, bar.death * factor};
    }
    CHECK(distance(large_x, large_y) / factor == Approx(distance(x, y)).epsilon(1e-12));
  }
  SECTION("it does not change when both move along the diagonal") {
    Diagram moved_x = x;
    Diagram moved_y = y;
    for (Diagram* diagram : {&moved_x, &moved_y}) {
      for (Bar& bar : *diagram) bar = {bar.birth + 5, bar.death + 5};
    }
    CHECK(distance(moved_x, moved_y) == Approx(distance(x, y)).epsilon(1e-12));
  }
  SECTION("every bar is matched once, at the cost that the value states") {
    check_matching<exponent, norm>(x, y, wasserstein<exponent, norm>(x, y));
  }
}

TEST_CASE("bars of length zero change nothing", "[wasserstein]") {
  Random random(9);
  Diagram x = random_diagram(random, 30);
  Diagram const y = random_diagram(random, 30);
  double const before = wasserstein2(x, y).value;
  for (int i = 0; i < 20; ++i) x.push_back({0.1 * i, 0.1 * i});
  CHECK(wasserstein2(x, y).value == Approx(before).epsilon(1e-12));
}

TEST_CASE("long bars that nearly coincide keep their digits", "[wasserstein]") {
  Diagram const x{{0, 1e16}, {0, 1e16 + 1000}, {0, 1e16 + 5000}};
  Diagram const y{{0, 1e16 + 1002}, {0, 1e16 + 5004}, {0, 1e16 + 2}};
  CHECK(wasserstein2(x, y).value == Approx(std::sqrt(4.0 + 4 + 16)).epsilon(1e-14));
  CHECK(wasserstein2<GroundNorm::linf>(x, y).value == Approx(std::sqrt(24.0)).epsilon(1e-14));
  CHECK(wasserstein2(Diagram{{1e16, 1e16}}, Diagram{}).value == 0);
  CHECK(wasserstein2(Diagram{{1e16, 1e16 + 2}}, Diagram{}).value == Approx(std::sqrt(2.0)));
}

TEST_CASE("wasserstein2 names the bar that is none", "[wasserstein]") {
  auto const message = [](Diagram const& x, Diagram const& y) {
    return thrown_message<std::invalid_argument>([&] { wasserstein2(x, y); });
  };
  CHECK(contains(message({{0, 1}, {2, 1}}, {}), "bar 1 of the first diagram = (2"));
  CHECK(contains(message({}, {{std::nan(""), 1}}), "bar 0 of the second diagram = (nan"));
  CHECK(contains(message({{0, std::nan("")}}, {}), "bar 0"));
  CHECK(contains(message({{infinity, infinity}}, {}), "bar 0"));
  CHECK(contains(message({{-infinity, 1}}, {}), "bar 0"));
}

TEMPLATE_TEST_CASE_SIG("the distance is that of the augmented matrix", "[wasserstein]",
                       ((GroundNorm norm), norm), GroundNorm::l2, GroundNorm::linf) {
  for (unsigned seed = 0; seed < 1000; ++seed) check_random_diagrams<norm>(seed, 0, 10);
  for (unsigned seed = 1000; seed < 1030; ++seed) check_random_diagrams<norm>(seed, 40, 80);
}

TEMPLATE_TEST_CASE_SIG("the distance is that of the augmented matrix for many diagrams", "[.long]",
                       ((GroundNorm norm), norm), GroundNorm::l2, GroundNorm::linf) {
  for (unsigned seed = 2000; seed < 12000; ++seed) check_random_diagrams<norm>(seed, 0, 10);
  for (unsigned seed = 12000; seed < 12500; ++seed) check_random_diagrams<norm>(seed, 20, 150);
}

TEMPLATE_TEST_CASE_SIG("wasserstein2 <= wasserstein1", "[wasserstein]", ((GroundNorm norm), norm),
                       GroundNorm::l2, GroundNorm::linf) {
  Random random(GENERATE(range(1u, 11u)));
  Diagram const x = random_diagram(random, 60);
  Diagram const y = random_diagram(random, 40, 0.3);
  CHECK(wasserstein2<norm>(x, y).value <= wasserstein1<norm>(x, y).value);
}

TEST_CASE("wasserstein1 knows small diagrams", "[wasserstein]") {
  Diagram const x{{0, 4}, {1, 2}};
  Diagram const y{{0, 3}};
  CHECK(wasserstein1(x, y).value == Approx(1 + 1 / std::sqrt(2.0)).epsilon(1e-14));
  CHECK(wasserstein1<GroundNorm::linf>(x, y).value == 1.5);
  CHECK(wasserstein1(Diagram{{0, infinity}, {2, infinity}}, Diagram{{4, infinity}, {1, infinity}})
            .value == 3);
}
