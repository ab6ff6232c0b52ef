#include <tailor/geometry/distances.hpp>  // what is tested

#include <tailor/cpu/device.hpp>      // tailor::cpu::Device
#include <tailor/cpu/gemm.hpp>        // its matrix product
#include <tailor/cpu/primitives.hpp>  // its other primitives
#include <tailor/geometry/shift.hpp>  // tailor::distance_between

#include <support/catch.hpp>           // Catch2
#include <support/clouds.hpp>          // model_cloud
#include <support/naive_device.hpp>    // naive::Device
#include <support/thrown_message.hpp>  // thrown_message

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using namespace tailor;

struct Manhattan {
  static constexpr Measures measures = Measures::vectors;
  double distance(std::span<double const> x, std::span<double const> y) const {
    return std::transform_reduce(x.begin(), x.end(), y.begin(), 0.0, std::plus<>(),
                                 [](double a, double b) { return std::abs(a - b); });
  }
};

struct ChebyshevOfDirections {
  static constexpr Measures measures = Measures::directions;
  double distance(std::span<double const> x, std::span<double const> y) const {
    return std::transform_reduce(
        x.begin(), x.end(), y.begin(), 0.0, [](double a, double b) { return std::max(a, b); },
        [](double a, double b) { return std::abs(a - b); });
  }
};

struct Chord {
  static constexpr Measures measures = Measures::directions;
  double distance(PairNorms const& pair) const { return pair.difference; }
};

/// The largest relative error of Euclidean distances against long double.
template <class T>
double worst_error(Distances const& d, std::vector<T> const& x, int dim) {
  long double worst = 0;
  for (int i = 0; i < d.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      long double squared = 0;
      for (int k = 0; k < dim; ++k) {
        long double const gap =
            (long double)x[std::size_t(i * dim + k)] - x[std::size_t(j * dim + k)];
        squared += gap * gap;
      }
      long double const right = std::sqrt(squared);
      if (right > 0) worst = std::max(worst, std::abs(d(i, j) - right) / right);
    }
  }
  return double(worst);
}

/// a b - c d, rounded about once.
long double difference_of_products(long double a, long double b, long double c, long double d) {
  long double const cd = c * d;
  return std::fma(a, b, -cd) - std::fma(c, d, -cd);
}

/// The angle by Lagrange's identity: |x|^2 |y|^2 sin^2 is the sum of the squares of all minors.
template <class T>
long double angle_of(std::span<T const> x, std::span<T const> y) {
  long double minors = 0;
  long double product = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      long double const minor = difference_of_products(x[i], y[j], x[j], y[i]);
      minors += minor * minor;
    }
    product += (long double)x[i] * y[i];
  }
  return std::atan2(std::sqrt(minors), product);
}

template <class T>
long double poincare_of(std::span<T const> x, std::span<T const> y) {
  long double gap = 0;
  long double xx = 0;
  long double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    gap += ((long double)x[i] - y[i]) * ((long double)x[i] - y[i]);
    xx += (long double)x[i] * x[i];
    yy += (long double)y[i] * y[i];
  }
  return 2 * std::asinh(std::sqrt(gap / ((1 - xx) * (1 - yy))));
}

double const not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE(
    "relative error < 1e-12 for a pair 1e-9 apart in a cloud with one token 10^4 times the "
    "median norm",
    "[geometry]") {
  cpu::Device device{{.threads = 2}};
  int const dim = GENERATE(3, 64, 577);
  double const noise = GENERATE(1.0, 0.1, 0.003);
  auto x = model_cloud<double>(40, dim, 1e4, 1, noise);
  std::copy_n(x.begin(), dim, x.begin() + dim);
  x[std::size_t(dim)] += 1e-9;
  double const apart = x[std::size_t(dim)] - x[0];
  auto const d = distances<Euclidean>(device, matrix(x.data(), 40, dim));
  CHECK(d(0, 1) == Approx(apart).epsilon(1e-12).margin(0));
  // and for every other pair too
  CHECK(worst_error(d, x, dim) < 1e-12);
  auto const f = model_cloud<float>(40, dim, 1e4, 2, noise);
  CHECK(worst_error(distances<Euclidean>(device, matrix(f.data(), 40, dim)), f, dim) < 1e-12);
}

TEMPLATE_TEST_CASE(
    "angles and distances of the ball are right to 1e-12 of themselves, near and far", "[geometry]",
    float, double) {
  cpu::Device device{{.threads = 2}};
  int const dim = GENERATE(3, 40);
  int const tokens = 20;
  auto x = model_cloud<TestType>(tokens, dim, 1e4, 5, 0.5);
  // Two tokens less than 1e-9 apart, all in the ball.
  x[0] = TestType(1e-2);
  std::copy_n(x.begin(), dim, x.begin() + dim);
  x[std::size_t(dim)] += TestType(9.4e-10);
  REQUIRE(x[std::size_t(dim)] != x[0]);
  double longest = 0;
  auto const token = [&](int i) {
    return std::span<TestType const>(x).subspan(std::size_t(i * dim), std::size_t(dim));
  };
  for (int i = 0; i < tokens; ++i) {
    double squared = 0;
    for (TestType const value : token(i)) squared += double(value) * value;
    longest = std::max(longest, std::sqrt(squared));
  }
  for (TestType& value : x) value *= TestType(std::exp2(-std::ceil(std::log2(longest))));
  auto const cloud = matrix(std::as_const(x).data(), tokens, dim);
  auto const angles = distances<Spherical>(device, cloud);
  auto const fixed_radius = distances<Hyperbolic>(device, cloud);
  auto const ball = distances<Poincare>(device, cloud);
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < i; ++j) {
      long double const angle = angle_of(token(i), token(j));
      CHECK(angles(i, j) == Approx(double(angle)).epsilon(1e-12).margin(0));
      double const mapped = double(2 * std::asinh(2 * std::sin(angle / 2) * 0.5L / 0.75L));
      CHECK(fixed_radius(i, j) == Approx(mapped).epsilon(1e-12).margin(0));
      double const in_ball = double(poincare_of(token(i), token(j)));
      CHECK(ball(i, j) == Approx(in_ball).epsilon(1e-12).margin(0));
    }
  }
}

TEMPLATE_TEST_CASE("a token is at distance exactly zero from its copy, by every metric",
                   "[geometry]", float, double) {
  cpu::Device device{{.threads = 1}};
  int const dim = GENERATE(3, 64, 577);
  int const tokens = 12;
  auto x = model_cloud<TestType>(tokens, dim, 1e4, 8);
  for (TestType& value : x) value *= TestType(1e-6);
  auto const half = std::ptrdiff_t(tokens / 2) * dim;
  std::copy_n(x.begin() + half, half, x.begin());
  auto const cloud = matrix(std::as_const(x).data(), tokens, dim);
  auto const check = [&](auto const& metric) {
    auto const d = distances(device, cloud, metric);
    for (int i = 0; i < tokens / 2; ++i) CHECK(d(i, i + tokens / 2) == 0);
  };
  check(Euclidean{});
  check(Spherical{});
  check(Hyperbolic{});
  check(Poincare{});
  check(Manhattan{});
}

TEST_CASE("angles of a near parallel pair of any lengths are right in any cloud", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  auto x = model_cloud<double>(20, 6, 1e4, 3);
  // b is across a and as long, so that a and 3 a + t b are at the angle atan(t / 3).
  std::vector<double> const a{3, -7, 11, 2, 5, 1};
  std::vector<double> const b{7, 3, -2, 11, -1, 5};
  double const t = std::ldexp(1.0, -29);
  for (std::size_t k = 0; k < 6; ++k) {
    x[k] = a[k];
    x[6 + k] = 3 * a[k] + t * b[k];
  }
  auto const cloud = matrix(x.data(), 20, 6);
  CHECK(distances<Spherical>(device, cloud)(0, 1) ==
        Approx(std::atan(t / 3)).epsilon(1e-12).margin(0));
  CHECK(distances<Chord>(device, cloud)(0, 1) ==
        Approx(2 * std::sin(std::atan(t / 3) / 2)).epsilon(1e-12).margin(0));
}

TEMPLATE_TEST_CASE("distances of a cloud are those of its pairs, symmetric, with a zero diagonal",
                   "[geometry]", Euclidean, Spherical, Hyperbolic, Chord, Manhattan,
                   ChebyshevOfDirections) {
  cpu::Device device{{.threads = 2}};
  auto const x = model_cloud<double>(12, 9, 50, 4);
  auto const d = distances<TestType>(device, matrix(x.data(), 12, 9));
  REQUIRE(d.size() == 12);
  for (int i = 0; i < 12; ++i) {
    CHECK(d(i, i) == 0);
    for (int j = 0; j < i; ++j) {
      auto const token = [&](int k) { return std::span(x).subspan(std::size_t(k) * 9, 9); };
      CHECK(d(i, j) == Approx(*distance_between(TestType{}, token(j), token(i))).epsilon(1e-12));
      CHECK(d(i, j) == d(j, i));
    }
  }
}

TEST_CASE("one bad token never kills the batch: it is left out, counted and named", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<double> x{1, 0, not_a_number, 0, 0, 0, 0, 2, 1e200, 0};
  auto const cloud = matrix(x.data(), 5, 2);
  auto const raw = distances<Euclidean>(device, cloud);
  CHECK(raw.tokens == std::vector<int>{0, 2, 3});
  CHECK(raw(0, 1) == 1);
  CHECK(raw.outcome.n_used == 3);
  CHECK(raw.outcome.n_undefined == 2);
  CHECK(contains(raw.outcome.reason, "token 1 has a coordinate that is not finite, and 1 more"));
  auto const angle = distances<Spherical>(device, cloud);
  CHECK(angle.tokens == std::vector<int>{0, 3});
  CHECK(angle(0, 1) == Approx(std::numbers::pi / 2));
  CHECK(angle.outcome.n_undefined == 3);
  CHECK(angle.outcome.status == Status::ok);
}

TEST_CASE("a cloud without a defined token is undefined, an empty one is empty", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<float> const zeros(6, 0.0f);
  auto const none = distances<Spherical>(device, matrix(zeros.data(), 3, 2));
  CHECK(none.outcome.status == Status::undefined);
  CHECK(none.size() == 0);
  CHECK(distances<Euclidean>(device, matrix(zeros.data(), 3, 2)).outcome.status == Status::ok);
  CHECK(distances<Euclidean>(device, matrix(zeros.data(), 0, 2)).outcome.status == Status::ok);
}

TEST_CASE("a need over the limit is told before anything begins", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<float> const x(300, 1.0f);
  std::size_t const need = distances_bytes(100, 3);
  CHECK(need >= DenseDistances::bytes(100));
  CHECK(distances_bytes(std::numeric_limits<int>::max(), 1) > std::size_t(1) << 60);
  CHECK(distances(device, matrix(x.data(), 100, 3), Euclidean{}, {.limit_bytes = need}).size() ==
        100);
  CHECK_THROWS_AS(
      distances(device, matrix(x.data(), 100, 3), Euclidean{}, {.limit_bytes = need - 1}),
      std::length_error);
  // The data of this view is never read.
  CHECK(contains(thrown_message<std::length_error>(
                     [&] { (void)distances<Euclidean>(device, matrix(x.data(), 1 << 20, 512)); }),
                 "a cloud of 1048576 tokens in 512 dimensions needs 16785440 MiB"));
}

TEST_CASE("a token outside the domain of a metric is named", "[geometry]") {
  cpu::Device device{{.threads = 2}};
  std::vector<double> const x{0, 0, not_a_number, 0, .5, 0, 1.25, 0};
  CHECK(contains(thrown_message<std::invalid_argument>(
                     [&] { (void)distances<Poincare>(device, matrix(x.data(), 4, 2)); }),
                 "token 3 lies outside the ball: norm 1.25"));
  CHECK(distances<Poincare>(device, matrix(x.data(), 3, 2))(0, 1) == Approx(std::log(3.0)));
}

TEST_CASE("distances do not know which device they run on", "[geometry]") {
  cpu::Device ours{{.threads = 1}};
  naive::Device plain;
  auto const x = model_cloud<float>(30, 9, 100, 6);
  auto const a = distances<Spherical>(ours, matrix(x.data(), 30, 9));
  auto const b = distances<Spherical>(plain, matrix(x.data(), 30, 9));
  CHECK(plain.products == 1);
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < i; ++j) CHECK(a(i, j) == Approx(b(i, j)).epsilon(1e-12).margin(0));
  }
}

TEST_CASE("distances are the same bits for every number of threads", "[geometry]") {
  auto const x = model_cloud<float>(70, 33, 100, 5);
  cpu::Device one{{.threads = 1}};
  cpu::Device three{{.threads = 3}};
  auto const a = distances<Hyperbolic>(one, matrix(x.data(), 70, 33));
  auto const b = distances<Hyperbolic>(three, matrix(x.data(), 70, 33));
  CHECK(std::equal(a.matrix.data(), a.matrix.data() + 70 * 70, b.matrix.data()));
}
