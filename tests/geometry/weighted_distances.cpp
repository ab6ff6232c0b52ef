#include <support/catch.hpp>                       // TEST_CASE, CHECK
#include <support/thrown_message.hpp>              // thrown_message
#include <tailor/geometry/weighted_distances.hpp>  // the header under test

#include <cmath>
#include <stdexcept>
#include <vector>

using tailor::DenseDistances;
using tailor::WeightedDistances;

TEST_CASE("weighted distances are the distances, with weights", "[weighted_distances]") {
  DenseDistances d(2);
  d.at(0, 1) = d.at(1, 0) = 3;
  std::vector<double> const weights{0.25, 0.75};
  WeightedDistances const both(d, weights);
  CHECK(both.size() == 2);
  CHECK(both(0, 1) == 3);
  CHECK(tailor::weights_of(both) == weights);
  CHECK(tailor::weights_of(d) == std::vector<double>{0.5, 0.5});
}

TEST_CASE("weights that are none are named", "[weighted_distances]") {
  DenseDistances const d(2);
  auto const message = [&](std::vector<double> const& weights) {
    return thrown_message<std::invalid_argument>([&] { WeightedDistances(d, weights); });
  };
  CHECK(contains(message({1}), "got 1 for 2 points"));
  CHECK(contains(message({1.5, -0.5}), "got weight 0 = 1.5"));
  CHECK(contains(message({0.5, -0.5}), "got weight 1 = -0.5"));
  CHECK(contains(message({0.5, std::nan("")}), "got weight 1 = nan"));
  CHECK(contains(message({0.5, 0.25}), "sum 1 expected, got 0.75"));
  CHECK(contains(message({1, 0}), "nothing"));
  CHECK(contains(message({1.0 / 3, 2.0 / 3 + 1e-12}), "nothing"));
}
