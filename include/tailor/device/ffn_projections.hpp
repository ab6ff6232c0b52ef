#pragma once
// The products of a feed-forward sub-block with its input: gate and up, or up alone.

#include <tailor/device/check_ffn.hpp>    // tailor::is_gated
#include <tailor/device/projections.hpp>  // tailor::Projections

namespace tailor {

/// Gate, where there is one, and up, with their values side by side in `hidden`, [tokens, 2 width].
template <class T, class Space>
Projections<T, Space> ffn_projections(FfnForward<T, Space> const& a, MatrixView<T, Space> hidden) {
  int const width = a.up.rows;
  Projections<T, Space> inputs;
  if (is_gated(a.kind)) inputs.add({.weight = a.gate, .values = cols_of(hidden, 0, width)});
  inputs.add({.weight = a.up, .values = cols_of(hidden, is_gated(a.kind) ? width : 0, width)});
  return inputs;
}

/// The same for the backward pass: `values` are the hidden values or their gradients.
template <class T, class Space>
Projections<T, Space> ffn_projections(FfnBackward<T, Space> const& a, MatrixView<T, Space> values) {
  int const width = a.up.rows;
  Projections<T, Space> inputs;
  if (is_gated(a.kind)) {
    inputs.add({.weight = a.gate,
                .values = cols_of(values, 0, width),
                .weight_gradient = a.gate_gradient});
  }
  inputs.add({.weight = a.up,
              .values = cols_of(values, is_gated(a.kind) ? width : 0, width),
              .weight_gradient = a.up_gradient});
  return inputs;
}

}  // namespace tailor
