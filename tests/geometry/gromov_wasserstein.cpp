#include <support/catch.hpp>                       // TEST_CASE, CHECK
#include <support/gromov_cases.hpp>                // gw, euclidean, by_definition
#include <support/naive_device.hpp>                // naive::Device
#include <support/thrown_message.hpp>              // thrown_message
#include <tailor/cpu/device.hpp>                   // tailor::cpu::Device
#include <tailor/cpu/gemm.hpp>                     // gemm of the CPU device
#include <tailor/cpu/primitives.hpp>               // buffer, upload, download of the CPU device
#include <tailor/geometry/gromov_wasserstein.hpp>  // the header under test
#include <tailor/geometry/weighted_distances.hpp>  // WeightedDistances

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

using tailor::DenseDistances;
using tailor::gromov_wasserstein;
using tailor::GromovWassersteinOptions;
using tailor::GromovWassersteinResult;
using tailor::GromovWassersteinStart;
using tailor::WeightedDistances;

namespace {

Points polygon(int n) {
  Points points;
  for (int i = 0; i < n; ++i) {
    double const angle = 2 * std::numbers::pi * i / n;
    points.push_back({std::cos(angle), std::sin(angle)});
  }
  return points;
}

/// All points with whole coordinates in a box of these sides.
Points grid(std::vector<int> const& sides) {
  Points points{{}};
  for (int const side : sides) {
    Points longer;
    for (auto const& point : points) {
      for (int x = 0; x < side; ++x) {
        longer.push_back(point);
        longer.back().push_back(x);
      }
    }
    points = longer;
  }
  return points;
}

template <tailor::DistanceMatrix A, tailor::DistanceMatrix B>
void check_result(A const& a, B const& b, GromovWassersteinResult const& result) {
  int const n = a.size();
  int const m = b.size();
  REQUIRE(result.coupling.rows() == n);
  REQUIRE(result.coupling.cols() == m);
  std::vector<double> const p = tailor::weights_of(a);
  std::vector<double> const q = tailor::weights_of(b);
  for (int i = 0; i < n; ++i) {
    double row = 0;
    for (int j = 0; j < m; ++j) row += result.coupling(i, j);
    CHECK(row == Approx(p[static_cast<std::size_t>(i)]).epsilon(1e-12).margin(1e-14));
  }
  for (int j = 0; j < m; ++j) {
    double column = 0;
    for (int i = 0; i < n; ++i) column += result.coupling(i, j);
    CHECK(column == Approx(q[static_cast<std::size_t>(j)]).epsilon(1e-12).margin(1e-14));
  }
  for (double const weight : result.coupling.weights()) CHECK(weight >= 0);
  double const defined = by_definition(tailor::dense(a), tailor::dense(b), result.coupling);
  CHECK(result.gw_sq == Approx(defined).epsilon(1e-11).margin(1e-14));
  CHECK(result.distortion == std::sqrt(result.gw_sq) / 2);
  CHECK(result.gw_sq >= 0);
  CHECK(result.lower_bound <= result.distortion);
  CHECK(result.status == tailor::Status::ok);
  CHECK(result.n_used == n + m);
}

}  // namespace

TEST_CASE("two points at distance 1 and two at distance 3 have gw_sq 2", "[gromov_wasserstein]") {
  GromovWassersteinResult const result = gw(simplex(2, 1), simplex(2, 3));
  CHECK(result.gw_sq == Approx(2).epsilon(1e-12));
  CHECK(result.distortion == Approx(1 / std::sqrt(2.0)).epsilon(1e-12));
}

TEST_CASE("one point against several has the mean squared distance of these",
          "[gromov_wasserstein]") {
  CHECK(gw(simplex(1, 0), simplex(2, 2)).gw_sq == Approx(2).epsilon(1e-12));
  CHECK(gw(simplex(1, 0), simplex(3, 1)).gw_sq == Approx(2.0 / 3).epsilon(1e-12));
  CHECK(gw(simplex(3, 1), simplex(1, 0)).gw_sq == Approx(2.0 / 3).epsilon(1e-12));
  CHECK(gw(simplex(1, 0), simplex(1, 0)).gw_sq == 0);
}

TEST_CASE("a cloud and itself times c are (1 - c)^2 of its mean squared distance apart",
          "[gromov_wasserstein]") {
  DenseDistances const square = euclidean({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  GromovWassersteinResult const result = gw(square, scaled(square, 2));
  CHECK(result.gw_sq == Approx(1).epsilon(1e-12));
  CHECK(result.lower_bound == Approx(0.5).epsilon(1e-12));

  Random random(1);
  DenseDistances const d = euclidean(cloud(random, 20, 3));
  double mean = 0;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) mean += d(i, j) * d(i, j) / 400;
  }
  double const factor = GENERATE(0.0, 0.3, 1.7);
  CHECK(gw(d, scaled(d, factor)).gw_sq == Approx(std::pow(1 - factor, 2) * mean).epsilon(1e-9));
}

TEST_CASE("a cloud is at distance exactly zero from itself, and nothing is below zero",
          "[gromov_wasserstein]") {
  Random random(2);
  DenseDistances const d = euclidean(cloud(random, 40, 3));
  GromovWassersteinResult const result = gw(d, d);
  CHECK(result.gw_sq == 0);
  CHECK(result.lower_bound == 0);
  CHECK(result.start == GromovWassersteinStart::identity);
  CHECK(result.descents == 1);
  CHECK(result.converged);
  CHECK(gw(simplex(8, 0), simplex(8, 0)).gw_sq == 0);
  CHECK(gw(simplex(8, 0), simplex(5, 0)).gw_sq == 0);
}

TEST_CASE("reordered polygons, cubes and grids are at distance zero from all anchors",
          "[gromov_wasserstein]") {
  Points points;
  SECTION("polygon") {
    points = polygon(GENERATE(5, 6, 8, 13, 20));
  }
  SECTION("cube") {
    points = grid(std::vector<int>(GENERATE(2, 3, 4), 2));
  }
  SECTION("grid") {
    points = grid({GENERATE(2, 3, 4), GENERATE(3, 5)});
  }
  Points moved = points;
  Random random(static_cast<unsigned>(points.size()));
  std::shuffle(moved.begin(), moved.end(), random);
  GromovWassersteinResult const result =
      gw(euclidean(points), euclidean(moved), {.identity = false, .all_anchors = true});
  CHECK(result.distortion <= 1e-15);
}

TEST_CASE("from all anchor pairs the value on small clouds is that of the best permutation",
          "[gromov_wasserstein]") {
  // For Euclidean distances the objective is concave, so no other coupling is better.
  Random random(GENERATE(range(1u, 21u)));
  int const n = GENERATE(2, 3, 4, 5, 6, 7);
  DenseDistances const a = euclidean(cloud(random, n, 2));
  DenseDistances const b = euclidean(cloud(random, n, 3));
  GromovWassersteinResult const result = gw(a, b, {.all_anchor_pairs = true});
  CHECK(result.gw_sq == Approx(least_permutation(a, b)).epsilon(1e-12));
  check_result(a, b, result);
}

TEST_CASE("lower_bound <= distortion <= what any permutation gives from the identity start",
          "[gromov_wasserstein]") {
  Random random(GENERATE(range(1u, 9u)));
  Points points = cloud(random, 30, 4);
  DenseDistances const a = euclidean(points);
  for (auto& point : points) {
    for (double& x : point) x += 0.1 * uniform(random);
  }
  DenseDistances const b = euclidean(points);
  GromovWassersteinResult const result = gw(a, b);
  double paired = 0;
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 30; ++j) paired += std::pow(a(i, j) - b(i, j), 2) / 900;
  }
  CHECK(result.gw_sq <= paired * (1 + 1e-12));
  CHECK(result.lower_bound > 0);
  check_result(a, b, result);
}

TEST_CASE("clouds of different sizes are compared by transport", "[gromov_wasserstein]") {
  Random random(GENERATE(range(1u, 9u)));
  DenseDistances const a = euclidean(cloud(random, 9, 2));
  DenseDistances const b = euclidean(cloud(random, GENERATE(1, 4, 6, 10), 3));
  GromovWassersteinResult const result = gw(a, b, {.all_anchors = true});
  check_result(a, b, result);
  CHECK(gw(b, a, {.all_anchors = true}).lower_bound == Approx(result.lower_bound).margin(1e-15));
}

TEST_CASE("every point twice is at distance zero from the cloud", "[gromov_wasserstein]") {
  Random random(3);
  Points points = cloud(random, 12, 3);
  DenseDistances const once = euclidean(points);
  Points const copy = points;
  points.insert(points.end(), copy.begin(), copy.end());
  std::shuffle(points.begin(), points.end(), random);
  CHECK(gw(once, euclidean(points), {.all_anchors = true}).gw_sq == 0);
}

TEST_CASE("first_lower_bound <= third_lower_bound <= distortion", "[gromov_wasserstein]") {
  Random random(GENERATE(range(1u, 9u)));
  DenseDistances const a = euclidean(cloud(random, 15, 3));
  DenseDistances const b = euclidean(cloud(random, GENERATE(15, 10), 2));
  GromovWassersteinResult const result = gw(a, b, {.third_lower_bound = true});
  REQUIRE(result.third_lower_bound.has_value());
  CHECK(result.first_lower_bound > 0);
  CHECK(result.first_lower_bound <= *result.third_lower_bound * (1 + 1e-12));
  CHECK(*result.third_lower_bound <= result.distortion);
  CHECK(result.lower_bound == *result.third_lower_bound);
  CHECK_FALSE(gw(a, b).third_lower_bound.has_value());
  CHECK(gw(a, b).lower_bound == result.first_lower_bound);
}

TEST_CASE("equal weights are no weights", "[gromov_wasserstein]") {
  Random random(11);
  DenseDistances const a = euclidean(cloud(random, 20, 3));
  DenseDistances const b = euclidean(cloud(random, GENERATE(20, 14), 3));
  std::vector<double> const weights(20, 1.0 / 20);
  GromovWassersteinResult const weighted = gw(WeightedDistances(a, weights), b);
  CHECK(weighted.gw_sq == gw(a, b).gw_sq);
  CHECK(weighted.lower_bound == gw(a, b).lower_bound);
}

TEST_CASE("one point against two weighted ones has their mean squared distance",
          "[gromov_wasserstein]") {
  double const weight = GENERATE(0.0, 0.1, 0.5, 0.9);
  std::vector<double> const weights{weight, 1 - weight};
  DenseDistances const two = simplex(2, 3);
  GromovWassersteinResult const result = gw(simplex(1, 0), WeightedDistances(two, weights));
  CHECK(result.gw_sq == Approx(2 * weight * (1 - weight) * 9).epsilon(1e-12));
}

TEST_CASE("two weighted points against two have the better of two plans", "[gromov_wasserstein]") {
  // The plans have one free entry, x = T(0, 0); the objective is concave in it.
  double const s = GENERATE(0.0, 0.2, 0.5, 0.7);
  double const t = GENERATE(0.1, 0.3, 0.5);
  DenseDistances const a = simplex(2, 1);
  DenseDistances const b = simplex(2, GENERATE(1.0, 2.5));
  auto const value = [&](double x) {
    tailor::Coupling plan(2, 2);
    plan.at(0, 0) = x;
    plan.at(0, 1) = s - x;
    plan.at(1, 0) = t - x;
    plan.at(1, 1) = 1 - s - t + x;
    return by_definition(a, b, plan);
  };
  double const least = std::min(value(std::max(0.0, s + t - 1)), value(std::min(s, t)));
  std::vector<double> const of_a{s, 1 - s};
  std::vector<double> const of_b{t, 1 - t};
  WeightedDistances const p(a, of_a);
  WeightedDistances const q(b, of_b);
  GromovWassersteinResult const result = gw(p, q, {.all_anchor_pairs = true});
  CHECK(result.gw_sq == Approx(least).epsilon(1e-12).margin(1e-14));
  check_result(p, q, result);
}

TEST_CASE("a point in two halves is the same point", "[gromov_wasserstein]") {
  Random random(GENERATE(range(1u, 4u)));
  Points points = cloud(random, 12, 3);
  DenseDistances const whole = euclidean(points);
  points.push_back(points[3]);
  std::vector<double> halves(13, 1.0 / 12);
  halves[3] = halves[12] = 1.0 / 24;
  DenseDistances const split = euclidean(points);
  WeightedDistances const weighted(split, halves);
  CHECK(gw(whole, weighted, {.all_anchors = true}).gw_sq <= 1e-14);

  DenseDistances const other = euclidean(cloud(random, 9, 2));
  CHECK(gw(weighted, other).lower_bound == Approx(gw(whole, other).lower_bound).epsilon(1e-12));
}

TEST_CASE("a point without weight is no point", "[gromov_wasserstein]") {
  Random random(12);
  Points points = cloud(random, 16, 3);
  DenseDistances const without = euclidean(points);
  points.push_back({50, 50, 50});
  std::vector<double> weights(17, 1.0 / 16);
  weights[16] = 0;
  DenseDistances const with = euclidean(points);
  CHECK(gw(without, WeightedDistances(with, weights), {.all_anchors = true}).gw_sq == 0);
}

TEST_CASE("a weighted cloud is at distance exactly zero from itself", "[gromov_wasserstein]") {
  Random random(13);
  DenseDistances const d = euclidean(cloud(random, 15, 3));
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < 15; ++i) sum += weights.emplace_back(uniform(random));
  for (double& weight : weights) weight /= sum;
  WeightedDistances const weighted(d, weights);
  GromovWassersteinResult const result = gw(weighted, weighted);
  CHECK(result.gw_sq == 0);
  CHECK(result.start == GromovWassersteinStart::identity);

  DenseDistances const other = euclidean(cloud(random, 15, 2));
  check_result(weighted, other, gw(weighted, other));
  check_result(weighted, WeightedDistances(other, weights),
               gw(weighted, WeightedDistances(other, weights)));
}

TEST_CASE("matrices that are no metric are compared too", "[gromov_wasserstein]") {
  Random random(GENERATE(range(1u, 9u)));
  int const n = 7;
  auto const any = [&] {
    DenseDistances d(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) d.at(i, j) = d.at(j, i) = uniform(random) - 0.3;
    }
    return d;
  };
  DenseDistances const a = any();
  DenseDistances const b = any();
  check_result(a, b, gw(a, b));
  CHECK(gw(a, b, {.all_anchor_pairs = true}).gw_sq <= gw(a, b).gw_sq);
}

TEST_CASE("the value scales with the clouds", "[gromov_wasserstein]") {
  Random random(4);
  DenseDistances const a = euclidean(cloud(random, 25, 3));
  DenseDistances const b = euclidean(cloud(random, 25, 3));
  GromovWassersteinResult const result = gw(a, b);
  double const factor = GENERATE(0x1p-200, 0x1p-30, 0x1p60, 0x1p400);
  GromovWassersteinResult const other = gw(scaled(a, factor), scaled(b, factor));
  CHECK(other.distortion == result.distortion * factor);
  CHECK(other.iterations == result.iterations);
}

TEST_CASE("a point far from all others does not blunt the rest", "[gromov_wasserstein]") {
  // Its distances agree in both clouds, but their squares are 1e10 times the others.
  Random random(5);
  Points points = cloud(random, 30, 3);
  points.push_back({1e5, 0, 0});
  DenseDistances const a = euclidean(points);
  DenseDistances b = a;
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < i; ++j) b.at(i, j) = b.at(j, i) = a(i, j) * (1 + 1e-3 * uniform(random));
  }
  double paired = 0;
  for (int i = 0; i < 31; ++i) {
    for (int j = 0; j < 31; ++j) paired += std::pow(a(i, j) - b(i, j), 2) / 961;
  }
  GromovWassersteinResult const result = gw(a, b);
  CHECK(result.gw_sq > 0);
  CHECK(result.gw_sq <= paired * (1 + 1e-12));
  CHECK(result.gw_sq == Approx(by_definition(a, b, result.coupling)).epsilon(1e-9));
}

TEST_CASE("the best of several starts is no worse than the descent from each of them",
          "[gromov_wasserstein]") {
  Random random(GENERATE(range(1u, 6u)));
  DenseDistances const a = euclidean(cloud(random, 25, 3));
  DenseDistances const b = euclidean(cloud(random, 25, 3));
  bool const exchanges = GENERATE(false, true);
  GromovWassersteinResult const best = gw(a, b, {.exchanges = exchanges});
  CHECK(best.descents == 3);
  auto const alone = [&](GromovWassersteinOptions options) {
    options.exchanges = false;
    return gw(a, b, options).gw_sq;
  };
  double const identity = alone({.product = false, .best_anchor = false});
  double const product = alone({.identity = false, .best_anchor = false});
  double const anchor = alone({.identity = false, .product = false});
  CHECK(best.gw_sq <= std::min({identity, product, anchor}) * (1 + 1e-12));
}

TEST_CASE("exchanges lower what a descent ends at", "[gromov_wasserstein]") {
  Random random(GENERATE(range(1u, 6u)));
  DenseDistances const a = euclidean(cloud(random, 25, 3));
  DenseDistances const b = euclidean(cloud(random, 25, 3));
  GromovWassersteinOptions options{.identity = false, .best_anchor = false};
  double const lower = gw(a, b, options).gw_sq;
  options.exchanges = false;
  CHECK(lower < gw(a, b, options).gw_sq);
}

TEST_CASE("the start that won is named", "[gromov_wasserstein]") {
  Random random(6);
  Points points = cloud(random, 25, 3);
  DenseDistances const a = euclidean(points);
  std::reverse(points.begin(), points.end());
  GromovWassersteinResult const result =
      gw(a, euclidean(points), {.identity = false, .product = false});
  CHECK(result.gw_sq <= 1e-30);
  CHECK(result.start == GromovWassersteinStart::best_anchor);
  CHECK(result.anchor_b == 24 - result.anchor_a);
}

TEST_CASE("a descent cut short says that it has not converged", "[gromov_wasserstein]") {
  Random random(7);
  DenseDistances const a = euclidean(cloud(random, 25, 3));
  DenseDistances const b = euclidean(cloud(random, 25, 3));
  GromovWassersteinResult const result =
      gw(a, b, {.product = false, .best_anchor = false, .exchanges = false, .max_iterations = 0});
  CHECK_FALSE(result.converged);
  CHECK(result.iterations == 0);
  check_result(a, b, result);
}

TEST_CASE("the value is the same on every device", "[gromov_wasserstein]") {
  Random random(8);
  DenseDistances const a = euclidean(cloud(random, 70, 5));
  DenseDistances const b = euclidean(cloud(random, GENERATE(70, 45), 5));
  tailor::cpu::Device cpu{{.threads = 2}};
  naive::Device dev;
  GromovWassersteinResult const there = gromov_wasserstein(cpu, a, b);
  GromovWassersteinResult const here = gromov_wasserstein(dev, a, b);
  CHECK(there.gw_sq == Approx(here.gw_sq).epsilon(1e-9));
  CHECK(there.start == here.start);
  CHECK(dev.products > 0);
}

TEST_CASE("clouds without points are undefined, with a reason", "[gromov_wasserstein]") {
  GromovWassersteinResult const result = gw(simplex(0, 1), simplex(3, 1));
  CHECK(result.status == tailor::Status::undefined);
  CHECK(contains(result.reason, "without points"));
  CHECK(gw(simplex(0, 1), simplex(0, 1)).status == tailor::Status::undefined);
}

TEST_CASE("gromov_wasserstein names what it cannot work with", "[gromov_wasserstein]") {
  DenseDistances const good = simplex(4, 1);
  auto const message = [&](DenseDistances const& b, GromovWassersteinOptions const& options = {}) {
    return thrown_message<std::invalid_argument>([&] { gw(good, b, options); });
  };
  DenseDistances bad = simplex(4, 1);
  bad.at(3, 1) = 2;
  CHECK(contains(message(bad), "d(3, 1) = 2.000000 and d(1, 3) = 1.000000 in the second matrix"));
  bad.at(3, 1) = std::nan("");
  CHECK(contains(message(bad), "d(3, 1) = nan in the second matrix"));
  CHECK(contains(message(simplex(4, 1e200)), "up to 1e140"));
  CHECK(contains(thrown_message<std::length_error>([&] { gw(good, good, {.memory_limit = 10}); }),
                 "at most 10 allowed"));
  CHECK(contains(message(good, {.tolerance = -1}), "tolerance"));
  CHECK(contains(message(simplex(3, 1), {.product = false, .best_anchor = false}),
                 "at least one start"));
}
