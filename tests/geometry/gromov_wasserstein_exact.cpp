#include <support/catch.hpp>                             // TEST_CASE, CHECK
#include <support/gromov_cases.hpp>                      // gw, euclidean, least_permutation
#include <support/thrown_message.hpp>                    // thrown_message
#include <tailor/geometry/gromov_wasserstein_exact.hpp>  // the header under test
#include <tailor/geometry/weighted_distances.hpp>        // WeightedDistances

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using tailor::DenseDistances;
using tailor::gromov_wasserstein_exact;
using tailor::GromovWassersteinExactResult;
using tailor::GromovWassersteinResult;
using tailor::WeightedDistances;

namespace {

enum class Kind { euclidean, duplicates, integers, zeros, no_metric, huge };

DenseDistances symmetric(Random& random, int n, auto const& entry) {
  DenseDistances d(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) d.at(i, j) = d.at(j, i) = entry(i, j, uniform(random));
  }
  return d;
}

DenseDistances any(Random& random, int n, Kind kind) {
  int const dimension = 1 + static_cast<int>(random() % 3);
  switch (kind) {
    case Kind::duplicates: {
      Points points = cloud(random, n, dimension);
      for (auto& point : points) point = points[random() % points.size()];
      return euclidean(points);
    }
    case Kind::integers:
      return symmetric(random, n, [](int i, int j, double x) { return i == j ? 0 : int(4 * x); });
    case Kind::zeros:
      return symmetric(random, n, [](int i, int j, double x) { return i == j || x < 0.8 ? 0 : 1; });
    case Kind::no_metric:
      return symmetric(random, n, [](int, int, double x) { return x - 0.4; });
    case Kind::huge:
      return scaled(euclidean(cloud(random, n, dimension)), 1e120);
    case Kind::euclidean:
      break;
  }
  return euclidean(cloud(random, n, dimension));
}

/// What must hold for a random pair of small clouds, as a sentence; nothing where all does.
std::string fault(Random& random) {
  Kind const kinds[] = {Kind::euclidean, Kind::duplicates, Kind::integers,
                        Kind::zeros,     Kind::no_metric,  Kind::huge};
  Kind const kind = kinds[random() % 6];
  int const n = 1 + static_cast<int>(random() % 6) + (random() % 8 == 0 ? 1 : 0);
  DenseDistances const a = any(random, n, kind);
  DenseDistances const b = any(random, n, kind == Kind::huge ? kind : kinds[random() % 5]);
  bool const flat = kind == Kind::euclidean || kind == Kind::duplicates || kind == Kind::huge;

  GromovWassersteinExactResult const exact = gromov_wasserstein_exact(a, b);
  double const least = least_permutation(a, b);
  if (!(std::abs(exact.gw_sq - least) <= 1e-12 * least)) return "not the least permutation";
  double paired = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      int const k = exact.partner[static_cast<std::size_t>(i)];
      int const l = exact.partner[static_cast<std::size_t>(j)];
      paired += std::pow(a(i, j) - b(k, l), 2) / n / n;
    }
  }
  if (!(std::abs(exact.gw_sq - paired) <= 1e-12 * paired)) return "not the value of its partners";
  if (flat && !tailor::gromov::negative_type(a)) return "Euclidean but not of negative type";

  double const slack = 1 + 1e-9;
  GromovWassersteinResult const found = gw(a, b, {.third_lower_bound = true});
  double const defined = by_definition(a, b, found.coupling);
  if (!(std::abs(found.gw_sq - defined) <= 1e-11 * defined + 1e-14))
    return "not its coupling's value";
  if (exact.exact && found.gw_sq * slack < exact.gw_sq) return "below the exact value";
  if (found.first_lower_bound > *found.third_lower_bound * slack) return "first above third";
  if (exact.exact && *found.third_lower_bound > exact.distortion * slack)
    return "third above exact";
  if (found.lower_bound > found.distortion) return "lower bound above the value";

  // Other sizes and weights.
  int const m = 1 + static_cast<int>(random() % 6);
  DenseDistances const c = any(random, m, kind);
  std::vector<double> weights;
  for (int j = 0; j < m; ++j) weights.push_back(static_cast<double>(random() % 4));
  weights[random() % weights.size()] += 1;
  double sum = 0;
  for (double const weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  GromovWassersteinResult const weighted =
      gw(a, WeightedDistances(c, weights), {.third_lower_bound = true});
  double const mean = by_definition(a, c, weighted.coupling);
  if (!(std::abs(weighted.gw_sq - mean) <= 1e-11 * mean + 1e-14)) return "weighted: not its value";
  if (weighted.first_lower_bound > *weighted.third_lower_bound * slack) return "weighted bounds";
  return {};
}

void fuzz(unsigned seed, int cases) {
  Random random(seed);
  for (int i = 0; i < cases; ++i) {
    std::string const what = fault(random);
    if (what.empty()) continue;
    CAPTURE(i, what);
    FAIL_CHECK();
  }
}

}  // namespace

TEST_CASE("lower_bound <= the exact distance <= what gromov_wasserstein finds",
          "[gromov_wasserstein_exact]") {
  fuzz(1, 2000);
}

TEST_CASE("fifty thousand pairs of small clouds of all kinds agree with brute force",
          "[gromov_wasserstein_exact][.long]") {
  fuzz(2, 50000);
}

TEST_CASE("the best permutation is the least of all by definition", "[gromov_wasserstein_exact]") {
  Random random(1);
  DenseDistances const a = euclidean(cloud(random, 7, 3));
  DenseDistances const b = euclidean(cloud(random, 7, 2));
  GromovWassersteinExactResult const result = gromov_wasserstein_exact(a, b);
  CHECK(result.gw_sq == Approx(least_permutation(a, b)).epsilon(1e-12));
  CHECK(result.distortion == std::sqrt(result.gw_sq) / 2);
  CHECK(result.exact);
  CHECK(result.n_used == 14);
}

TEST_CASE("the exact distance obeys the triangle inequality", "[gromov_wasserstein_exact]") {
  Random random(GENERATE(range(1u, 21u)));
  int const n = GENERATE(2, 4, 6);
  DenseDistances const a = euclidean(cloud(random, n, 1));
  DenseDistances const b = euclidean(cloud(random, n, 2));
  DenseDistances const c = euclidean(cloud(random, n, 3));
  auto const distance = [](DenseDistances const& x, DenseDistances const& y) {
    return gromov_wasserstein_exact(x, y).distortion;
  };
  CHECK(distance(a, c) <= (distance(a, b) + distance(b, c)) * (1 + 1e-12));
  CHECK(distance(a, b) == Approx(distance(b, a)).epsilon(1e-12));
}

TEST_CASE("the exact distance is unchanged by rotating and reordering a cloud",
          "[gromov_wasserstein_exact]") {
  Random random(GENERATE(range(1u, 6u)));
  Points points = cloud(random, 7, 2);
  DenseDistances const a = euclidean(points);
  DenseDistances const other = euclidean(cloud(random, 7, 2));
  std::shuffle(points.begin(), points.end(), random);
  for (auto& point : points) {
    point = {0.6 * point[0] - 0.8 * point[1] + 3, 0.8 * point[0] + 0.6 * point[1]};
  }
  DenseDistances const moved = euclidean(points);
  CHECK(gromov_wasserstein_exact(a, moved).distortion <= 1e-15);
  CHECK(gromov_wasserstein_exact(moved, other).distortion ==
        Approx(gromov_wasserstein_exact(a, other).distortion).epsilon(1e-12));
  CHECK(gromov_wasserstein_exact(scaled(a, 3), scaled(other, 3)).distortion ==
        Approx(3 * gromov_wasserstein_exact(a, other).distortion).epsilon(1e-12));
}

TEST_CASE("no claim is made where a matrix is not of negative type", "[gromov_wasserstein_exact]") {
  // Two points at distance 1 from three others, the rest at distance 2: a graph, and a metric.
  DenseDistances graph = simplex(5, 2);
  for (int i = 0; i < 2; ++i) {
    for (int j = 2; j < 5; ++j) graph.at(i, j) = graph.at(j, i) = 1;
  }
  CHECK(gromov_wasserstein_exact(simplex(5, 1), simplex(5, 2)).exact);
  CHECK_FALSE(gromov_wasserstein_exact(graph, simplex(5, 2)).exact);
  CHECK_FALSE(gromov_wasserstein_exact(simplex(5, 2), graph).exact);
}

TEST_CASE("nine points are searched, ten are refused", "[gromov_wasserstein_exact]") {
  Random random(5);
  Points points = cloud(random, 9, 3);
  DenseDistances const a = euclidean(points);
  std::reverse(points.begin(), points.end());
  CHECK(gromov_wasserstein_exact(a, euclidean(points)).gw_sq <= 1e-30);
  auto const message = [](auto const& x, auto const& y) {
    return thrown_message<std::invalid_argument>([&] { gromov_wasserstein_exact(x, y); });
  };
  CHECK(contains(message(simplex(10, 1), simplex(10, 1)), "got 10 and 10 points"));
  CHECK(contains(message(simplex(3, 1), simplex(4, 1)), "got 3 and 4 points"));
  DenseDistances const two = simplex(2, 1);
  std::vector<double> const weights{0.25, 0.75};
  CHECK(contains(message(two, WeightedDistances(two, weights)), "equal weights"));
  DenseDistances bad = simplex(2, 1);
  bad.at(1, 0) = 5;
  CHECK(contains(message(bad, two), "in the first matrix"));
  CHECK(gromov_wasserstein_exact(simplex(0, 1), simplex(0, 1)).status == tailor::Status::undefined);
}
