#include <tailor/geometry/shift.hpp>  // what is tested

#include <tailor/cpu/device.hpp>      // tailor::cpu::Device
#include <tailor/cpu/gemm.hpp>        // its matrix product
#include <tailor/cpu/primitives.hpp>  // its other primitives

#include <support/catch.hpp>           // Catch2
#include <support/clouds.hpp>          // model_cloud
#include <support/thrown_message.hpp>  // thrown_message

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

using namespace tailor;

TEST_CASE("a token undefined in either cloud leaves both", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<double> const before{0, 0, 1, 0, 0, 1, 1, 1};
  std::vector<double> const after{1, 0, 1, 0, 0, 1, 0, 0};
  auto const x = matrix(before.data(), 4, 2);
  auto const y = matrix(after.data(), 4, 2);
  auto const angle = shift<Spherical>(device, x, y);
  CHECK(angle.mean == 0);
  CHECK(angle.outcome.status == Status::ok);
  CHECK(angle.outcome.n_used == 2);
  CHECK(angle.outcome.n_undefined == 2);
  CHECK(contains(angle.outcome.reason, "token 0 is the zero vector"));
  CHECK(angle.tokens == std::vector<int>{1, 2});
  auto const raw = shift<Euclidean>(device, x, y);
  CHECK(raw.moved == std::vector<double>{1, 0, 0, std::numbers::sqrt2});
  CHECK(raw.mean == Approx((1 + std::numbers::sqrt2) / 4));
  CHECK(raw.outcome.n_undefined == 0);
}

TEST_CASE("spherical shift is the angle, whatever the lengths", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  auto const angle = [&](std::vector<double> const& x, std::vector<double> const& y) {
    int const d = int(x.size());
    return shift<Spherical>(device, matrix(x.data(), 1, d), matrix(y.data(), 1, d)).mean;
  };
  CHECK(angle({3, 0, 0}, {-7, 0, 0}) == std::numbers::pi);
  CHECK(angle({1, 0}, {0, 5}) == Approx(std::numbers::pi / 2).epsilon(1e-15));
  CHECK(angle({2, 0}, {5, 0}) == 0);
}

TEMPLATE_TEST_CASE("shift(x, x) is exactly zero", "[geometry]", Euclidean, Spherical, Hyperbolic) {
  cpu::Device device{{.threads = 2}};
  auto const x = model_cloud<float>(30, 17, 1e4, 1);
  auto const result = shift<TestType>(device, matrix(x.data(), 30, 17), matrix(x.data(), 30, 17));
  CHECK(result.mean == 0);
  CHECK(result.outcome.n_used == 30);
}

TEST_CASE("a shift by one vector has its length", "[geometry]") {
  cpu::Device device{{.threads = 2}};
  auto const x = model_cloud<double>(30, 4, 1, 1);
  auto y = x;
  for (std::size_t i = 0; i < y.size(); i += 4) {
    y[i] += 3e-6;
    y[i + 2] -= 4e-6;
  }
  CHECK(shift<Euclidean>(device, matrix(x.data(), 30, 4), matrix(y.data(), 30, 4)).mean ==
        Approx(5e-6).epsilon(1e-9));
}

TEST_CASE("without a token in both clouds the shift is undefined, with the reason", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const x{nan, 1, 1, 1};
  std::vector<float> const y{1, 1, 1, nan};
  auto const none = shift<Euclidean>(device, matrix(x.data(), 2, 2), matrix(y.data(), 2, 2));
  CHECK(none.outcome.status == Status::undefined);
  CHECK(none.outcome.n_undefined == 2);
  CHECK_FALSE(std::isnan(none.mean));
  auto const empty = shift<Euclidean>(device, matrix(x.data(), 0, 2), matrix(y.data(), 0, 2));
  CHECK(empty.outcome.status == Status::undefined);
  CHECK(empty.outcome.reason == "the clouds have no tokens");
}

TEST_CASE("clouds of different shapes are an error that says both", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<float> const x(6, 1.0f);
  CHECK(contains(thrown_message<std::invalid_argument>([&] {
                   (void)shift<Euclidean>(device, matrix(x.data(), 3, 2), matrix(x.data(), 2, 3));
                 }),
                 "got [3, 2] and [2, 3]"));
}
