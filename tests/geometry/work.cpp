#include <tailor/geometry/work.hpp>  // what is tested

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

namespace {

using namespace tailor;

StatisticName named(char const* text) {
  return parse_statistic(text);
}

}  // namespace

TEST_CASE("identical tokens have work zero and no dimension, in every geometry", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<double> x;
  for (int i = 0; i < 8; ++i) x.insert(x.end(), {1, 2, 3});
  auto const cloud = matrix(x.data(), 8, 3);
  Work const result = work(device, cloud, cloud);
  for (StatisticName const name : all_statistics) {
    CHECK(result.at(name).value == 0);
    CHECK(result.at(name).outcome.status == Status::ok);
    CHECK(result.at(name).outcome.n_used == 8);
  }
  CHECK(result.dimension.outcome.status == Status::undefined);
  CHECK(result.participation_ratio.outcome.status == Status::undefined);
}

TEST_CASE("work of a cloud with itself is zero in all nine statistics", "[geometry]") {
  cpu::Device device{{.threads = 2}};
  auto const x = model_cloud<float>(40, 12, 30, 1);
  auto const cloud = matrix(x.data(), 40, 12);
  Work const result = work(device, cloud, cloud);
  for (StatisticName const name : all_statistics) CHECK(result.at(name).value == 0);
  CHECK(result.dimension.value > 1);
  CHECK(result.participation_ratio.value > 1);
  for (auto const& start : result.starts) CHECK(start == GromovWassersteinStart::identity);
}

TEST_CASE("each of the nine statistics is the one of its metric taken alone", "[geometry]") {
  cpu::Device device{{.threads = 2}};
  auto const x = model_cloud<float>(40, 8, 1, 1);
  auto const y = model_cloud<float>(40, 8, 1, 2);
  auto const before = matrix(x.data(), 40, 8);
  auto const after = matrix(y.data(), 40, 8);
  Hyperbolic const ball{.rho = 0.8, .curvature = 2};
  Work const result = work(device, before, after, {.ball = ball});
  auto const agrees = [&](auto const& metric, Geometry geometry) {
    auto const near = [](double value) { return Approx(value).epsilon(1e-11).margin(0); };
    auto const a = distances(device, before, metric);
    auto const b = distances(device, after, metric);
    auto const bars_a = rips_h1(a).bars;
    auto const bars_b = rips_h1(b).bars;
    CHECK(!bars_a.empty());
    CHECK(result.at({Statistic::shift, geometry}).value ==
          near(shift(device, before, after, metric).mean));
    CHECK(result.at({Statistic::distortion, geometry}).value ==
          near(gromov_wasserstein(device, a, b).distortion));
    CHECK(result.at({Statistic::topological, geometry}).value ==
          near(wasserstein2(std::span<Bar const>(bars_a), std::span<Bar const>(bars_b)).value));
    auto const& bound = result.lower_bounds[std::size_t(geometry)];
    CHECK(bound.value > 0);
    CHECK(bound.value <= result.at({Statistic::distortion, geometry}).value);
  };
  agrees(Euclidean{}, Geometry::raw);
  agrees(Spherical{}, Geometry::spherical);
  agrees(ball, Geometry::hyperbolic);
}

TEST_CASE("the work is the same bits for every number of threads and every limit", "[geometry]") {
  cpu::Device one{{.threads = 1}};
  cpu::Device three{{.threads = 3}};
  auto const x = model_cloud<float>(40, 8, 1, 1);
  auto const y = model_cloud<float>(40, 8, 1, 2);
  auto const before = matrix(x.data(), 40, 8);
  auto const after = matrix(y.data(), 40, 8);
  Work const a = work(one, before, after);
  REQUIRE(work_bytes(40, 8) < concurrent_work_bytes(40, 8));
  for (std::size_t const limit : {work_bytes(40, 8), concurrent_work_bytes(40, 8)}) {
    Work const b = work(three, before, after, {.limit_bytes = limit});
    for (StatisticName const name : all_statistics) CHECK(a.at(name).value == b.at(name).value);
    for (std::size_t g = 0; g < 3; ++g) {
      CHECK(a.lower_bounds[g].value == b.lower_bounds[g].value);
    }
    CHECK(a.starts == b.starts);
  }
}

TEST_CASE("known pairs of clouds have the known work", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  // A unit square, its corners on the circle of radius 1 / sqrt(2), grown to side 3.
  double const r = 1 / std::numbers::sqrt2;
  std::vector<double> const square{r, 0, 0, r, -r, 0, 0, -r};
  std::vector<double> grown;
  for (double const value : square) grown.push_back(3 * value);
  Work const result = work(device, matrix(square.data(), 4, 2), matrix(grown.data(), 4, 2));
  CHECK(result.at(named("shift/raw")).value == Approx(2 * r));
  // gw_sq = (3 - 1)^2 times the mean squared distance, 1.
  CHECK(result.at(named("distortion/raw")).value == Approx(1));
  // One bar (1, sqrt 2) that becomes (3, 3 sqrt 2): both to the diagonal is cheaper than together.
  double const alone = (std::numbers::sqrt2 - 1) / std::numbers::sqrt2;
  CHECK(result.at(named("topological/raw")).value == Approx(alone * std::sqrt(1.0 + 9.0)));
  for (char const* name : {"shift/spherical", "distortion/spherical", "topological/spherical",
                           "shift/hyperbolic", "distortion/hyperbolic", "topological/hyperbolic"}) {
    CHECK(result.at(named(name)).value == Approx(0).margin(1e-15));
  }
}

TEST_CASE("a token undefined in one cloud leaves both for all three statistics of that geometry",
          "[geometry]") {
  cpu::Device device{{.threads = 1}};
  auto x = model_cloud<double>(20, 5, 1, 1);
  auto y = model_cloud<double>(20, 5, 1, 2);
  for (std::size_t j = 0; j < 5; ++j) x[3 * 5 + j] = 0;
  y[7 * 5 + 2] = std::numeric_limits<double>::infinity();
  Work const result = work(device, matrix(x.data(), 20, 5), matrix(y.data(), 20, 5));
  auto const without = [](std::vector<double> const& all, std::vector<int> const& gone) {
    std::vector<double> left;
    for (int i = 0; i < 20; ++i) {
      if (std::find(gone.begin(), gone.end(), i) != gone.end()) continue;
      left.insert(left.end(), all.begin() + 5 * i, all.begin() + 5 * i + 5);
    }
    return left;
  };
  for (StatisticName const name : all_statistics) {
    std::vector<int> const gone =
        name.geometry == Geometry::raw ? std::vector{7} : std::vector{3, 7};
    int const left = 20 - int(gone.size());
    auto const a = without(x, gone);
    auto const b = without(y, gone);
    Work const alone = work(device, matrix(a.data(), left, 5), matrix(b.data(), left, 5));
    CHECK(result.at(name).value == Approx(alone.at(name).value).epsilon(1e-12));
    CHECK(result.at(name).outcome.n_used == left);
    CHECK(result.at(name).outcome.n_undefined == int(gone.size()));
  }
  CHECK(contains(result.at(named("shift/raw")).outcome.reason, "token 7 has a coordinate"));
}

TEST_CASE("a geometry without a defined token is undefined and says why", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<float> const zeros(12, 0.0f);
  auto const cloud = matrix(zeros.data(), 4, 3);
  Work const result = work(device, cloud, cloud);
  for (StatisticName const name : all_statistics) {
    Outcome const& outcome = result.at(name).outcome;
    bool const raw = name.geometry == Geometry::raw;
    CHECK((outcome.status == Status::ok) == raw);
    CHECK(contains(outcome.reason, "zero vector") == !raw);
    CHECK(result.starts[std::size_t(name.geometry)].has_value() == raw);
  }
  Work const none = work(device, matrix(zeros.data(), 0, 3), matrix(zeros.data(), 0, 3));
  for (auto const& value : none.statistics) CHECK(value.outcome.status == Status::undefined);
}

TEST_CASE(
    "clouds of different shapes, a ball that is none and a need over the limit are told first",
    "[geometry]") {
  cpu::Device device{{.threads = 1}};
  std::vector<float> const x(12, 1.0f);
  auto const a = matrix(x.data(), 4, 3);
  CHECK(contains(
      thrown_message<std::invalid_argument>([&] { (void)work(device, a, matrix(x.data(), 3, 4)); }),
      "got [4, 3] and [3, 4]"));
  CHECK(contains(thrown_message<std::invalid_argument>(
                     [&] { (void)work(device, a, a, {.ball = {.rho = 1}}); }),
                 "rho between 0 and 1 expected"));
  CHECK(contains(thrown_message<std::length_error>([&] {
                   (void)work(device, matrix(x.data(), 1 << 15, 3), matrix(x.data(), 1 << 15, 3));
                 }),
                 "32768 tokens in 3 dimensions needs"));
}
