#include <support/catch.hpp>               // TEST_CASE, CHECK
#include <support/euclidean.hpp>           // euclidean, Points
#include <support/thrown_message.hpp>      // thrown_message
#include <tailor/geometry/bottleneck.hpp>  // tailor::bottleneck
#include <tailor/geometry/rips_h1.hpp>     // the header under test

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

using tailor::Bar;
using tailor::DenseDistances;
using tailor::H1Diagram;
using tailor::rips_h1;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Random = std::mt19937_64;

double uniform(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
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

/// The textbook algorithm: the boundaries of all triangles, reduced column by column over F2.
class MatrixReduction {
 public:
  using Column = std::set<std::size_t>;  ///< numbers of edges

  MatrixReduction(DenseDistances const& d, double threshold) : n_(d.size()), number_(n_ * n_) {
    auto const enters = [&](double length) { return length <= threshold && length < infinity; };
    std::vector<Simplex> triangles;
    for (int i = 0; i < n_; ++i) {
      for (int j = i + 1; j < n_; ++j) {
        if (enters(d(i, j))) edges_.push_back({d(i, j), {i, j, 0}});
        for (int k = j + 1; k < n_; ++k) {
          double const length = std::max({d(i, j), d(i, k), d(j, k)});
          if (enters(length)) triangles.push_back({length, {i, j, k}});
        }
      }
    }
    std::sort(edges_.begin(), edges_.end());
    std::sort(triangles.begin(), triangles.end());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      auto const [i, j, unused] = edges_[e].vertices;
      number_[i * n_ + j] = number_[j * n_ + i] = e;
    }
    pivots_.resize(edges_.size());
    deaths_.resize(edges_.size(), infinity);
    for (Simplex const& triangle : triangles) {
      auto const [i, j, k] = triangle.vertices;
      Column column = reduced({number(i, j), number(i, k), number(j, k)}, triangle.length);
      if (column.empty()) continue;
      std::size_t const youngest = *column.rbegin();
      deaths_[youngest] = triangle.length;
      pivots_[youngest] = std::move(column);
    }
  }

  std::vector<Bar> bars() const {
    std::vector<int> component(n_);
    std::iota(component.begin(), component.end(), 0);
    std::vector<Bar> result;
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      int const from = component[edges_[e].vertices[0]];
      int const to = component[edges_[e].vertices[1]];
      for (int& c : component) c = c == from ? to : c;
      if (from == to && edges_[e].length < deaths_[e]) {
        result.push_back({edges_[e].length, deaths_[e]});
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  /// Whether a cycle bounds in the complex of all triangles up to a length.
  bool bounds(tailor::Cycle const& cycle, double length) const {
    Column column;
    for (auto const [a, b] : cycle) column.insert(number(a, b));
    return reduced(std::move(column), length).empty();
  }

 private:
  struct Simplex {
    double length;
    std::array<int, 3> vertices;
    auto operator<=>(Simplex const&) const = default;
  };

  std::size_t number(int i, int j) const { return number_[i * n_ + j]; }

  /// Less the columns of triangles up to a length.
  Column reduced(Column column, double length) const {
    while (!column.empty()) {
      std::size_t const youngest = *column.rbegin();
      if (pivots_[youngest].empty() || deaths_[youngest] > length) break;
      for (std::size_t const e : Column(pivots_[youngest])) {
        if (!column.erase(e)) column.insert(e);
      }
    }
    return column;
  }

  int n_;
  std::vector<std::size_t> number_;
  std::vector<Simplex> edges_;
  std::vector<Column> pivots_;
  std::vector<double> deaths_;  ///< the length of the triangle behind each pivot
};

std::vector<Bar> by_matrix_reduction(DenseDistances const& d, double threshold) {
  return MatrixReduction(d, threshold).bars();
}

void check_against_reduction(DenseDistances const& d, double threshold = infinity) {
  CHECK(rips_h1(d, {.threshold = threshold}).bars == by_matrix_reduction(d, threshold));
}

void check_one_bar(H1Diagram const& diagram, double birth, double death) {
  REQUIRE(diagram.bars.size() == 1);
  CHECK(diagram.bars[0].birth == Approx(birth).epsilon(1e-9));
  CHECK(diagram.bars[0].death == Approx(death).epsilon(1e-9));
}

/// A matrix of one of the kinds that break assumptions: integer ties, zeros, duplicates of points,
/// entries that are no metric, infinite ones.
DenseDistances mixed_matrix(Random& random) {
  int const n = 2 + static_cast<int>(random() % 10);
  switch (random() % 6) {
    case 0:
      return symmetric(n, [&] { return static_cast<double>(random() % 4); });
    case 1:
      return symmetric(n, [&] { return uniform(random); });
    case 2:
      return symmetric(n, [&] { return random() % 4 == 0 ? infinity : uniform(random); });
    case 3:
      return symmetric(n, [&] { return random() % 3 == 0 ? 0.0 : 1 + uniform(random); });
    case 4:
      return euclidean(cloud(random, n, 2, true));
    default:
      return euclidean(cloud(random, n, 3, false));
  }
}

void check_representatives(DenseDistances const& d, double threshold) {
  MatrixReduction const reference(d, threshold);
  H1Diagram const diagram = rips_h1(d, {.threshold = threshold, .representatives = true});
  REQUIRE(diagram.representatives.size() == diagram.bars.size());
  for (std::size_t k = 0; k < diagram.bars.size(); ++k) {
    auto const& cycle = diagram.representatives[k];
    auto const [birth, death] = diagram.bars[k];
    std::vector<int> degree(static_cast<std::size_t>(d.size()), 0);
    double longest = 0;
    for (auto const [a, b] : cycle) {
      ++degree[static_cast<std::size_t>(a)];
      ++degree[static_cast<std::size_t>(b)];
      longest = std::max(longest, d(a, b));
    }
    for (int const count : degree) CHECK(count % 2 == 0);
    CHECK(longest == birth);
    CHECK(d(cycle[0].a, cycle[0].b) == birth);
    CHECK_FALSE(reference.bounds(cycle, std::nextafter(death, 0)));
    if (death < infinity) CHECK(reference.bounds(cycle, death));
  }
}

void check_mixed_matrix(unsigned seed) {
  Random random(seed);
  DenseDistances const d = mixed_matrix(random);
  double const threshold = random() % 4 == 0 ? 2 * uniform(random) : infinity;
  check_against_reduction(d, threshold);
  if (seed % 4 == 0) check_representatives(d, threshold);
}

/// So many bars stand out from all others.
void check_loops(DenseDistances const& d, std::size_t loops) {
  std::vector<double> lengths;
  for (auto const [birth, death] : rips_h1(d).bars) lengths.push_back(death - birth);
  std::sort(lengths.rbegin(), lengths.rend());
  lengths.resize(std::max(lengths.size(), loops + 1), 0.0);
  CHECK(lengths[loops - 1] > 2.5 * lengths[loops]);
}

/// The distance of a flat square, side 1, whose opposite sides are glued; with `turned`, the sides
/// across the first coordinate are glued the other way round.
DenseDistances glued_square(int side, bool turned) {
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) points.push_back({(i + 0.5) / side, (j + 0.5) / side});
  }
  DenseDistances d(static_cast<int>(points.size()));
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      auto const [x, y] = points[static_cast<std::size_t>(i)];
      auto const [u, v] = points[static_cast<std::size_t>(j)];
      double nearest = infinity;
      for (int across = -1; across <= 1; ++across) {
        for (int along = -1; along <= 1; ++along) {
          double const image = turned && across != 0 ? 1 - v : v;
          nearest = std::min(nearest, std::hypot(x - u - across, y - image - along));
        }
      }
      d.at(i, j) = d.at(j, i) = nearest;
    }
  }
  return d;
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

TEST_CASE("the bars of mixed matrices are those of the reduced boundary matrix", "[rips_h1]") {
  for (unsigned seed = 0; seed < 2000; ++seed) check_mixed_matrix(seed);
}

TEST_CASE("the bars of many mixed matrices are those of the reduced boundary matrix", "[.long]") {
  for (unsigned seed = 2000; seed < 24000; ++seed) check_mixed_matrix(seed);
}

TEST_CASE("a representative is born with its bar and is a boundary from its death on, not before",
          "[rips_h1]") {
  Random random(GENERATE(range(1u, 9u)));
  check_representatives(euclidean(cloud(random, 30, 2, false)), infinity);
  check_representatives(euclidean(cloud(random, 24, 5, false)), 0.9);
  check_representatives(euclidean(polygon(12)), infinity);
  CHECK(rips_h1(euclidean(polygon(12))).representatives.empty());
  CHECK(rips_h1(euclidean(polygon(12)), {.representatives = true}).representatives[0].size() == 12);
}

TEST_CASE("a circle has one long bar, a torus and a Klein bottle have two", "[rips_h1]") {
  Random random(5);
  Points circle;
  for (int i = 0; i < 80; ++i) {
    double const angle = 2 * std::numbers::pi * uniform(random);
    double const radius = 1 + 0.05 * uniform(random);
    circle.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  check_loops(euclidean(circle), 1);
  check_loops(glued_square(12, false), 2);
  check_loops(glued_square(12, true), 2);  // over F2, where going round twice is nothing
}

TEST_CASE("monotone maps of the distances map the bars", "[rips_h1]") {
  Random random(GENERATE(range(1u, 6u)));
  DenseDistances const d = euclidean(cloud(random, 60, 4, false));
  DenseDistances mapped = d;
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < d.size(); ++j) mapped.at(i, j) = std::asinh(3 * d(i, j));
  }
  std::vector<Bar> expected = rips_h1(d).bars;
  for (Bar& bar : expected) bar = {std::asinh(3 * bar.birth), std::asinh(3 * bar.death)};
  CHECK(rips_h1(mapped).bars == expected);
}

TEST_CASE("the bottleneck distance is at most twice what the points move", "[rips_h1]") {
  Random random(GENERATE(range(1u, 9u)));
  Points const before = cloud(random, 50, 3, false);
  Points after = before;
  double largest = 0;
  for (auto& point : after) {
    double squares = 0;
    for (double& x : point) {
      double const step = 0.03 * (uniform(random) - 0.5);
      x += step;
      squares += step * step;
    }
    largest = std::max(largest, std::sqrt(squares));
  }
  auto const x = rips_h1(euclidean(before)).bars;
  auto const y = rips_h1(euclidean(after)).bars;
  CHECK(tailor::bottleneck<tailor::GroundNorm::linf>(x, y).value <= 2 * largest * (1 + 1e-12));
}
