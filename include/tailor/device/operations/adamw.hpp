#pragma once
// Arguments of one AdamW step over a range of the parameter arena.

#include <tailor/device/view.hpp>  // tailor::VectorView

namespace tailor {

/// What changes from step to step; lives on the device, so that a captured step can be replayed.
struct AdamWScalars {
  double learning_rate = 0;
  double first_correction = 1;   ///< 1 / (1 - beta1^step)
  double second_correction = 1;  ///< 1 / (1 - beta2^step)
  double gradient_scale = 1;     ///< clip factor; 0 skips the step (a gradient that is not finite)
};

/// One step of AdamW with decoupled decay: m, v are the running means of gradient and its square.
/// Shapes: all views [size]; scalars [1].
/// Source: Decoupled Weight Decay Regularization (arXiv 1711.05101), algorithm 2.
template <class T, class Space = Host>
struct AdamW {
  VectorView<T, Space> parameters;
  VectorView<T const, Space> gradients;
  VectorView<T, Space> first_moment, second_moment;
  VectorView<AdamWScalars const, Space> scalars;
  double beta1 = 0.9;
  double beta2 = 0.95;
  double eps = 1e-8;
  double weight_decay = 0;
};

}  // namespace tailor
