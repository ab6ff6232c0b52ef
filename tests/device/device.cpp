#include <tailor/device/device.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"

#include <numeric>

using namespace tailor;

static_assert(Device<TestDevice>);
static_assert(Device<naive::Device>);
static_assert(!Device<int>);

namespace {

/// Sum and maximum of the squares of a row, by a row kernel that captures nothing but pointers.
struct SquaresRow {
  MatrixView<float const> x;
  float* sums;
  float* largest;

  template <class Team>
  void operator()(Team const& team, std::int64_t row) const {
    float const* const from = x.row(int(row));
    float const sum = team.sum(x.cols, [=](std::int64_t j) { return from[j] * from[j]; });
    float const most = team.max(x.cols, [=](std::int64_t j) { return from[j] * from[j]; });
    team.for_each(1, [=, s = sums, l = largest](std::int64_t) {
      s[row] = sum;
      l[row] = most;
    });
  }
};

}  // namespace

TEMPLATE_TEST_CASE("a buffer holds zeros, and what is uploaded comes back", "[device]", TestDevice,
                   naive::Device) {
  TestType dev;
  auto buffer_of_seven = buffer<float>(dev, 7);
  std::vector<float> out(7, 1.0f);
  auto const view = buffer_of_seven.view();
  REQUIRE(buffer_of_seven.size() == 7);
  download(dev, VectorView<float const>(view), std::span<float>(out));
  CHECK(out == std::vector<float>(7, 0.0f));
  auto const in = normal_values<float>(7, 1);
  upload(dev, std::span<float const>(in), view);
  auto copied = buffer<float>(dev, 7);
  copy(dev, VectorView<float const>(view), copied.view());
  fill(dev, view, 2.0f);
  download(dev, VectorView<float const>(copied.view()), std::span<float>(out));
  CHECK(out == in);
  download(dev, VectorView<float const>(view), std::span<float>(out));
  CHECK(out == std::vector<float>(7, 2.0f));
}

TEMPLATE_TEST_CASE("a row kernel sees every row once, with sums and maxima of its columns",
                   "[device]", TestDevice, naive::Device) {
  TestType dev;
  for (int cols : {1, 2, 15, 16, 17, 31, 32, 100}) {
    constexpr int rows_count = 37;
    auto const x = normal_values<float>(rows_count * cols, 1);
    std::vector<float> sums(rows_count, NAN), largest(rows_count, NAN);
    rows(dev, rows_count,
         SquaresRow{matrix(x.data(), rows_count, cols), sums.data(), largest.data()});
    for (int i = 0; i < rows_count; ++i) {
      double sum = 0;
      float most = 0;
      for (int j = 0; j < cols; ++j) {
        sum += double(x[i * cols + j]) * x[i * cols + j];
        most = std::max(most, x[i * cols + j] * x[i * cols + j]);
      }
      CHECK(sums[i] == Approx(sum).epsilon(tolerance<float>));
      CHECK(largest[i] == most);
    }
  }
}

TEMPLATE_TEST_CASE("elements and parallel call each index once", "[device]", TestDevice,
                   naive::Device) {
  TestType dev;
  for (int count : {0, 1, 3, 1000}) {
    std::vector<int> calls(std::size_t(count), 0), tasks(std::size_t(count), 0);
    elements(dev, count, [at = calls.data()](std::int64_t i) { ++at[i]; });
    parallel(dev, count, [at = tasks.data()](std::int64_t i) { ++at[i]; });
    CHECK(calls == std::vector<int>(std::size_t(count), 1));
    CHECK(tasks == std::vector<int>(std::size_t(count), 1));
  }
}

TEMPLATE_TEST_CASE("reduce adds up all terms in double", "[device]", TestDevice, naive::Device) {
  TestType dev;
  for (std::int64_t count : {0, 1, 7, 64, 1000, 12345}) {
    double sum = NAN;
    reduce(
        dev, count, [](std::int64_t i) { return double(i) + 0.25; }, VectorView<double>{&sum, 1});
    CHECK(sum == double(count) * double(count - 1) / 2 + 0.25 * double(count));
  }
}

TEMPLATE_TEST_CASE("sum_rows adds up rows, and with beta == 0 writes without reading", "[device]",
                   TestDevice, naive::Device) {
  TestType dev;
  for (int cols : {1, 64, 65, 200}) {
    auto const x = normal_values<double>(50 * cols, 1);
    std::vector<double> out(std::size_t(cols), NAN), expected(std::size_t(cols), 0.0);
    for (int i = 0; i < 50; ++i) {
      for (int j = 0; j < cols; ++j) expected[j] += x[i * cols + j];
    }
    SumRows<double> args{.in = matrix(x.data(), 50, cols), .out = {out.data(), cols}};
    sum_rows(dev, args);
    CHECK(relative_distance(out, expected) < tolerance<double>);
    args.beta = 2;
    sum_rows(dev, args);
    for (double& value : expected) value *= 3;
    CHECK(relative_distance(out, expected) < tolerance<double>);
  }
}

TEMPLATE_TEST_CASE("sort_ids sorts positions by id, equal ids by position", "[device]", TestDevice,
                   naive::Device) {
  TestType dev;
  std::mt19937 random(1);
  for (std::int64_t size : {0, 1, 2, 500}) {
    std::vector<std::int32_t> ids(static_cast<std::size_t>(size)), order(ids.size(), -1);
    for (auto& id : ids) id = static_cast<std::int32_t>(random() % 20) - 5;
    sort_ids(dev, SortIds<>{.ids = {ids.data(), size}, .order = {order.data(), size}});
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::int32_t> every(ids.size());
    std::iota(every.begin(), every.end(), 0);
    CHECK(sorted == every);
    for (std::size_t i = 1; i < order.size(); ++i) {
      CHECK(std::pair(ids[order[i - 1]], order[i - 1]) < std::pair(ids[order[i]], order[i]));
    }
  }
}
