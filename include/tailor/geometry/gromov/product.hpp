#pragma once
// The one product of order n^3 in Gromov-Wasserstein, on a device.

#include <tailor/device/device.hpp>             // tailor::Device, tailor::BufferOf
#include <tailor/device/gemm.hpp>               // tailor::Gemm
#include <tailor/device/view.hpp>               // tailor::matrix, tailor::Host
#include <tailor/geometry/distance_matrix.hpp>  // tailor::DenseDistances

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tailor::gromov {

/// x -> x b for matrices x of `rows` rows, with b held on the device.
template <Device D>
class ProductWith {
 public:
  ProductWith(D& dev, int rows, DenseDistances const& b)
      : dev_(dev),
        rows_(rows),
        cols_(b.size()),
        b_(buffer<double>(dev, std::int64_t{cols_} * cols_)),
        x_(buffer<double>(dev, std::int64_t{rows} * cols_)),
        y_(buffer<double>(dev, std::int64_t{rows} * cols_)) {
    upload(dev_, std::span<double const>(b.data(), static_cast<std::size_t>(b_.size())), b_.view());
  }

  void operator()(std::span<double const> x, std::span<double> y) {
    upload(dev_, x, x_.view());
    using Space = typename D::Space;
    gemm(dev_, Gemm<double, Space>{.a = matrix<Space>(x_.view().data, rows_, cols_),
                                   .b = matrix<Space>(b_.view().data, cols_, cols_),
                                   .c = matrix<Space>(y_.view().data, rows_, cols_)});
    download(dev_, VectorView<double const, Space>(y_.view()), y);
  }

 private:
  D& dev_;
  int rows_;
  int cols_;
  BufferOf<double, D> b_;
  BufferOf<double, D> x_;
  BufferOf<double, D> y_;
};

/// Where the memory of the device is the host's, nothing is copied.
template <Device D>
requires std::same_as<typename D::Space, Host>
class ProductWith<D> {
 public:
  ProductWith(D& dev, int rows, DenseDistances const& b) : dev_(dev), rows_(rows), b_(b) {}

  void operator()(std::span<double const> x, std::span<double> y) {
    int const cols = b_.size();
    gemm(dev_, Gemm<double>{.a = matrix(x.data(), rows_, cols),
                            .b = matrix(b_.data(), cols, cols),
                            .c = matrix(y.data(), rows_, cols)});
  }

 private:
  D& dev_;
  int rows_;
  DenseDistances const& b_;
};

}  // namespace tailor::gromov
