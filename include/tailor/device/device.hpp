#pragma once
// What a device is: a memory space, buffers in it, and the primitives, each a free function that
// takes the device first and is found by argument-dependent lookup.

#include <tailor/device/gemm.hpp>        // tailor::Gemm
#include <tailor/device/primitives.hpp>  // tailor::SumRows, tailor::SortIds
#include <tailor/device/view.hpp>        // tailor::VectorView

#include <cstdint>
#include <span>

namespace tailor {

/// The least a row kernel can be: `kernel(team, row)` over a Team. A Team is one thread on the CPU
/// and one block of threads on a GPU; it offers
///     team.for_each(cols, f)   f(col) for every column, in any order
///     team.sum(cols, f)        the sum of f(col), in an order that depends on cols alone
///     team.max(cols, f)        the largest f(col); cols >= 1
/// All three end with every thread of the team seeing what the others wrote.
struct RowKernelArchetype {
  template <class Team>
  TAILOR_HOST_DEVICE void operator()(Team const&, std::int64_t) const {}
};

/// A term of a reduction: f(i) for one element.
struct TermArchetype {
  TAILOR_HOST_DEVICE double operator()(std::int64_t) const { return 0; }
};

/// A device: where arithmetic runs. All work is ordered: a primitive sees what earlier ones wrote.
/// - `buffer<T>(dev, size)` gives an owning, movable buffer of zeros with `.view()` and `.size()`
/// - `upload(dev, host span, view)`, `download(dev, view, host span)`: the only two that may wait
/// - `copy(dev, from, to)`, `fill(dev, view, value)`
/// - `gemm(dev, Gemm)` for float and double
/// - `rows(dev, count, kernel)`: kernel(team, row) for every row, rows independent of each other
/// - `elements(dev, count, f)`: f(i) for every i, independent of each other
/// - `sum_rows(dev, SumRows)`, `reduce(dev, count, term, out)`: *out = sum of term(i), in double
/// - `sort_ids(dev, SortIds)`
/// - `parallel(dev, tasks, f)`: f(task) on the device's host threads; f may call primitives of a
///   CPU device, which then run on the calling thread alone
/// Nothing but `buffer` allocates, and nothing but `download` hands a value to the host.
template <class D>
concept Device = requires(D& dev, VectorView<float, typename D::Space> view,
                          VectorView<std::int32_t, typename D::Space> ids,
                          VectorView<double, typename D::Space> out, std::span<float> host,
                          std::span<float const> const_host, std::int64_t count) {
  typename D::template Buffer<float>;
  {buffer<float>(dev, count).view()};
  upload(dev, const_host, view);
  download(dev, VectorView<float const, typename D::Space>(view), host);
  copy(dev, VectorView<float const, typename D::Space>(view), view);
  fill(dev, view, 1.0f);
  gemm(dev, Gemm<float, typename D::Space>{});
  gemm(dev, Gemm<double, typename D::Space>{});
  rows(dev, count, RowKernelArchetype{});
  elements(dev, count, TermArchetype{});
  sum_rows(dev, SumRows<float, typename D::Space>{});
  reduce(dev, count, TermArchetype{}, out);
  sort_ids(dev, SortIds<typename D::Space>{.ids = ids, .order = ids});
  parallel(dev, count, TermArchetype{});
};

/// An owning buffer of a device.
template <class T, Device D>
using BufferOf = typename D::template Buffer<T>;

}  // namespace tailor
