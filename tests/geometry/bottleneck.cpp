#include <support/catch.hpp>                // TEST_CASE, CHECK
#include <support/matching_references.hpp>  // references::least_maximum
#include <support/thrown_message.hpp>       // thrown_message
#include <tailor/geometry/bottleneck.hpp>   // the header under test
#include <tailor/geometry/wasserstein.hpp>  // tailor::wasserstein2

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

using references::Diagram;
using tailor::bottleneck;
using tailor::GroundNorm;
using Random = std::mt19937_64;

namespace {

template <GroundNorm norm>
void check_random_diagrams(unsigned seed) {
  Random random(seed);
  int const kind = int(random() % references::kinds);
  Diagram const x = references::mixed_diagram(random, kind, int(random() % 8));
  Diagram const y = references::mixed_diagram(random, kind, int(random() % 8));
  auto const result = bottleneck<norm>(x, y);
  double const reference = references::least_maximum(references::augmented(norm, 1, x, y));
  if (reference == references::forbidden) {
    CHECK(std::isinf(result.value));
    return;
  }
  CHECK(result.value == Approx(reference).epsilon(1e-12));
  std::vector<double> distances = references::match_distances(norm, x, y, result);
  CHECK(distances.size() == result.matching.size());
  distances.push_back(0);
  CHECK(*std::max_element(distances.begin(), distances.end()) ==
        Approx(result.value).epsilon(1e-12));
  CHECK(2 * result.paired + result.diagonal == result.n_used);
}

/// The diagram with every coordinate taken to factor * coordinate + shift.
Diagram mapped(Diagram diagram, double factor, double shift) {
  for (tailor::Bar& bar : diagram) {
    bar = {factor * bar.birth + shift, factor * bar.death + shift};
  }
  return diagram;
}

}  // namespace

TEST_CASE("the bottleneck distance of small diagrams is known", "[bottleneck]") {
  Diagram const x{{0, 4}, {1, 2}};
  Diagram const y{{0, 3}};
  CHECK(bottleneck(x, y).value == 1);
  CHECK(bottleneck<GroundNorm::linf>(x, y).matching ==
        std::vector<tailor::BarMatch>{{0, 0}, {1, -1}});
  CHECK(bottleneck<GroundNorm::linf>(Diagram{{0, 1}}, {}).value == 0.5);
  CHECK(bottleneck(Diagram{{0, 1}}, {}).value == Approx(1 / std::sqrt(2.0)));
  CHECK(bottleneck({}, {}).value == 0);
  CHECK(bottleneck(Diagram{{0, 1e16 + 2}}, Diagram{{0, 1e16}}).value == 2);
}

TEST_CASE("bottleneck matches bars that never die by birth", "[bottleneck]") {
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(bottleneck(Diagram{{0, infinity}, {5, infinity}}, Diagram{{6, infinity}, {0, infinity}})
            .value == 1);
  auto const other = bottleneck(Diagram{{0, infinity}}, Diagram{{0, 1}});
  CHECK(other.value == infinity);
  CHECK(contains(other.reason, "1 bars never die in the first diagram, 0 in the second"));
}

TEMPLATE_TEST_CASE_SIG("the bottleneck distance is the least over all matchings", "[bottleneck]",
                       ((GroundNorm norm), norm), GroundNorm::l2, GroundNorm::linf) {
  for (unsigned seed = 0; seed < 1000; ++seed) check_random_diagrams<norm>(seed);
}

TEMPLATE_TEST_CASE_SIG("the bottleneck distance is the least over all matchings of many diagrams",
                       "[.long]", ((GroundNorm norm), norm), GroundNorm::l2, GroundNorm::linf) {
  for (unsigned seed = 1000; seed < 11000; ++seed) check_random_diagrams<norm>(seed);
}

TEMPLATE_TEST_CASE_SIG("the bottleneck distance is a metric", "[bottleneck]",
                       ((GroundNorm norm), norm), GroundNorm::l2, GroundNorm::linf) {
  Random random(GENERATE(range(1u, 11u)));
  Diagram const x = references::mixed_diagram(random, 0, 60);
  Diagram const y = references::mixed_diagram(random, 1, 40);
  Diagram const z = references::mixed_diagram(random, 0, 50);
  auto const distance = [](Diagram const& s, Diagram const& t) {
    return bottleneck<norm>(s, t).value;
  };
  CHECK(distance(x, x) == 0);
  CHECK(distance(x, y) == distance(y, x));
  CHECK(distance(x, z) <= (distance(x, y) + distance(y, z)) * (1 + 1e-12));
}

TEMPLATE_TEST_CASE_SIG("bottleneck scales, and does not change along the diagonal", "[bottleneck]",
                       ((GroundNorm norm), norm), GroundNorm::l2, GroundNorm::linf) {
  Random random(GENERATE(range(1u, 6u)));
  Diagram const x = references::mixed_diagram(random, 0, 60);
  Diagram const y = references::mixed_diagram(random, 1, 40);
  double const distance = bottleneck<norm>(x, y).value;
  double const factor = GENERATE(0x1p-600, 3.0, 0x1p600);
  double const scaled = bottleneck<norm>(mapped(x, factor, 0), mapped(y, factor, 0)).value;
  CHECK(scaled / factor == Approx(distance).epsilon(1e-12));
  double const moved = bottleneck<norm>(mapped(x, 1, 5), mapped(y, 1, 5)).value;
  CHECK(moved == Approx(distance).epsilon(1e-12));
}

TEST_CASE("bottleneck <= wasserstein2 <= root of the number of matches x bottleneck",
          "[bottleneck]") {
  Random random(GENERATE(range(1u, 11u)));
  Diagram const x = references::mixed_diagram(random, 0, 60);
  Diagram const y = references::mixed_diagram(random, 0, 50);
  auto const largest = bottleneck<GroundNorm::linf>(x, y);
  double const squares = tailor::wasserstein2<GroundNorm::linf>(x, y).value;
  CHECK(largest.value <= squares * (1 + 1e-12));
  CHECK(squares <= std::sqrt(double(largest.matching.size())) * largest.value * (1 + 1e-12));
}

TEST_CASE("bottleneck names the bar that is none", "[bottleneck]") {
  CHECK(contains(thrown_message<std::invalid_argument>([] {
                   bottleneck(Diagram{{0, 1}, {2, 1}}, Diagram{});
                 }),
                 "bottleneck: a finite birth and a death not before it expected, got bar 1"));
}
