#include <support/catch.hpp>           // TEST_CASE, CHECK
#include <tailor/geometry/masses.hpp>  // the header under test

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using tailor::equal_masses_of_pair;
using tailor::Masses;
using tailor::unequal_masses;

TEST_CASE("equal masses of a pair are the smallest whole numbers of one total", "[masses]") {
  int const n = GENERATE(1, 6, 7, 24);
  int const m = GENERATE(1, 4, 6, 35);
  auto const [p, q] = equal_masses_of_pair(n, m);
  CHECK(p.size() == n);
  CHECK(q.size() == m);
  CHECK(p.total == q.total);
  CHECK(p.total == std::lcm(n, m));
  CHECK(p[0] * n == p.total);
  CHECK(q[0] * m == q.total);
  CHECK(p.share(0) == 1.0 / n);
}

TEST_CASE("no points have no mass", "[masses]") {
  CHECK(equal_masses_of_pair(0, 0).first.total == 0);
  CHECK(equal_masses_of_pair(0, 3).second.units.size() == 3);
}

TEST_CASE("unequal masses keep their total, their order and their zeros", "[masses]") {
  std::mt19937_64 random(GENERATE(range(1u, 11u)));
  std::vector<double> weights;
  for (int i = 0; i < 50; ++i) weights.push_back(static_cast<double>(random() % 100) / 3);
  double const sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  Masses const masses = unequal_masses(weights);
  CHECK(std::accumulate(masses.units.begin(), masses.units.end(), std::int64_t{0}) == masses.total);
  for (int i = 0; i < masses.size(); ++i) {
    double const weight = weights[static_cast<std::size_t>(i)];
    CHECK(std::abs(masses.share(i) - weight / sum) <= 1e-13);
    CHECK((masses[i] == 0) == (weight == 0));
  }
  CHECK(unequal_masses(std::vector<double>{0.25, 0, 0.75}).units ==
        std::vector<std::int64_t>{tailor::unequal_total / 4, 0, tailor::unequal_total / 4 * 3});
}
