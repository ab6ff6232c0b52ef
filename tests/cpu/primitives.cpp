#include <tailor/cpu/gemm.hpp>
#include <tailor/cpu/primitives.hpp>
#include <tailor/device/exponential.hpp>

#include "support/catch.hpp"
#include "support/cpu_devices.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

namespace {

/// y = e^(x - max) / sum of the row, with everything that a row kernel may do.
template <class T>
struct SoftmaxRow {
  MatrixView<T const> x;
  MatrixView<T> y;

  template <class Team>
  void operator()(Team const& team, std::int64_t row) const {
    T const* const from = x.row(int(row));
    T* const to = y.row(int(row));
    T const most = team.max(x.cols, [=](std::int64_t j) { return from[j]; });
    T const sum = team.sum(x.cols, [=](std::int64_t j) { return exponential(from[j] - most); });
    team.for_each(x.cols, [=](std::int64_t j) { to[j] = exponential(from[j] - most) / sum; });
  }
};

}  // namespace

TEMPLATE_TEST_CASE("a row kernel gives the same on every instruction set, up to rounding", "[cpu]",
                   float, double) {
  using T = TestType;
  auto const set = GENERATE(from_range(instruction_sets()));
  cpu::Device dev{{.threads = 2, .instruction_set = set}};
  for (int cols : {1, 15, 16, 17, 100}) {
    auto const x = normal_values<T>(23 * cols, 1);
    std::vector<T> y(x.size());
    rows(dev, 23, SoftmaxRow<T>{matrix(x.data(), 23, cols), matrix(y.data(), 23, cols)});
    std::vector<double> expected;
    for (int i = 0; i < 23; ++i) {
      double sum = 0;
      for (int j = 0; j < cols; ++j) sum += std::exp(double(x[i * cols + j]));
      for (int j = 0; j < cols; ++j) expected.push_back(std::exp(double(x[i * cols + j])) / sum);
    }
    CHECK(relative_distance(y, expected) < tolerance<T>);
  }
}

TEST_CASE("rows, elements, reduce and sum_rows have the same bits for 1, 2, 3 and 5 threads",
          "[cpu]") {
  auto const set = GENERATE(from_range(instruction_sets()));
  struct Results {
    std::vector<float> softmax, squares, sums;
    double sum;
    bool operator==(Results const&) const = default;
  };
  auto const x = normal_values<float>(301 * 97, 1);
  std::vector<Results> all;
  for (int threads : {1, 2, 3, 5}) {
    cpu::Device dev{{.threads = threads, .instruction_set = set}};
    Results r{.softmax = std::vector<float>(x.size()),
              .squares = std::vector<float>(x.size()),
              .sums = std::vector<float>(97),
              .sum = 0};
    rows(dev, 301, SoftmaxRow<float>{matrix(x.data(), 301, 97), matrix(r.softmax.data(), 301, 97)});
    elements(dev, std::int64_t(x.size()), [from = x.data(), to = r.squares.data()](std::int64_t i) {
      to[i] = from[i] * from[i];
    });
    sum_rows(dev, SumRows<float>{.in = matrix(x.data(), 301, 97), .out = {r.sums.data(), 97}});
    reduce(
        dev, std::int64_t(x.size()), [from = x.data()](std::int64_t i) { return double(from[i]); },
        VectorView<double>{&r.sum, 1});
    all.push_back(r);
  }
  for (auto const& r : all) CHECK((r == all[0]));
}

TEST_CASE("reduce has the same bits on every instruction set", "[cpu]") {
  auto const x = normal_values<double>(10007, 1);
  std::vector<double> sums;
  for (auto set : instruction_sets()) {
    cpu::Device dev{{.threads = 2, .instruction_set = set}};
    double sum = 0;
    reduce(
        dev, 10007, [from = x.data()](std::int64_t i) { return from[i]; },
        VectorView<double>{&sum, 1});
    sums.push_back(sum);
  }
  for (double sum : sums) CHECK(sum == sums[0]);
}

TEST_CASE("primitives may be called inside parallel, by every task for itself", "[cpu]") {
  cpu::Device dev{{.threads = 3}};
  auto const a = normal_values<double>(20 * 30, 1), b = normal_values<double>(30 * 25, 2);
  std::vector<double> c(8 * 20 * 25);
  parallel(dev, 8, [&](std::int64_t task) {
    gemm(dev, Gemm<double>{.a = matrix(a.data(), 20, 30),
                           .b = matrix(b.data(), 30, 25),
                           .c = matrix(c.data() + task * 500, 20, 25)});
    elements(dev, 500, [at = c.data() + task * 500](std::int64_t i) { at[i] *= 2; });
  });
  for (int task = 1; task < 8; ++task) {
    CHECK(std::equal(c.begin(), c.begin() + 500, c.begin() + task * 500));
  }
  CHECK(std::abs(c[0]) > 0);
}

TEST_CASE("copies between views of different size are refused", "[cpu]") {
  cpu::Device dev{{.threads = 1}};
  std::vector<float> x(8), y(8);
  VectorView<float> const four{x.data(), 4}, five{y.data(), 5};
  CHECK(thrown_message<std::invalid_argument>([&] {
          copy(dev, VectorView<float const>(four), five);
        }) == "copy: 4 elements do not fit a view of 5");
  CHECK(thrown_message<std::invalid_argument>([&] {
          upload(dev, std::span<float const>(y.data(), 5), four);
        }) == "upload: 5 elements do not fit a view of 4");
  CHECK(thrown_message<std::invalid_argument>([&] {
          download(dev, VectorView<float const>(four), std::span<float>(y.data(), 5));
        }) == "download: 4 elements do not fit a view of 5");
  CHECK_THROWS_AS(sum_rows(dev, SumRows<float>{.in = matrix(x.data(), 2, 2), .out = {y.data(), 5}}),
                  std::invalid_argument);
}
