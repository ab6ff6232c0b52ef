#include <support/catch.hpp>                                // TEST_CASE, CHECK
#include <support/gromov_cases.hpp>                         // euclidean, cloud, by_definition
#include <support/thrown_message.hpp>                       // thrown_message
#include <tailor/geometry/gromov_wasserstein_entropic.hpp>  // the header under test
#include <tailor/geometry/weighted_distances.hpp>           // WeightedDistances

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using tailor::DenseDistances;
using tailor::EntropicGromovWassersteinOptions;
using tailor::GromovWassersteinResult;
using tailor::WeightedDistances;

namespace {

template <class A, class B>
GromovWassersteinResult entropic(A const& a, B const& b,
                                 EntropicGromovWassersteinOptions options = {}) {
  naive::Device device;
  return tailor::gromov_wasserstein_entropic(device, a, b, options);
}

double mean_square(DenseDistances const& d, std::vector<double> const& p) {
  double sum = 0;
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < d.size(); ++j) sum += d(i, j) * d(i, j) * p[i] * p[j];
  }
  return sum;
}

std::vector<double> equal(int n) {
  return std::vector<double>(static_cast<std::size_t>(n), 1.0 / n);
}

/// KL(T | p q').
double divergence(tailor::Coupling const& coupling, std::vector<double> const& p,
                  std::vector<double> const& q) {
  double sum = 0;
  for (int i = 0; i < coupling.rows(); ++i) {
    for (int j = 0; j < coupling.cols(); ++j) {
      double const w = coupling(i, j);
      if (w > 0) sum += w * std::log(w / (p[i] * q[j]));
    }
  }
  return sum;
}

void check_marginals(tailor::Coupling const& coupling, std::vector<double> const& p,
                     std::vector<double> const& q) {
  std::vector<double> rows(p.size(), 0.0);
  std::vector<double> columns(q.size(), 0.0);
  bool negative = false;
  for (int i = 0; i < coupling.rows(); ++i) {
    for (int j = 0; j < coupling.cols(); ++j) {
      negative = negative || coupling(i, j) < 0;
      rows[i] += coupling(i, j);
      columns[j] += coupling(i, j);
    }
  }
  CHECK_FALSE(negative);
  for (std::size_t i = 0; i < p.size(); ++i) CHECK(rows[i] == Approx(p[i]).margin(1e-14));
  for (std::size_t j = 0; j < q.size(); ++j) CHECK(columns[j] == Approx(q[j]).margin(1e-14));
}

}  // namespace

TEST_CASE("the entropic coupling has the weights of both clouds, and its value is by definition",
          "[entropic]") {
  Random random(1);
  double const epsilon = GENERATE(1.0, 0.1, 0.01, 1e-3, 1e-5, 1e-9);
  DenseDistances const a = euclidean(cloud(random, 9, 2));
  DenseDistances const b = euclidean(cloud(random, 7, 3));
  std::vector<double> const p{0.1, 0.2, 0.05, 0.15, 0.1, 0, 0.1, 0.1, 0.2};
  std::vector<double> const q{0.3, 0.1, 0, 0.2, 0.1, 0.1, 0.2};
  GromovWassersteinResult const result =
      entropic(WeightedDistances(a, p), WeightedDistances(b, q), {.epsilon = epsilon});
  check_marginals(result.coupling, p, q);
  CHECK(result.gw_sq >= 0);
  CHECK(result.gw_sq == Approx(by_definition(a, b, result.coupling)).epsilon(1e-12));
  CHECK(result.distortion == std::sqrt(result.gw_sq) / 2);
  CHECK(result.lower_bound <= result.distortion);
  CHECK(result.n_used == 16);
}

TEST_CASE("at the end the coupling is the transport with entropy for its own gradient",
          "[entropic]") {
  Random random(GENERATE(2u, 3u, 4u));
  int const n = 8;
  DenseDistances const a = euclidean(cloud(random, n, 2));
  DenseDistances const b = euclidean(cloud(random, n, 2));
  double const epsilon = 0.1;
  auto const result = entropic(a, b, {.epsilon = epsilon, .tolerance = 1e-13});
  REQUIRE(result.converged);
  double const weight = epsilon * (mean_square(a, equal(n)) + mean_square(b, equal(n)));
  auto const gradient = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l) sum -= 4 * a(i, k) * b(j, l) * result.coupling(k, l);
    }
    return sum / weight;
  };
  // The exact weights were made by moving rounding errors of mass: entries far above them count.
  auto const counts = [&](int i, int j) { return result.coupling(i, j) > 1e-8; };
  auto const logarithm = [&](int i, int j) { return std::log(result.coupling(i, j)); };
  int counted = 0;
  for (int i = 1; i < n; ++i) {
    for (int j = 1; j < n; ++j) {
      if (!counts(i, j) || !counts(0, 0) || !counts(i, 0) || !counts(0, j)) continue;
      ++counted;
      double const of_plan = logarithm(i, j) + logarithm(0, 0) - logarithm(i, 0) - logarithm(0, j);
      double const of_gradient = gradient(i, j) + gradient(0, 0) - gradient(i, 0) - gradient(0, j);
      CHECK(of_plan == Approx(-of_gradient).margin(1e-5));
    }
  }
  CHECK(counted >= 5);
}

TEST_CASE("the entropic objective is no more than at the product, for clouds of negative type",
          "[entropic]") {
  Random random(GENERATE(range(5u, 15u)));
  double const epsilon = GENERATE(0.3, 0.03, 0.003);
  int const n = 10;
  DenseDistances const a = euclidean(cloud(random, n, 2));
  DenseDistances const b = euclidean(cloud(random, n, 3));
  auto const result = entropic(a, b, {.epsilon = epsilon});
  double const weight = epsilon * (mean_square(a, equal(n)) + mean_square(b, equal(n)));
  tailor::Coupling product(n, n);
  for (double& w : product.weights()) w = 1.0 / (n * n);
  CHECK(result.gw_sq + weight * divergence(result.coupling, equal(n), equal(n)) <=
        by_definition(a, b, product) * (1 + 1e-9));
}

TEST_CASE("the more entropy, the nearer the product of the weights", "[entropic]") {
  Random random(6);
  DenseDistances const a = euclidean(cloud(random, 12, 2));
  DenseDistances const b = euclidean(cloud(random, 12, 2));
  double last = std::numeric_limits<double>::infinity();
  for (double const epsilon : {0.01, 0.1, 1.0, 10.0}) {
    double const here =
        divergence(entropic(a, b, {.epsilon = epsilon}).coupling, equal(12), equal(12));
    CHECK(here < last);
    last = here;
  }
  CHECK(last < 1e-4);
}

TEST_CASE("with less entropy the value falls towards that of descents", "[entropic]") {
  Random random(GENERATE(7u, 8u, 9u));
  Points points = cloud(random, 20, 2);
  DenseDistances const a = euclidean(points);
  for (auto& point : points) {
    for (double& x : point) x += 1e-3 * uniform(random);
  }
  DenseDistances const b = euclidean(points);
  naive::Device device;
  double last = std::numeric_limits<double>::infinity();
  for (double const epsilon : {0.1, 0.03, 0.01, 0.003}) {
    double const here = entropic(a, b, {.epsilon = epsilon}).distortion;
    CHECK(here < last);
    last = here;
  }
  CHECK(last >= tailor::gromov_wasserstein(device, a, b).distortion);
}

TEST_CASE("the entropic value scales with the clouds", "[entropic]") {
  Random random(8);
  DenseDistances const a = euclidean(cloud(random, 8, 2));
  DenseDistances const b = euclidean(cloud(random, 6, 2));
  double const value = entropic(a, b).distortion;
  CHECK(entropic(scaled(a, 1e100), scaled(b, 1e100)).distortion ==
        Approx(1e100 * value).epsilon(1e-6));
  CHECK(entropic(scaled(a, 1e-100), scaled(b, 1e-100)).distortion ==
        Approx(1e-100 * value).epsilon(1e-6));
}

TEST_CASE("clouds in one place are at entropic distance zero", "[entropic]") {
  DenseDistances const point(3);
  auto const result = entropic(point, DenseDistances(5));
  CHECK(result.gw_sq == 0);
  CHECK(result.converged);
  check_marginals(result.coupling, equal(3), equal(5));
  CHECK(entropic(point, DenseDistances(0)).status == tailor::Status::undefined);
}

TEST_CASE("gromov_wasserstein_entropic names what it cannot work with", "[entropic]") {
  auto const message = [](DenseDistances const& a, EntropicGromovWassersteinOptions options) {
    return thrown_message<std::invalid_argument>([&] { entropic(a, DenseDistances(2), options); });
  };
  DenseDistances bad(2);
  bad.at(0, 1) = bad.at(1, 0) = std::numeric_limits<double>::infinity();
  CHECK(contains(message(bad, {}), "d(1, 0) = inf in the first matrix"));
  CHECK(
      contains(message(DenseDistances(2), {.epsilon = 0}), "an epsilon from 1e-9 to 1e6 expected"));
  CHECK(contains(message(DenseDistances(2), {.epsilon = std::nan("")}), "got nan"));
  CHECK(contains(message(DenseDistances(2), {.max_iterations = 0}), "max_iterations"));
  CHECK_THROWS_AS(entropic(DenseDistances(9), DenseDistances(9), {.memory_limit = 100}),
                  std::length_error);
}
