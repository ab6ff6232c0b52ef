#include <support/catch.hpp>                   // TEST_CASE, CHECK
#include <support/gromov_cases.hpp>            // euclidean, cloud
#include <support/naive_device.hpp>            // naive::Device
#include <tailor/geometry/gromov/product.hpp>  // the header under test

#include <cstddef>
#include <random>
#include <vector>

using tailor::DenseDistances;
using tailor::gromov::difference;
using tailor::gromov::permutation;
using tailor::gromov::SparseCoupling;

namespace {

std::vector<double> product(DenseDistances const& a, SparseCoupling const& s,
                            DenseDistances const& b, std::vector<double> out = {}) {
  naive::Device dev;
  double const beta = out.empty() ? 0 : 1;
  out.resize(static_cast<std::size_t>(a.size() * b.size()));
  tailor::gromov::multiply(dev, a, s, b, out, beta);
  return out;
}

}  // namespace

TEST_CASE("the product of a sparse coupling is the sum over its entries", "[product]") {
  Random random(1);
  DenseDistances const a = euclidean(cloud(random, 6, 2));
  DenseDistances const b = euclidean(cloud(random, 5, 3));
  SparseCoupling const s{{0, 2, 0.25}, {0, 4, 0.5}, {3, 2, -0.125}, {5, 0, 1}};
  std::vector<double> const result = product(a, s, b);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 5; ++j) {
      double sum = 0;
      for (auto const& entry : s) sum -= a(i, entry.i) * entry.weight * b(entry.j, j);
      CHECK(result[static_cast<std::size_t>(i * 5 + j)] == Approx(sum).epsilon(1e-13));
    }
  }
}

TEST_CASE("the product at a near permutation is the one before and that of the difference",
          "[product]") {
  Random random(2);
  DenseDistances const a = euclidean(cloud(random, 8, 2));
  DenseDistances const b = euclidean(cloud(random, 8, 3));
  SparseCoupling const from = permutation({0, 1, 2, 3, 4, 5, 6, 7});
  SparseCoupling const to = permutation({0, 3, 2, 1, 4, 5, 6, 7});
  SparseCoupling const change = difference(to, from);
  CHECK(tailor::gromov::rows_of(change) == 2);
  CHECK(change.size() == 4);
  CHECK(difference(to, to).empty());
  std::vector<double> const step = product(a, change, b, product(a, from, b));
  std::vector<double> const whole = product(a, to, b);
  for (std::size_t k = 0; k < whole.size(); ++k) CHECK(step[k] == Approx(whole[k]).epsilon(1e-13));
}

TEST_CASE("the product of the identity is that of the two matrices", "[product]") {
  Random random(3);
  DenseDistances const a = euclidean(cloud(random, 7, 2));
  DenseDistances const b = euclidean(cloud(random, 9, 3));
  SparseCoupling const identity = permutation({0, 1, 2, 3, 4, 5, 6});
  CHECK(tailor::gromov::is_identity(identity));
  CHECK_FALSE(tailor::gromov::is_identity(permutation({0, 1, 2, 3, 4, 6, 5})));
  std::vector<double> const result = product(a, identity, b);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 9; ++j) {
      double sum = 0;
      for (int k = 0; k < 7; ++k) sum -= a(i, k) * b(k, j) / 7;
      CHECK(result[static_cast<std::size_t>(i * 9 + j)] == Approx(sum).epsilon(1e-13));
    }
  }
}
