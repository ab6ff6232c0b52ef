#include <tailor/study/sign_flip.hpp>  // what is tested

#include "support/catch.hpp"

#include <cmath>
#include <random>
#include <vector>

using namespace tailor;

namespace {

std::vector<SeedValue> numbered(std::vector<double> const& values) {
  std::vector<SeedValue> result;
  for (double value : values) result.push_back({result.size() + 1, value});
  return result;
}

/// All 2^n sums, one by one.
double by_definition(std::vector<double> const& values) {
  double observed = 0;
  for (double value : values) observed += value;
  int extreme = 0, all = 1 << values.size();
  for (int signs = 0; signs < all; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += signs >> i & 1 ? -values[i] : values[i];
    extreme += std::abs(sum) >= std::abs(observed) - 1e-12;
  }
  return double(extreme) / all;
}

}  // namespace

TEST_CASE("differences of one sign have the smallest p there is, 2 / 2^n", "[study]") {
  CHECK(*sign_flip_p(numbered({1, 2, 3, 4, 5, 6})) == 2.0 / 64);
  CHECK(*sign_flip_p(numbered({-1, -1, -1, -1, -1, -1, -1})) == 2.0 / 128);
  CHECK(*sign_flip_p(numbered(std::vector<double>(20, 0.1))) == std::ldexp(2.0, -20));
}

TEST_CASE("the p value is the share of sign assignments that are as extreme", "[study]") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.3, 1);
  for (int n = 6; n <= 11; ++n) {
    std::vector<double> values(n);
    for (double& value : values) value = normal(random);
    CHECK(*sign_flip_p(numbered(values)) == by_definition(values));
    values.back() = values.front();  // ties
    CHECK(*sign_flip_p(numbered(values)) == by_definition(values));
  }
}

TEST_CASE("differences that are all zero have p 1", "[study]") {
  CHECK(*sign_flip_p(numbered(std::vector<double>(8, 0.0))) == 1);
}

TEST_CASE("below six pairs and above twenty there is no sign-flip p", "[study]") {
  CHECK_FALSE(sign_flip_p(numbered(std::vector<double>(5, 1.0))));
  CHECK_FALSE(sign_flip_p(numbered(std::vector<double>(21, 1.0))));
}
