#pragma once
// Arguments of one feed-forward sub-block, forward and backward.

#include <tailor/device/view.hpp>  // tailor::MatrixView

namespace tailor {

/// What a sub-block applies between its two products; `gate` is absent for the plain ones.
/// swiglu: silu(g) u; geglu: gelu_tanh(g) u; gelu: gelu_tanh(u); relu2: max(0, u)^2.
enum class FfnKind { swiglu, geglu, gelu, relu2 };

/// y = beta y + down act(gate x, up x).
/// Shapes: x, y [tokens, d]; gate, up [width, d] (gate empty for gelu and relu2); down [d, width];
/// hidden [tokens, 2 width] is scratch.
template <class T, class Space = Host>
struct FfnForward {
  FfnKind kind = FfnKind::swiglu;
  MatrixView<T const, Space> x, gate, up, down;
  MatrixView<T, Space> hidden, y;
  T beta = 0;
};

/// dx = gradient + beta dx; the weight gradients are added to. Recomputes the hidden values from x.
/// Shapes: as in FfnForward; hidden and hidden_gradient [tokens, 2 width] are scratch.
template <class T, class Space = Host>
struct FfnBackward {
  FfnKind kind = FfnKind::swiglu;
  MatrixView<T const, Space> x, gate, up, down, dy;
  MatrixView<T, Space> dx, gate_gradient, up_gradient, down_gradient;
  MatrixView<T, Space> hidden, hidden_gradient;
  T beta = 0;
};

}  // namespace tailor
