#include <tailor/cpu.hpp>
#include <tailor/nn/initial_values.hpp>
#include <tailor/nn/model.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <set>

using namespace tailor;

namespace {

using CpuModel = Model<float, cpu::Device>;

Plan plan_with(std::vector<int> widths) {
  return plan_of({.d_model = 12, .layers = 2, .heads = 2, .vocab = 9, .qk_norm = QkNorm::whole},
                 {widths, widths});
}

MatrixView<float const> tensor_of(CpuModel const& model, std::string const& name) {
  auto const& tensor = model.layout.at(name);
  return matrix(model.parameters.view().data + tensor.offset, tensor.rows, tensor.cols);
}

}  // namespace

TEST_CASE("models of one seed and one d_model share embedding, attention and norms bit for bit") {
  cpu::Device dev{{.threads = 2}};
  auto const one = build<float>(dev, plan_with({5}), {.seed = 3});
  auto const other = build<float>(dev, plan_with({16, 0, 4}), {.seed = 3});
  int shared = 0;
  for (auto const& tensor : one.layout.tensors) {
    if (tensor.sub_block >= 0 && tensor.role != Role::gain) continue;
    auto const a = tensor_of(one, tensor.name), b = tensor_of(other, tensor.name);
    REQUIRE(a.rows == b.rows);
    bool equal = true;
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < a.cols; ++j) equal = equal && a(i, j) == b(i, j);
    }
    CHECK(equal);
    ++shared;
  }
  CHECK(shared == 1 + 2 * 8 + 1);
}

TEST_CASE("a narrower FFN is a subset of a wider one") {
  cpu::Device dev{{.threads = 1}};
  auto const narrow = build<float>(dev, plan_with({5}), {.seed = 3});
  auto const wide = build<float>(dev, plan_with({9}), {.seed = 3});
  for (std::string const matrix : {"gate", "up", "down"}) {
    auto const name = "layers.1.ffn.0." + matrix;
    auto const a = tensor_of(narrow, name), b = tensor_of(wide, name);
    bool equal = true;
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < a.cols; ++j) equal = equal && a(i, j) == b(i, j);
    }
    CHECK(equal);
  }
}

TEST_CASE("initial values do not depend on the number of threads") {
  cpu::Device one{{.threads = 1}}, three{{.threads = 3}};
  auto const a = build<float>(one, plan_with({7})), b = build<float>(three, plan_with({7}));
  bool equal = true;
  for (std::int64_t i = 0; i < a.parameters.size(); ++i) {
    equal = equal && a.parameters.view()[i] == b.parameters.view()[i];
  }
  CHECK(equal);
}

TEST_CASE("every tensor, unit and seed has values of its own") {
  cpu::Device dev{{.threads = 1}};
  auto const model = build<float>(dev, plan_with({8, 8}), {.seed = 1});
  auto const reseeded = build<float>(dev, plan_with({8, 8}), {.seed = 2});
  std::set<float> values;
  std::int64_t count = 0;
  for (auto const* one : {&model, &reseeded}) {
    for (auto const& tensor : one->layout.tensors) {
      if (tensor.role == Role::gain) continue;
      auto const view = tensor_of(*one, tensor.name);
      for (int i = 0; i < view.rows; ++i) {
        for (int j = 0; j < view.cols; ++j, ++count) values.insert(view(i, j));
      }
    }
  }
  CHECK(double(values.size()) > 0.999 * double(count));  // floats near zero meet by chance
}

TEST_CASE("matrices are normal with the deviation asked for, gains are one") {
  cpu::Device dev{{.threads = 1}};
  auto plan = uniform_plan({.d_model = 64, .layers = 1, .heads = 2}, 64);
  auto const model = build<double>(dev, plan, {.seed = 5, .deviation = 0.5});
  double sum = 0, square = 0, fourth = 0, count = 0;
  for (auto const& tensor : model.layout.tensors) {
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      double const x = model.parameters.view()[tensor.offset + i];
      if (tensor.role == Role::gain) {
        CHECK(x == 1);
      } else {
        sum += x, square += x * x, fourth += x * x * x * x, ++count;
      }
    }
  }
  double const variance = square / count;
  CHECK(std::abs(sum / count) < 4 * 0.5 / std::sqrt(count));
  CHECK(std::abs(variance / 0.25 - 1) < 4 * std::sqrt(2 / count));
  CHECK(std::abs(fourth / count / (variance * variance) - 3) < 4 * std::sqrt(96 / count));

  plan.unit_offset_gains = true;
  auto const offset = build<double>(dev, plan);
  CHECK(offset.parameters.view()[offset.layout.at("final_norm").offset] == 0);
}

TEST_CASE("the logarithm and the circle agree with the C library") {
  double worst = 0;
  for (int i = 1; i < 2000; ++i) {
    double const u = i < 1000 ? i / 1000.0 : std::ldexp(1.3, -(i - 1000) / 20);
    worst = std::max(worst, std::abs(detail::logarithm(u) - std::log(u)) / (1 - std::log(u)));
    auto const point = detail::point_on_circle(i / 2000.0);
    double const angle = i / 2000.0 * 2 * 3.14159265358979323846;
    worst = std::max(worst, std::abs(point.first - std::cos(angle)));
    worst = std::max(worst, std::abs(point.second - std::sin(angle)));
  }
  CHECK(worst < 1e-14);
  static_assert(detail::logarithm(1) == 0);
}

TEST_CASE("a deviation that is no number is refused") {
  CHECK_THROWS_AS(InitialValues({.deviation = -1}), std::invalid_argument);
  CHECK_THROWS_AS(InitialValues({.deviation = std::nan("")}), std::invalid_argument);
}
