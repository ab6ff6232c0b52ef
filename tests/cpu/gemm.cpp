#include <tailor/cpu/gemm.hpp>

#include "support/catch.hpp"
#include "support/cpu_devices.hpp"
#include "support/test_device.hpp"

#include <Eigen/Core>

using namespace tailor;

namespace {

/// A product with operands of `spare` more columns than they use, and its result. Where
/// `a_flipped`, a is a transposed view.
template <class T>
struct Product {
  int m, n, k, batch, spare;
  bool a_flipped, b_flipped;
  std::vector<T> a, b, c;

  Product(int m_, int n_, int k_, bool a_flipped_, bool b_flipped_, int batch_ = 1, int spare_ = 3)
      : m(m_),
        n(n_),
        k(k_),
        batch(batch_),
        spare(spare_),
        a_flipped(a_flipped_),
        b_flipped(b_flipped_) {
    a = normal_values<T>(batch * a_step(), 1);
    b = normal_values<T>(batch * b_step(), 2);
    c = normal_values<T>(batch * c_step(), 3);
  }
  std::int64_t a_step() const {
    return a_flipped ? std::int64_t{k} * (m + spare) : std::int64_t{m} * (k + spare);
  }
  std::int64_t b_step() const {
    return b_flipped ? std::int64_t{n} * (k + spare) : std::int64_t{k} * (n + spare);
  }
  std::int64_t c_step() const { return std::int64_t{m} * (n + spare); }

  MatrixView<T const> a_view() const {
    return a_flipped ? transposed(MatrixView<T const>{a.data(), k, m, m + spare})
                     : MatrixView<T const>{a.data(), m, k, k + spare};
  }
  MatrixView<T const> b_view() const {
    return b_flipped ? transposed(MatrixView<T const>{b.data(), n, k, k + spare})
                     : MatrixView<T const>{b.data(), k, n, n + spare};
  }
  Gemm<T> gemm(T alpha, T beta) {
    return {.a = a_view(),
            .b = b_view(),
            .c = {c.data(), m, n, n + spare},
            .alpha = alpha,
            .beta = beta,
            .batch = batch,
            .a_step = a_step(),
            .b_step = b_step(),
            .c_step = c_step()};
  }
  /// c as it must come out, in plain loops in double; columns that no view shows stay as they are.
  std::vector<double> reference(double alpha, double beta) const {
    std::vector<double> expected(c.begin(), c.end());
    for (int item = 0; item < batch; ++item) {
      auto left = a_view();
      auto right = b_view();
      left.data += item * a_step();
      right.data += item * b_step();
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
          double sum = 0;
          for (int l = 0; l < k; ++l) sum += double(left(i, l)) * right(l, j);
          double& out = expected[std::size_t(item * c_step() + i * (n + spare) + j)];
          out = alpha * sum + (beta == 0 ? 0 : beta * out);
        }
      }
    }
    return expected;
  }
};

struct Shape {
  int m, n, k;
};
Shape const ragged[] = {{1, 1, 1},   {1, 40, 3},   {5, 1, 9},     {13, 31, 7},
                        {14, 32, 8}, {15, 33, 17}, {170, 70, 40}, {30, 530, 390}};

}  // namespace

TEMPLATE_TEST_CASE("gemm equals plain loops for NN, NT, TN and TT on every instruction set",
                   "[cpu]", float, double) {
  using T = TestType;
  auto const set = GENERATE(from_range(instruction_sets()));
  cpu::Device dev{{.threads = 2, .instruction_set = set}};
  INFO(name(set));
  for (auto const [m, n, k] : ragged) {
    for (bool a_flipped : {false, true}) {
      for (bool b_flipped : {false, true}) {
        Product<T> product(m, n, k, a_flipped, b_flipped);
        auto const expected = product.reference(0.5, 2);
        gemm(dev, product.gemm(T(0.5), T(2)));
        INFO(m << " " << n << " " << k << " " << a_flipped << b_flipped);
        CHECK(relative_distance(product.c, expected) < tolerance<T>);
      }
    }
  }
}

TEMPLATE_TEST_CASE("gemm equals Eigen's product", "[cpu]", float, double) {
  using T = TestType;
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  cpu::Device dev{{.threads = 2}};
  Matrix const a = Matrix::Random(301, 777), b = Matrix::Random(777, 203);
  Matrix c(301, 203);
  gemm(dev, Gemm<T>{.a = matrix(a.data(), 301, 777),
                    .b = matrix(b.data(), 777, 203),
                    .c = matrix(c.data(), 301, 203)});
  Matrix const expected = a * b;
  CHECK((c - expected).cwiseAbs().maxCoeff() < tolerance<T> * expected.cwiseAbs().maxCoeff());
}

TEMPLATE_TEST_CASE("a batch of products equals them one by one", "[cpu]", float, double) {
  using T = TestType;
  cpu::Device dev{{.threads = 3}};
  Product<T> product(21, 18, 33, false, true, 7);
  auto const expected = product.reference(1, 1);
  gemm(dev, product.gemm(T(1), T(1)));
  CHECK(relative_distance(product.c, expected) < tolerance<T>);
}

TEST_CASE("one operand may serve a whole batch", "[cpu]") {
  cpu::Device dev;
  Product<double> product(5, 6, 7, false, false, 3);
  auto shared = product.gemm(1, 0);
  shared.b_step = 0;
  gemm(dev, shared);
  for (int item = 1; item < 3; ++item) {
    std::copy_n(product.b.begin(), product.b_step(), product.b.begin() + item * product.b_step());
  }
  CHECK(relative_distance(product.c, product.reference(1, 0)) < tolerance<double>);
}

TEMPLATE_TEST_CASE("beta == 0 writes c without reading it, so c may hold NaN", "[cpu]", float,
                   double) {
  using T = TestType;
  auto const set = GENERATE(from_range(instruction_sets()));
  cpu::Device dev{{.threads = 2, .instruction_set = set}};
  for (auto const [m, n, k] : {Shape{15, 33, 5}, Shape{4, 6, 0}, Shape{90, 40, 800}}) {
    Product<T> product(m, n, k, false, false, 1, 0);
    auto const expected = product.reference(1, 0);
    std::fill(product.c.begin(), product.c.end(), T(NAN));
    gemm(dev, product.gemm(T(1), T(0)));
    CHECK(relative_distance(product.c, expected) < tolerance<T>);
  }
}

TEST_CASE("a product of depth 0 scales c by beta, one without elements does nothing", "[cpu]") {
  cpu::Device dev{{.threads = 2}};
  Product<double> none(9, 4, 0, false, false);
  auto const expected = none.reference(1, 3);
  gemm(dev, none.gemm(1, 3));
  CHECK(relative_distance(none.c, expected) < tolerance<double>);
  for (auto const [m, n, k, batch] :
       {std::array{0, 5, 3, 1}, {5, 0, 3, 1}, {5, 5, 3, 0}, {0, 0, 0, 2}}) {
    Product<double> empty(m, n, k, false, true, batch);
    auto const before = empty.c;
    gemm(dev, empty.gemm(1, 0));
    CHECK(empty.c == before);
  }
}

TEST_CASE("gemm leaves what lies between the rows of c alone", "[cpu]") {
  cpu::Device dev;
  Product<float> product(20, 35, 10, false, false);
  auto const before = product.c;
  gemm(dev, product.gemm(1, 0));
  for (int i = 0; i < 20; ++i) {
    for (int j = 35; j < 38; ++j) {
      CHECK(product.c[std::size_t(i * 38 + j)] == before[std::size_t(i * 38 + j)]);
    }
  }
}

TEMPLATE_TEST_CASE("gemm has the same bits for 1, 2, 3 and 5 threads", "[cpu]", float, double) {
  using T = TestType;
  auto const set = GENERATE(from_range(instruction_sets()));
  for (auto const [m, n, k] : {Shape{300, 700, 500}, Shape{64, 64, 2000}}) {
    std::vector<std::vector<T>> results;
    for (int threads : {1, 2, 3, 5}) {
      cpu::Device dev{{.threads = threads, .instruction_set = set}};
      Product<T> product(m, n, k, true, false, 2);
      gemm(dev, product.gemm(T(1), T(1)));
      results.push_back(product.c);
    }
    for (auto const& result : results) CHECK(result == results[0]);
  }
}
