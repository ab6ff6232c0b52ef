#pragma once
// The one way in which an operation refuses arguments that do not fit together.

#include <tailor/device/view.hpp>  // tailor::MatrixView, tailor::VectorView

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailor {

/// Throws std::invalid_argument naming operation and argument unless `m` is [rows, cols] and not
/// transposed.
template <class T, class Space>
void check_shape(char const* operation, char const* argument, MatrixView<T, Space> m,
                 std::int64_t rows, std::int64_t cols) {
  if (m.rows == rows && m.cols == cols && !m.flipped) return;
  throw std::invalid_argument(std::string(operation) + ": " + argument + " must be [" +
                              std::to_string(rows) + ", " + std::to_string(cols) + "], got " +
                              (m.flipped ? "a transposed [" : "[") + std::to_string(m.rows) + ", " +
                              std::to_string(m.cols) + "]");
}

/// The same for a vector of `size` elements.
template <class T, class Space>
void check_shape(char const* operation, char const* argument, VectorView<T, Space> v,
                 std::int64_t size) {
  if (v.size == size) return;
  throw std::invalid_argument(std::string(operation) + ": " + argument + " must have " +
                              std::to_string(size) + " elements, got " + std::to_string(v.size));
}

/// Throws std::invalid_argument unless `rule`, a sentence about the operation's arguments, holds.
inline void check_rule(char const* operation, bool holds, char const* rule) {
  if (!holds) throw std::invalid_argument(std::string(operation) + ": " + rule);
}

}  // namespace tailor
