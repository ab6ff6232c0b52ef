#pragma once
// The one product of order n^3 in Gromov-Wasserstein, on a device.

#include <tailor/device/device.hpp>                    // tailor::Device, tailor::BufferOf
#include <tailor/device/gemm.hpp>                      // tailor::Gemm
#include <tailor/device/view.hpp>                      // tailor::matrix, tailor::transposed
#include <tailor/geometry/distance_matrix.hpp>         // tailor::DenseDistances
#include <tailor/geometry/gromov/sparse_coupling.hpp>  // tailor::gromov::SparseCoupling

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tailor::gromov {

/// z = x' y + beta z for x [depth, n], y [depth, m] and z [n, m], row by row in host memory.
struct TransposedProduct {
  std::span<double const> x;
  std::span<double const> y;
  std::span<double> z;
  int depth = 0;
  int n = 0;
  int m = 0;
  double beta = 0;
};

/// Where the memory of the device is the host's, nothing is copied.
template <Device D>
void multiply(D& dev, TransposedProduct const& p) {
  using Space = typename D::Space;
  auto const on_device = [&](double const* x, double const* y, double* z) {
    gemm(dev, Gemm<double, Space>{.a = transposed(matrix<Space>(x, p.depth, p.n)),
                                  .b = matrix<Space>(y, p.depth, p.m),
                                  .c = matrix<Space>(z, p.n, p.m),
                                  .beta = p.beta});
  };
  if constexpr (std::same_as<Space, Host>) {
    on_device(p.x.data(), p.y.data(), p.z.data());
  } else {
    auto x = buffer<double>(dev, std::int64_t(p.x.size()));
    auto y = buffer<double>(dev, std::int64_t(p.y.size()));
    auto z = buffer<double>(dev, std::int64_t(p.z.size()));
    upload(dev, p.x, x.view());
    upload(dev, p.y, y.view());
    if (p.beta != 0) upload(dev, std::span<double const>(p.z), z.view());
    on_device(x.view().data, y.view().data, z.view().data);
    download(dev, VectorView<double const, Space>(z.view()), p.z);
  }
}

/// out = a S b + beta out for symmetric a and a sparse S, whose entries come by rows: a product as
/// deep as S has rows with entries.
template <Device D>
void multiply(D& dev, DenseDistances const& a, SparseCoupling const& s, DenseDistances const& b,
              std::span<double> out, double beta) {
  int const depth = rows_of(s);
  bool const all_rows = depth == a.size();
  std::vector<double> some_rows;
  std::vector<double> y(static_cast<std::size_t>(depth) * b.size(), 0.0);
  double* target = y.data();
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (k > 0 && s[k].i != s[k - 1].i) target += b.size();
    if (!all_rows && (k == 0 || s[k].i != s[k - 1].i)) {
      std::span<double const> const row = a.row(s[k].i);
      some_rows.insert(some_rows.end(), row.begin(), row.end());
    }
    std::span<double const> const row = b.row(s[k].j);
    for (std::size_t j = 0; j < row.size(); ++j) target[j] += s[k].weight * row[j];
  }
  std::span<double const> const whole(a.data(), static_cast<std::size_t>(a.size()) * a.size());
  multiply(dev, TransposedProduct{.x = all_rows ? whole : some_rows,
                                  .y = y,
                                  .z = out,
                                  .depth = depth,
                                  .n = a.size(),
                                  .m = b.size(),
                                  .beta = beta});
}

}  // namespace tailor::gromov
