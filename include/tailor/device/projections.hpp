#pragma once
// Several products of one input, run as one where the matrices and the results lie side by side.

#include <tailor/device/gemm.hpp>  // tailor::Gemm
#include <tailor/device/view.hpp>  // tailor::MatrixView

#include <cstdint>

namespace tailor {

/// values = in weight^T, or in the backward pass the gradient of those values, from which
/// `weight_gradient` is added to. Shapes: weight and weight_gradient [out, in], values [tokens,
/// out].
template <class T, class Space = Host>
struct Projection {
  MatrixView<T const, Space> weight;
  MatrixView<T, Space> values;
  MatrixView<T, Space> weight_gradient{};
};

/// Up to three projections of one input, neighbours joined.
template <class T, class Space = Host>
class Projections {
 public:
  void add(Projection<T, Space> const& next) {
    if (count_ > 0 && follows(list_[count_ - 1], next)) {
      auto& last = list_[count_ - 1];
      last.weight.rows += next.weight.rows;
      last.values.cols += next.values.cols;
      last.weight_gradient.rows += next.weight_gradient.rows;
    } else {
      list_[count_++] = next;
    }
  }
  Projection<T, Space> const* begin() const { return list_; }
  Projection<T, Space> const* end() const { return list_ + count_; }

 private:
  static bool follows(Projection<T, Space> const& a, Projection<T, Space> const& b) {
    auto const below = [](auto upper, auto lower) {
      return lower.data == upper.data + upper.rows * upper.stride && lower.stride == upper.stride;
    };
    return below(a.weight, b.weight) && b.values.data == a.values.data + a.values.cols &&
           b.values.stride == a.values.stride &&
           (a.weight_gradient.data == nullptr || below(a.weight_gradient, b.weight_gradient));
  }

  Projection<T, Space> list_[3]{};
  int count_ = 0;
};

/// The values of all projections of `in`, [tokens, in].
template <class T, class D>
void project(D& dev, MatrixView<T const, typename D::Space> in,
             Projections<T, typename D::Space> const& projections) {
  for (auto const& p : projections) {
    gemm(dev, Gemm<T, typename D::Space>{.a = in, .b = transposed(p.weight), .c = p.values});
  }
}

/// dx = the gradient of the input, summed over the projections, + beta dx.
template <class T, class D>
void input_gradient(D& dev, Projections<T, typename D::Space> const& projections,
                    MatrixView<T, typename D::Space> dx, T beta) {
  for (auto const& p : projections) {
    gemm(dev, Gemm<T, typename D::Space>{.a = p.values, .b = p.weight, .c = dx, .beta = beta});
    beta = 1;
  }
}

/// Adds the weight gradients of all projections of `in`.
template <class T, class D>
void add_weight_gradients(D& dev, MatrixView<T const, typename D::Space> in,
                          Projections<T, typename D::Space> const& projections) {
  using Space = typename D::Space;
  for (auto const& p : projections) {
    gemm(dev, Gemm<T, Space>{.a = transposed(MatrixView<T const, Space>(p.values)),
                             .b = in,
                             .c = p.weight_gradient,
                             .beta = 1});
  }
}

}  // namespace tailor
