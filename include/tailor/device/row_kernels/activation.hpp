#pragma once
// The activations of a feed-forward sub-block, row by row and in place, forward and backward.

#include <tailor/device/exponential.hpp>     // tailor::sigmoid, tailor::hyperbolic_tangent
#include <tailor/device/operations/ffn.hpp>  // tailor::FfnKind
#include <tailor/device/view.hpp>            // tailor::MatrixView

#include <cstdint>

namespace tailor {

/// A curve at one point.
template <class T>
struct ValueAndSlope {
  T value, slope;
};

/// silu(x) = x sigmoid(x).
struct Silu {
  template <class T>
  TAILOR_HOST_DEVICE static ValueAndSlope<T> at(T x) {
    T const s = sigmoid(x);
    return {x * s, s * (T(1) + x * (T(1) - s))};
  }
};

/// gelu_tanh(x) = x/2 (1 + tanh(c (x + b x^3))) with c = sqrt(2/pi), b = 0.044715.
/// Source: Gaussian Error Linear Units (arXiv 1606.08415), the tanh form.
struct GeluTanh {
  template <class T>
  TAILOR_HOST_DEVICE static ValueAndSlope<T> at(T x) {
    T const c = T(0.79788456080286535588), b = T(0.044715);
    T const t = hyperbolic_tangent(c * (x + b * x * x * x));
    return {T(0.5) * x * (T(1) + t),
            T(0.5) * (T(1) + t) + T(0.5) * x * (T(1) - t * t) * c * (T(1) + T(3) * b * x * x)};
  }
};

/// max(0, x)^2.
struct SquaredRelu {
  template <class T>
  TAILOR_HOST_DEVICE static ValueAndSlope<T> at(T x) {
    T const positive = x > T(0) ? x : T(0);
    return {positive * positive, T(2) * positive};
  }
};

/// h = curve(g) u: gate g in columns [0, width), u in [width, 2 width), h over g.
template <class Curve, class T, class Space = Host>
struct GatedForwardRow {
  MatrixView<T, Space> hidden;
  int width;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T* const g = hidden.row(int(row));
    T const* const u = g + width;
    team.for_each(width, [=](std::int64_t j) { g[j] = Curve::at(g[j]).value * u[j]; });
  }
};

/// h = curve(u) in place.
template <class Curve, class T, class Space = Host>
struct PlainForwardRow {
  MatrixView<T, Space> hidden;
  int width;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T* const u = hidden.row(int(row));
    team.for_each(width, [=](std::int64_t j) { u[j] = Curve::at(u[j]).value; });
  }
};

/// hidden holds (g, u) and becomes (h, u); hidden_gradient holds dh and becomes (dg, du).
template <class Curve, class T, class Space = Host>
struct GatedBackwardRow {
  MatrixView<T, Space> hidden, hidden_gradient;
  int width;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T* const g = hidden.row(int(row));
    T const* const u = g + width;
    T* const dg = hidden_gradient.row(int(row));
    T* const du = dg + width;
    team.for_each(width, [=](std::int64_t j) {
      auto const curve = Curve::at(g[j]);
      T const dh = dg[j];
      g[j] = curve.value * u[j];
      dg[j] = dh * u[j] * curve.slope;
      du[j] = dh * curve.value;
    });
  }
};

/// hidden holds u and becomes h; hidden_gradient holds dh and becomes du.
template <class Curve, class T, class Space = Host>
struct PlainBackwardRow {
  MatrixView<T, Space> hidden, hidden_gradient;
  int width;

  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const& team, std::int64_t row) const {
    T* const u = hidden.row(int(row));
    T* const du = hidden_gradient.row(int(row));
    team.for_each(width, [=](std::int64_t j) {
      auto const curve = Curve::at(u[j]);
      u[j] = curve.value;
      du[j] *= curve.slope;
    });
  }
};

/// Runs the forward activation of `kind` over all rows of `hidden`, [tokens, 2 width].
template <class D, class T>
void activate(D& dev, FfnKind kind, MatrixView<T, typename D::Space> hidden, int width) {
  using Space = typename D::Space;
  switch (kind) {
    case FfnKind::swiglu:
      return rows(dev, hidden.rows, GatedForwardRow<Silu, T, Space>{hidden, width});
    case FfnKind::geglu:
      return rows(dev, hidden.rows, GatedForwardRow<GeluTanh, T, Space>{hidden, width});
    case FfnKind::gelu:
      return rows(dev, hidden.rows, PlainForwardRow<GeluTanh, T, Space>{hidden, width});
    case FfnKind::relu2:
      return rows(dev, hidden.rows, PlainForwardRow<SquaredRelu, T, Space>{hidden, width});
  }
}

/// Runs the backward activation of `kind`: hidden becomes h, hidden_gradient the gradients of the
/// products that went into it.
template <class D, class T>
void activate_backward(D& dev, FfnKind kind, MatrixView<T, typename D::Space> hidden,
                       MatrixView<T, typename D::Space> gradient, int width) {
  using Space = typename D::Space;
  switch (kind) {
    case FfnKind::swiglu:
      return rows(dev, hidden.rows, GatedBackwardRow<Silu, T, Space>{hidden, gradient, width});
    case FfnKind::geglu:
      return rows(dev, hidden.rows, GatedBackwardRow<GeluTanh, T, Space>{hidden, gradient, width});
    case FfnKind::gelu:
      return rows(dev, hidden.rows, PlainBackwardRow<GeluTanh, T, Space>{hidden, gradient, width});
    case FfnKind::relu2:
      return rows(dev, hidden.rows,
                  PlainBackwardRow<SquaredRelu, T, Space>{hidden, gradient, width});
  }
}

}  // namespace tailor
