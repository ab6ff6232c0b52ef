#pragma once
// The cross-entropy of a block of logits on any device.

#include <tailor/device/check_shape.hpp>                // tailor::check_shape
#include <tailor/device/device.hpp>                     // tailor::Device
#include <tailor/device/operations/cross_entropy.hpp>   // tailor::CrossEntropy
#include <tailor/device/row_kernels/cross_entropy.hpp>  // tailor::CrossEntropyRow

namespace tailor {

/// losses[i] = -log softmax(capped logits of row i)[target i] in nats; where `with_gradient`, the
/// logits are overwritten by scale times the gradient of that loss.
/// Domain: targets in [0, vocab), checked where data enters and not here; at least one column.
/// Throws std::invalid_argument where shapes do not fit.
/// @post   logits that are all equal cost ln(vocab)
/// @post   a row's gradient sums to zero without a soft cap
template <class T, Device D>
void cross_entropy(D& dev, CrossEntropy<T, typename D::Space> const& a) {
  check_shape("cross_entropy", "logits", a.logits, a.logits.rows, a.logits.cols);
  check_shape("cross_entropy", "targets", a.targets, a.logits.rows);
  check_shape("cross_entropy", "losses", a.losses, a.logits.rows);
  check_rule("cross_entropy", a.logits.rows == 0 || a.logits.cols > 0, "logits have no columns");
  rows(dev, a.logits.rows, CrossEntropyRow<T, typename D::Space>{a});
}

}  // namespace tailor
