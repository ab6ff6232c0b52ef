#pragma once
// Refuses the arguments of a feed-forward sub-block that do not fit together; shared by every
// device's version of it.

#include <tailor/device/check_shape.hpp>     // tailor::check_shape
#include <tailor/device/operations/ffn.hpp>  // tailor::FfnForward, tailor::FfnBackward

namespace tailor {

/// Whether a sub-block of this kind has a gate.
constexpr bool is_gated(FfnKind kind) {
  return kind == FfnKind::swiglu || kind == FfnKind::geglu;
}

namespace detail {

template <class Args>
void check_ffn_weights(char const* operation, Args const& a) {
  int const width = a.up.rows, d = a.x.cols;
  check_shape(operation, "x", a.x, a.x.rows, d);
  check_shape(operation, "gate", a.gate, is_gated(a.kind) ? width : 0,
              is_gated(a.kind) ? d : a.gate.cols);
  check_shape(operation, "up", a.up, width, d);
  check_shape(operation, "down", a.down, d, width);
  check_shape(operation, "hidden", a.hidden, a.x.rows, 2 * std::int64_t{width});
}

}  // namespace detail

/// Throws std::invalid_argument naming the first argument whose shape is wrong.
template <class T, class Space>
void check(FfnForward<T, Space> const& a) {
  detail::check_ffn_weights("ffn", a);
  check_shape("ffn", "y", a.y, a.x.rows, a.x.cols);
}

template <class T, class Space>
void check(FfnBackward<T, Space> const& a) {
  char const* const operation = "ffn backward";
  int const width = a.up.rows, d = a.x.cols;
  detail::check_ffn_weights(operation, a);
  check_shape(operation, "dy", a.dy, a.x.rows, d);
  check_shape(operation, "dx", a.dx, a.x.rows, d);
  check_shape(operation, "gate_gradient", a.gate_gradient, a.gate.rows, a.gate.cols);
  check_shape(operation, "up_gradient", a.up_gradient, width, d);
  check_shape(operation, "down_gradient", a.down_gradient, d, width);
  check_shape(operation, "hidden_gradient", a.hidden_gradient, a.x.rows, 2 * std::int64_t{width});
}

}  // namespace tailor
