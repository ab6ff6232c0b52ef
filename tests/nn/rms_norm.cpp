#include <tailor/nn/rms_norm.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

namespace {

struct Options {
  double eps = 1e-5, scale = 1, offset = 0;
};

template <class T>
struct Norm {
  int rows, cols;
  std::vector<T> x, gain, y, dy, dx, dgain, terms;

  Norm(int r, int c)
      : rows(r),
        cols(c),
        x(normal_values<T>(r * c, 1)),
        gain(normal_values<T>(c, 2)),
        y(x.size()),
        dy(normal_values<T>(r * c, 3)),
        dx(x.size()),
        dgain(gain.size()),
        terms(x.size()) {}

  template <class D>
  void forward(D& dev, Options o) {
    rms_norm(dev, RmsNormForward<T>{.x = matrix(x.data(), rows, cols),
                                    .gain = VectorView<T>{gain.data(), cols},
                                    .y = matrix(y.data(), rows, cols),
                                    .eps = T(o.eps),
                                    .scale = T(o.scale),
                                    .offset = T(o.offset)});
  }
  template <class D>
  void backward(D& dev, Options o, T beta = 0, bool in_place = false) {
    rms_norm(dev, RmsNormBackward<T>{.x = matrix(x.data(), rows, cols),
                                     .gain = VectorView<T>{gain.data(), cols},
                                     .dy = matrix(dy.data(), rows, cols),
                                     .dx = matrix(in_place ? dy.data() : dx.data(), rows, cols),
                                     .gain_gradient = VectorView<T>{dgain.data(), cols},
                                     .terms = matrix(terms.data(), rows, cols),
                                     .eps = T(o.eps),
                                     .scale = T(o.scale),
                                     .offset = T(o.offset),
                                     .beta = beta});
  }
};

template <class T>
std::vector<double> reference(Norm<T> const& n, Options o) {
  std::vector<double> y;
  for (int i = 0; i < n.rows; ++i) {
    double squares = 0;
    for (int j = 0; j < n.cols; ++j) squares += std::pow(double(n.x[i * n.cols + j]), 2);
    double const rms = std::sqrt(squares / n.cols + o.eps);
    for (int j = 0; j < n.cols; ++j) {
      y.push_back(o.scale * n.x[i * n.cols + j] / rms * (n.gain[j] + o.offset));
    }
  }
  return y;
}

Options const all_options[] = {
    {}, {.eps = .5}, {.scale = .3}, {.offset = 1}, {.eps = 1e-2, .scale = .7, .offset = 1}};

}  // namespace

TEMPLATE_TEST_CASE("RMSNorm equals its formula for every eps, scale and offset", "[nn]", TestDevice,
                   naive::Device) {
  TestType dev;
  for (int cols : {1, 5, 16, 67}) {
    for (Options const& o : all_options) {
      Norm<double> wide(3, cols);
      wide.forward(dev, o);
      CHECK(relative_distance(wide.y, reference(wide, o)) < tolerance<double>);
      Norm<float> narrow(3, cols);
      narrow.forward(dev, o);
      CHECK(relative_distance(narrow.y, reference(narrow, o)) < tolerance<float>);
    }
  }
}

TEMPLATE_TEST_CASE("the gradient of RMSNorm agrees with central differences", "[nn]", TestDevice,
                   naive::Device) {
  TestType dev;
  for (int cols : {1, 19}) {
    for (Options const& o : all_options) {
      Norm<double> n(3, cols);
      n.backward(dev, o);
      auto const value = [&] {
        n.forward(dev, o);
        return dot(n.y, n.dy);
      };
      CHECK(gradient_error(n.x, n.dx, value) < gradient_tolerance);
      CHECK(gradient_error(n.gain, n.dgain, value) < gradient_tolerance);
    }
  }
}

TEST_CASE("RMSNorm adds beta times the old dx and always adds to the gain's gradient", "[nn]") {
  TestDevice dev;
  Norm<double> once(4, 21), twice(4, 21);
  once.backward(dev, {});
  twice.backward(dev, {});
  twice.backward(dev, {}, 3);
  for (double& value : once.dx) value *= 4;
  for (double& value : once.dgain) value *= 2;
  CHECK(relative_distance(twice.dx, once.dx) < tolerance<double>);
  CHECK(relative_distance(twice.dgain, once.dgain) < tolerance<double>);
}

TEST_CASE("beta == 0 writes dx of RMSNorm without reading it, and dx may be dy", "[nn]") {
  TestDevice dev;
  Norm<float> plain(4, 21), in_place(4, 21);
  std::fill(plain.dx.begin(), plain.dx.end(), NAN);
  plain.backward(dev, {});
  in_place.backward(dev, {}, 0, true);
  CHECK(plain.dx == in_place.dy);
}

TEST_CASE("a row of zeros gives a row of zeros under RMSNorm", "[nn]") {
  TestDevice dev;
  Norm<float> n(2, 17);
  std::fill_n(n.x.begin(), 17, 0.0f);
  n.forward(dev, {});
  CHECK(std::vector<float>(n.y.begin(), n.y.begin() + 17) == std::vector<float>(17, 0.0f));
}

TEST_CASE("RMSNorm names the argument that does not fit", "[nn]") {
  TestDevice dev;
  Norm<float> n(2, 4);
  auto const message = thrown_message<std::invalid_argument>([&] {
    rms_norm(dev, RmsNormForward<float>{.x = matrix(n.x.data(), 2, 4),
                                        .gain = VectorView<float>{n.gain.data(), 4},
                                        .y = matrix(n.y.data(), 2, 3)});
  });
  CHECK(message == "rms_norm: y must be [2, 4], got [2, 3]");
}
