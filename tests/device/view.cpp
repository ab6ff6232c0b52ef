#include <tailor/device/view.hpp>

#include "support/catch.hpp"

#include <numeric>
#include <type_traits>
#include <vector>

using namespace tailor;

// A view into one memory space is no view into another, and no constant view becomes a mutable one.
static_assert(!std::is_convertible_v<VectorView<float, Host>, VectorView<float, Cuda>>);
static_assert(!std::is_convertible_v<MatrixView<float, Cuda>, MatrixView<float, Host>>);
static_assert(std::is_convertible_v<MatrixView<float>, MatrixView<float const>>);
static_assert(!std::is_convertible_v<MatrixView<float const>, MatrixView<float>>);
static_assert(!std::is_convertible_v<VectorView<float const>, VectorView<float>>);

TEST_CASE("transposed(transposed(m)) is m", "[device]") {
  std::vector<int> values(12);
  std::iota(values.begin(), values.end(), 0);
  auto const m = matrix(values.data(), 3, 4);
  auto const t = transposed(m);
  auto const back = transposed(t);
  CHECK((t.rows == 4 && t.cols == 3));
  CHECK((back.rows == 3 && back.cols == 4 && !back.flipped));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      CHECK(m(i, j) == 4 * i + j);
      CHECK(t(j, i) == m(i, j));
      CHECK(&back(i, j) == &m(i, j));
    }
  }
}

TEST_CASE("rows_of and cols_of are windows into the same elements", "[device]") {
  std::vector<int> values(20);
  std::iota(values.begin(), values.end(), 0);
  auto const m = matrix(values.data(), 4, 5);
  auto const window = cols_of(rows_of(m, 1, 2), 3, 2);
  CHECK((window.rows == 2 && window.cols == 2 && window.stride == 5));
  for (int i = 0; i < 2; ++i) {
    CHECK(window.row(i) == &m(1 + i, 3));
    for (int j = 0; j < 2; ++j) CHECK(&window(i, j) == &m(1 + i, 3 + j));
  }
}
