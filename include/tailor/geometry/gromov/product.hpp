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
#include <memory>
#include <span>
#include <vector>

namespace tailor::gromov {

/// z = alpha x' y + beta z for x [depth, n], y [depth, m] and z [n, m], row by row in host memory.
struct TransposedProduct {
  std::span<double const> x;
  std::span<double const> y;
  std::span<double> z;
  int depth = 0;
  int n = 0;
  int m = 0;
  double alpha = 1;
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
                                  .alpha = p.alpha,
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

/// Whether every point keeps the same mass as every other, all of it.
inline bool is_identity(SparseCoupling const& s) {
  for (std::size_t k = 0; k < s.size(); ++k) {
    int const i = static_cast<int>(k);
    if (s[k].i != i || s[k].j != i || s[k].weight != s[0].weight) return false;
  }
  return !s.empty();
}

/// out = beta out - a S b for symmetric a and a sparse S, whose entries come by rows: a product as
/// deep as S has rows with entries. Nothing but a and b is read where S is the identity.
template <Device D>
void multiply(D& dev, DenseDistances const& a, SparseCoupling const& s, DenseDistances const& b,
              std::span<double> out, double beta) {
  auto const whole = [](DenseDistances const& d) {
    return std::span(d.data(), static_cast<std::size_t>(d.size()) * d.size());
  };
  int const depth = rows_of(s);
  bool const all_rows = depth == a.size();
  TransposedProduct product{.x = whole(a),
                            .y = whole(b),
                            .z = out,
                            .depth = depth,
                            .n = a.size(),
                            .m = b.size(),
                            .alpha = -1,
                            .beta = beta};
  if (all_rows && is_identity(s)) {
    product.alpha = -s.front().weight;
    return multiply(dev, product);
  }
  std::vector<double> some_rows;
  std::size_t const y_size = static_cast<std::size_t>(depth) * b.size();
  auto const y = std::make_unique_for_overwrite<double[]>(y_size);
  double* target = y.get();
  for (std::size_t k = 0; k < s.size(); ++k) {
    std::span<double const> const row = b.row(s[k].j);
    bool const new_row = k == 0 || s[k].i != s[k - 1].i;
    if (new_row && k > 0) target += b.size();
    for (std::size_t j = 0; j < row.size(); ++j) {
      target[j] = (new_row ? 0 : target[j]) + s[k].weight * row[j];
    }
    if (!new_row || all_rows) continue;
    std::span<double const> const row_of_a = a.row(s[k].i);
    some_rows.insert(some_rows.end(), row_of_a.begin(), row_of_a.end());
  }
  if (!all_rows) product.x = some_rows;
  product.y = {y.get(), y_size};
  multiply(dev, product);
}

}  // namespace tailor::gromov
