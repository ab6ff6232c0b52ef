#include <support/catch.hpp>            // TEST_CASE, CHECK
#include <support/thrown_message.hpp>   // thrown_message
#include <tailor/geometry/rips_h1.hpp>  // the header under test

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

using tailor::Bar;
using tailor::DenseDistances;
using tailor::H1Diagram;
using tailor::rips_h1;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Points = std::vector<std::vector<double>>;
using Random = std::mt19937_64;

double uniform(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

DenseDistances euclidean(Points const& points) {
  DenseDistances d(static_cast<int>(points.size()));
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < d.size(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < points[0].size(); ++k) {
        double const difference =
            points[static_cast<std::size_t>(i)][k] - points[static_cast<std::size_t>(j)][k];
        sum += difference * difference;
      }
      d.at(i, j) = std::sqrt(sum);
    }
  }
  return d;
}

Points polygon(int n, int copies = 1) {
  Points points;
  for (int i = 0; i < n * copies; ++i) {
    double const angle = 2 * std::numbers::pi * (i % n) / n;
    points.push_back({std::cos(angle), std::sin(angle)});
  }
  return points;
}

/// Symmetric entries from `draw`, not a metric in general.
template <class Draw>
DenseDistances symmetric(int n, Draw draw) {
  DenseDistances d(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) d.at(i, j) = d.at(j, i) = draw();
  }
  return d;
}

Points cloud(Random& random, int n, int dimension, bool on_a_grid) {
  Points points(static_cast<std::size_t>(n),
                std::vector<double>(static_cast<std::size_t>(dimension)));
  for (auto& point : points) {
    for (double& x : point) x = on_a_grid ? std::floor(4 * uniform(random)) : uniform(random);
  }
  return points;
}

DenseDistances reordered(DenseDistances const& d, std::vector<int> const& order) {
  DenseDistances result(d.size());
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < d.size(); ++j) {
      result.at(i, j) = d(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    }
  }
  return result;
}

/// The textbook algorithm: reduce the boundaries of all triangles, column by column, over F2.
std::vector<Bar> by_matrix_reduction(DenseDistances const& d, double threshold) {
  struct Simplex {
    double length;
    std::array<int, 3> vertices;
  };
  int const n = d.size();
  auto const earlier = [](Simplex const& x, Simplex const& y) {
    return std::tie(x.length, x.vertices) < std::tie(y.length, y.vertices);
  };
  auto const enters = [&](double length) { return length <= threshold && length < infinity; };
  std::vector<Simplex> edges;
  std::vector<Simplex> triangles;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (enters(d(i, j))) edges.push_back({d(i, j), {i, j, 0}});
      for (int k = j + 1; k < n; ++k) {
        double const length = std::max({d(i, j), d(i, k), d(j, k)});
        if (enters(length)) triangles.push_back({length, {i, j, k}});
      }
    }
  }
  std::sort(edges.begin(), edges.end(), earlier);
  std::sort(triangles.begin(), triangles.end(), earlier);

  std::vector<int> component(static_cast<std::size_t>(n));
  std::iota(component.begin(), component.end(), 0);
  std::set<std::size_t> births;
  std::vector<std::vector<std::size_t>> number(
      static_cast<std::size_t>(n), std::vector<std::size_t>(static_cast<std::size_t>(n)));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    auto const i = static_cast<std::size_t>(edges[e].vertices[0]);
    auto const j = static_cast<std::size_t>(edges[e].vertices[1]);
    number[i][j] = e;
    int const from = component[i];
    int const to = component[j];
    if (from == to) births.insert(e);
    for (int& c : component) c = c == from ? to : c;
  }

  std::vector<std::set<std::size_t>> pivots(edges.size());
  std::vector<Bar> bars;
  for (Simplex const& triangle : triangles) {
    auto const i = static_cast<std::size_t>(triangle.vertices[0]);
    auto const j = static_cast<std::size_t>(triangle.vertices[1]);
    auto const k = static_cast<std::size_t>(triangle.vertices[2]);
    std::set<std::size_t> column{number[i][j], number[i][k], number[j][k]};
    while (!column.empty() && !pivots[*column.rbegin()].empty()) {
      for (std::size_t const e : std::set<std::size_t>(pivots[*column.rbegin()])) {
        if (!column.erase(e)) column.insert(e);
      }
    }
    if (column.empty()) continue;
    std::size_t const youngest = *column.rbegin();
    pivots[youngest] = column;
    births.erase(youngest);
    if (edges[youngest].length < triangle.length) {
      bars.push_back({edges[youngest].length, triangle.length});
    }
  }
  for (std::size_t const e : births) bars.push_back({edges[e].length, infinity});
  std::sort(bars.begin(), bars.end());
  return bars;
}

void check_against_reduction(DenseDistances const& d, double threshold = infinity) {
  CHECK(rips_h1(d, {.threshold = threshold}).bars == by_matrix_reduction(d, threshold));
}

void check_one_bar(H1Diagram const& diagram, double birth, double death) {
  REQUIRE(diagram.bars.size() == 1);
  CHECK(diagram.bars[0].birth == Approx(birth).epsilon(1e-9));
  CHECK(diagram.bars[0].death == Approx(death).epsilon(1e-9));
}

}  // namespace

TEST_CASE("a regular polygon has one H1 bar from its side to the chord over a third", "[rips_h1]") {
  int const n = GENERATE(4, 5, 6, 7, 8, 12, 13, 30, 70, 129);
  double const pi = std::numbers::pi;
  int const third = (n + 2) / 3;
  check_one_bar(rips_h1(euclidean(polygon(n))), 2 * std::sin(pi / n), 2 * std::sin(pi * third / n));
}

TEST_CASE("a rectangle has one bar, born with the long side and dying at the diagonal",
          "[rips_h1]") {
  H1Diagram const diagram = rips_h1(euclidean({{0, 0}, {3, 0}, {3, 4}, {0, 4}}));
  CHECK(diagram.bars == std::vector<Bar>{{4, 5}});
  CHECK(diagram.essential == 0);
  CHECK(diagram.n_used == 4);
}

TEST_CASE("doubled points add no bar", "[rips_h1]") {
  check_one_bar(rips_h1(euclidean(polygon(6, 2))), 1, std::sqrt(3.0));
  CHECK(rips_h1(euclidean(Points(8, {1, 2, 3}))).bars.empty());
}

TEST_CASE("the threshold is inclusive and a class that outlives it is essential", "[rips_h1]") {
  DenseDistances const square = euclidean({{1, 0}, {0, 1}, {-1, 0}, {0, -1}});
  H1Diagram const cut = rips_h1(square, {.threshold = 1.9});
  check_one_bar(cut, std::sqrt(2.0), infinity);
  CHECK(cut.essential == 1);
  check_one_bar(rips_h1(square, {.threshold = 2.0}), std::sqrt(2.0), 2);
  CHECK(rips_h1(square, {.threshold = 1.0}).bars.empty());
  CHECK(rips_h1(square, {.threshold = -1.0}).edges == 0);
}

TEST_CASE("no points, one point and two points have no bars", "[rips_h1]") {
  int const n = GENERATE(0, 1, 2);
  H1Diagram const diagram = rips_h1(symmetric(n, [] { return 1.0; }));
  CHECK(diagram.bars.empty());
  CHECK(diagram.n_used == n);
  CHECK(diagram.status == tailor::Status::ok);
}

TEST_CASE("infinite distances are never edges and leave essential bars", "[rips_h1]") {
  DenseDistances ring = symmetric(5, [] { return infinity; });
  for (int i = 0; i < 5; ++i) ring.at(i, (i + 1) % 5) = ring.at((i + 1) % 5, i) = 1 + i;
  H1Diagram const diagram = rips_h1(ring);
  CHECK(diagram.bars == std::vector<Bar>{{5, infinity}});
  CHECK(diagram.edges == 5);
}

TEST_CASE("the bars are those of the reduced boundary matrix", "[rips_h1]") {
  Random random(GENERATE(range(1u, 41u)));
  int const n = 5 + static_cast<int>(random() % 10);
  SECTION("on clouds") {
    check_against_reduction(euclidean(cloud(random, n, 2, false)));
    check_against_reduction(euclidean(cloud(random, n, 3, false)), 0.6);
  }
  SECTION("on grids, with ties and duplicates") {
    check_against_reduction(euclidean(cloud(random, n, 2, true)));
    check_against_reduction(euclidean(cloud(random, n, 3, true)), 2);
  }
  SECTION("on matrices that are no metric") {
    check_against_reduction(symmetric(n, [&] { return uniform(random); }));
  }
  SECTION("on matrices of few values, zero among them") {
    check_against_reduction(symmetric(n, [&] { return std::floor(4 * uniform(random)); }));
  }
  SECTION("with infinite distances") {
    check_against_reduction(symmetric(n, [&] {
      double const x = uniform(random);
      return x < 0.5 ? infinity : std::floor(8 * x);
    }));
  }
}

TEST_CASE("the bars are those of the reduced boundary matrix beyond one word of points",
          "[rips_h1]") {
  Random random(7);
  check_against_reduction(symmetric(66, [&] { return uniform(random); }), 0.5);
}

TEST_CASE("the bars do not depend on the order of the points", "[rips_h1]") {
  Random random(3);
  DenseDistances const d = euclidean(cloud(random, 90, 3, GENERATE(false, true)));
  std::vector<int> order(90);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  CHECK(rips_h1(reordered(d, order)).bars == rips_h1(d).bars);
}

TEST_CASE("the bars scale with the distances", "[rips_h1]") {
  Random random(4);
  DenseDistances d = euclidean(cloud(random, 60, 4, false));
  std::vector<Bar> bars = rips_h1(d).bars;
  double const factor = GENERATE(0x1p-500, 0x1p-20, 0x1p40, 0x1p900);
  for (Bar& bar : bars) bar = {bar.birth * factor, bar.death * factor};
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j) d.at(i, j) *= factor;
  }
  CHECK(rips_h1(d).bars == bars);
}

TEST_CASE("the bars do not change when the threshold is raised above the enclosing radius",
          "[rips_h1]") {
  Random random(5);
  DenseDistances const d = euclidean(cloud(random, 60, 5, false));
  H1Diagram const diagram = rips_h1(d);
  CHECK(rips_h1(d, {.threshold = 1.5 * diagram.cutoff}).bars == diagram.bars);
  CHECK(by_matrix_reduction(d, diagram.cutoff) == diagram.bars);
}

TEST_CASE("every birth is a bar or of length zero", "[rips_h1]") {
  Random random(6);
  H1Diagram const diagram = rips_h1(symmetric(60, [&] { return std::floor(4 * uniform(random)); }));
  CHECK(diagram.zero_length > 0);
  CHECK(diagram.births == diagram.bars.size() + diagram.zero_length);
}

TEST_CASE("a complete bipartite graph has (n - 1)^2 classes until its halves fill", "[rips_h1]") {
  int const half = 20;
  DenseDistances d(2 * half);
  for (int i = 0; i < 2 * half; ++i) {
    for (int j = 0; j < 2 * half; ++j) d.at(i, j) = (i < half) == (j < half) ? 2 : 1;
  }
  H1Diagram const diagram = rips_h1(d);
  CHECK(diagram.bars == std::vector<Bar>((half - 1) * (half - 1), Bar{1, 2}));
}

TEST_CASE("rips_h1 names the entry that is no distance", "[rips_h1]") {
  DenseDistances d = symmetric(5, [] { return 1.0; });
  SECTION("negative") {
    d.at(3, 1) = d.at(1, 3) = -2;
    CHECK(contains(thrown_message<std::invalid_argument>([&] { rips_h1(d); }), "d(3, 1) = -2"));
  }
  SECTION("undefined") {
    d.at(4, 0) = d.at(0, 4) = std::nan("");
    CHECK(contains(thrown_message<std::invalid_argument>([&] { rips_h1(d); }), "d(4, 0) = nan"));
  }
  SECTION("not symmetric") {
    d.at(2, 4) = 3;
    CHECK(contains(thrown_message<std::invalid_argument>([&] { rips_h1(d); }), "d(2, 4) = 3"));
  }
  SECTION("undefined on one side") {
    d.at(2, 4) = std::nan("");
    CHECK_THROWS_AS(rips_h1(d), std::invalid_argument);
  }
  SECTION("an undefined threshold") {
    CHECK_THROWS_AS(rips_h1(d, {.threshold = std::nan("")}), std::invalid_argument);
  }
}

TEST_CASE("rips_h1 tells the memory it needs and keeps to the limit", "[rips_h1]") {
  struct Endless {
    int n;
    int size() const { return n; }
    double operator()(int, int) const { return 1; }
  };
  CHECK(contains(thrown_message<std::invalid_argument>([&] { rips_h1(Endless{65536}); }),
                 "65535 points expected, got 65536"));
  CHECK(contains(thrown_message<std::length_error>([&] { rips_h1(Endless{65535}); }), "bytes"));
  CHECK(tailor::rips_h1_bytes(1024) < std::size_t{20} << 20);
  CHECK(tailor::rips_h1_bytes(0) == 0);

  Random random(8);
  DenseDistances const d = euclidean(cloud(random, 60, 10, false));
  CHECK_THROWS_AS(rips_h1(d, {.memory_limit = tailor::rips_h1_bytes(60) + 100}), std::length_error);
}
