#pragma once
// Arguments of the rotary position embedding.

#include <tailor/device/view.hpp>  // tailor::MatrixView

namespace tailor {

/// Rotates, in place, element i of every head against element i + head_dim / 2 by the angle of its
/// position; `inverse` rotates back, which is also the gradient.
/// Shapes: x [sequences * length, heads * head_dim]; cosines, sines [positions, head_dim / 2], of
/// which rows first_position .. first_position + length - 1 are used.
/// Source: RoFormer (arXiv 2104.09864), in the half-split order that Llama checkpoints use.
template <class T, class Space = Host>
struct Rope {
  MatrixView<T, Space> x;
  MatrixView<T const, Space> cosines, sines;
  int heads = 0;
  int head_dim = 0;
  int length = 0;
  int first_position = 0;
  bool inverse = false;
};

}  // namespace tailor
