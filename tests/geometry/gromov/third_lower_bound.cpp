#include <support/catch.hpp>                             // TEST_CASE, CHECK
#include <support/gromov_cases.hpp>                      // euclidean, cloud, simplex
#include <support/naive_device.hpp>                      // naive::Device
#include <tailor/geometry/gromov/third_lower_bound.hpp>  // the header under test

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using tailor::DenseDistances;
using tailor::equal_masses;
using tailor::Masses;

namespace {

double third(DenseDistances const& a, Masses const& p, DenseDistances const& b, Masses const& q) {
  naive::Device dev;
  return tailor::gromov::third_lower_bound(dev, a, p, b, q);
}

/// Half the root of the least sum over permutations of what sorted rows are apart.
double by_permutations(DenseDistances const& a, DenseDistances const& b) {
  int const n = a.size();
  auto const sorted = [](DenseDistances const& d, int i) {
    std::vector<double> row(d.row(i).begin(), d.row(i).end());
    std::sort(row.begin(), row.end());
    return row;
  };
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  double least = std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      std::vector<double> const x = sorted(a, i);
      std::vector<double> const y = sorted(b, order[static_cast<std::size_t>(i)]);
      for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]) / n / n;
    }
    least = std::min(least, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return std::sqrt(least) / 2;
}

}  // namespace

TEST_CASE("the third bound is the cheapest matching of sorted rows", "[third_lower_bound]") {
  Random random(GENERATE(range(1u, 11u)));
  int const n = GENERATE(1, 2, 5, 6);
  DenseDistances const a = euclidean(cloud(random, n, 2));
  DenseDistances const b = euclidean(cloud(random, n, 3));
  CHECK(third(a, equal_masses(n), b, equal_masses(n)) ==
        Approx(by_permutations(a, b)).epsilon(1e-9));
}

TEST_CASE("the third bound of a reordered cloud is zero", "[third_lower_bound]") {
  Random random(3);
  Points points = cloud(random, 30, 3);
  DenseDistances const a = euclidean(points);
  std::shuffle(points.begin(), points.end(), random);
  CHECK(third(a, equal_masses(30), euclidean(points), equal_masses(30)) <= 1e-15);
}

TEST_CASE("two units on every point bound as one does", "[third_lower_bound]") {
  Random random(GENERATE(range(1u, 4u)));
  DenseDistances const a = euclidean(cloud(random, 12, 2));
  DenseDistances const b = euclidean(cloud(random, 12, 3));
  CHECK(third(a, equal_masses(12, 2), b, equal_masses(12, 2)) ==
        Approx(third(a, equal_masses(12), b, equal_masses(12))).epsilon(1e-10));
}

TEST_CASE("a simplex against a point is bounded by its mean squared distance",
          "[third_lower_bound]") {
  // One plan only: the bound is the value.
  Masses const one{.units = {4}, .total = 4};
  CHECK(third(simplex(1, 0), one, simplex(4, 2), equal_masses(4)) ==
        Approx(std::sqrt(0.75 * 4) / 2).epsilon(1e-12));
}
