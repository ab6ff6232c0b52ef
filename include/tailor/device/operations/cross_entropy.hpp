#pragma once
// Arguments of the cross-entropy of a block of logits.

#include <tailor/device/view.hpp>  // tailor::MatrixView, tailor::VectorView

#include <cstdint>

namespace tailor {

/// losses[i] = -log softmax(capped logits of row i)[target i], in nats; where `with_gradient`, the
/// logits are overwritten by scale times the gradient of that loss. A soft cap of 0 is off.
/// Shapes: logits [tokens, vocab]; targets, losses [tokens].
template <class T, class Space = Host>
struct CrossEntropy {
  MatrixView<T, Space> logits;
  VectorView<std::int32_t const, Space> targets;
  VectorView<T, Space> losses;
  T scale = 1;
  T soft_cap = 0;
  bool with_gradient = true;
};

}  // namespace tailor
