#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

#include <tailor/geometry/gromov/anchors.hpp>  // tailor::gromov::best_anchor

#include "../../support/gromov_cases.hpp"

using tailor::DenseDistances;
using tailor::Masses;
using tailor::gromov::DistanceDistribution;

namespace {

/// Every point of b is looked at.
int by_enumeration(DenseDistances const& a, Masses const& p, int i, DenseDistances const& b,
                   Masses const& q) {
  DistanceDistribution const of_i(a.row(i), p);
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int j = 0; j < b.size(); ++j) {
    double const cost = squared_wasserstein(of_i, DistanceDistribution(b.row(j), q));
    if (cost < least) {
      least = cost;
      best = j;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("the best anchor is the first whose distribution of distances is nearest", "[anchors]") {
  std::mt19937_64 seeds(1);
  for (int round = 0; round < 50; ++round) {
    Random random(static_cast<unsigned>(seeds()));
    int const n = 1 + static_cast<int>(seeds() % 30);
    // Every other time the same points in another order, where the least cost is zero.
    Points points = cloud(random, n, 2);
    DenseDistances const a = euclidean(points);
    std::reverse(points.begin(), points.end());
    DenseDistances const b = euclidean(round % 2 ? points : cloud(random, n, 3));
    auto const [p, q] = tailor::equal_masses_of_pair(n, n);
    int const i = static_cast<int>(seeds() % static_cast<unsigned>(n));
    CHECK(tailor::gromov::best_anchor(a, p, i, b, q) == by_enumeration(a, p, i, b, q));
  }
}
