#pragma once
// Views: pointers with sizes that never own, and carry in their type which memory they point into.

#include <tailor/device/host_device.hpp>  // TAILOR_HOST_DEVICE

#include <concepts>
#include <cstdint>

namespace tailor {

/// Memory spaces. A view into one does not convert to a view into another.
struct Host {};
struct Cuda {};

/// `size` consecutive elements.
template <class T, class Space = Host>
struct VectorView {
  T* data = nullptr;
  std::int64_t size = 0;

  TAILOR_HOST_DEVICE constexpr T& operator[](std::int64_t i) const { return data[i]; }
  // A template, because nvcc 13.0 warns (554-D) where a plain conversion to const could never be
  // called, even if a requires-clause takes it away.
  template <std::same_as<T const> U>
  TAILOR_HOST_DEVICE constexpr operator VectorView<U, Space>() const {
    return {data, size};
  }
};

/// A row-major matrix whose rows are `stride` elements apart. `flipped` marks a transposed view:
/// rows and cols are those of the transposed matrix, data and stride those of the stored one.
template <class T, class Space = Host>
struct MatrixView {
  T* data = nullptr;
  int rows = 0;
  int cols = 0;
  std::int64_t stride = 0;
  bool flipped = false;

  TAILOR_HOST_DEVICE constexpr T& operator()(int i, int j) const {
    return flipped ? data[j * stride + i] : data[i * stride + j];
  }
  /// Row i of a view that is not flipped.
  TAILOR_HOST_DEVICE constexpr T* row(int i) const { return data + i * stride; }
  template <std::same_as<T const> U>
  TAILOR_HOST_DEVICE constexpr operator MatrixView<U, Space>() const {
    return {data, rows, cols, stride, flipped};
  }
};

/// The same elements with rows and columns exchanged; nothing moves.
/// @post transposed(transposed(m)) is m
template <class T, class Space>
TAILOR_HOST_DEVICE constexpr MatrixView<T, Space> transposed(MatrixView<T, Space> m) {
  return {m.data, m.cols, m.rows, m.stride, !m.flipped};
}

/// A contiguous row-major matrix at `data`.
template <class Space = Host, class T>
TAILOR_HOST_DEVICE constexpr MatrixView<T, Space> matrix(T* data, int rows, int cols) {
  return {data, rows, cols, cols, false};
}

/// Rows [first, first + count) of a view that is not flipped.
template <class T, class Space>
TAILOR_HOST_DEVICE constexpr MatrixView<T, Space> rows_of(MatrixView<T, Space> m, int first,
                                                          int count) {
  return {m.data + first * m.stride, count, m.cols, m.stride, false};
}

/// Columns [first, first + count) of a view that is not flipped.
template <class T, class Space>
TAILOR_HOST_DEVICE constexpr MatrixView<T, Space> cols_of(MatrixView<T, Space> m, int first,
                                                          int count) {
  return {m.data + first, m.rows, count, m.stride, false};
}

}  // namespace tailor
