#pragma once
// A second device: every primitive in the plainest form there is. Algorithms that name no backend
// run on it as they do on any other, and nothing of another device can leak into them unseen.

#include <tailor/device/device.hpp>  // tailor::Device, tailor::Gemm, tailor::SumRows, tailor::SortIds

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace naive {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::int64_t size) : elements_(static_cast<std::size_t>(size), T{}) {}
  std::int64_t size() const { return static_cast<std::int64_t>(elements_.size()); }
  tailor::VectorView<T> view() { return {elements_.data(), size()}; }
  tailor::VectorView<T const> view() const { return {elements_.data(), size()}; }

 private:
  std::vector<T> elements_;
};

/// One thread of the host. Counts the matrix products it was asked for.
struct Device {
  using Space = tailor::Host;
  template <class T>
  using Buffer = naive::Buffer<T>;

  int products = 0;
};

struct Team {
  template <class F>
  void for_each(std::int64_t cols, F f) const {
    for (std::int64_t j = 0; j < cols; ++j) f(j);
  }
  template <class F>
  auto sum(std::int64_t cols, F f) const {
    decltype(f(std::int64_t{})) total = 0;
    for (std::int64_t j = 0; j < cols; ++j) total += f(j);
    return total;
  }
  template <class F>
  auto max(std::int64_t cols, F f) const {
    auto largest = f(std::int64_t{0});
    for (std::int64_t j = 1; j < cols; ++j) largest = std::max(largest, f(j));
    return largest;
  }
};

template <class T>
Buffer<T> buffer(Device&, std::int64_t size) {
  return Buffer<T>(size);
}

template <class T>
void upload(Device&, std::span<T const> from, std::type_identity_t<tailor::VectorView<T>> to) {
  std::copy(from.begin(), from.end(), to.data);
}

template <class T>
void download(Device&, tailor::VectorView<T const> from, std::type_identity_t<std::span<T>> to) {
  std::copy_n(from.data, from.size, to.data());
}

template <class T>
void copy(Device&, tailor::VectorView<T const> from,
          std::type_identity_t<tailor::VectorView<T>> to) {
  std::copy_n(from.data, from.size, to.data);
}

template <class T>
void fill(Device&, tailor::VectorView<T> to, std::type_identity_t<T> value) {
  std::fill_n(to.data, to.size, value);
}

template <class T>
void gemm(Device& dev, tailor::Gemm<T> const& g) {
  check(g);
  ++dev.products;
  for (int item = 0; item < g.batch; ++item) {
    auto a = g.a;
    auto b = g.b;
    auto c = g.c;
    a.data += item * g.a_step;
    b.data += item * g.b_step;
    c.data += item * g.c_step;
    for (int i = 0; i < c.rows; ++i) {
      for (int j = 0; j < c.cols; ++j) {
        T sum = 0;
        for (int k = 0; k < a.cols; ++k) sum += a(i, k) * b(k, j);
        c(i, j) = g.alpha * sum + (g.beta == T(0) ? T(0) : g.beta * c(i, j));
      }
    }
  }
}

template <class Kernel>
void rows(Device&, std::int64_t count, Kernel const& kernel) {
  for (std::int64_t row = 0; row < count; ++row) kernel(Team{}, row);
}

template <class F>
void elements(Device&, std::int64_t count, F const& f) {
  for (std::int64_t i = 0; i < count; ++i) f(i);
}

template <class F>
void reduce(Device&, std::int64_t count, F const& term, tailor::VectorView<double> out) {
  out[0] = Team{}.sum(count, [&](std::int64_t i) { return static_cast<double>(term(i)); });
}

template <class T>
void sum_rows(Device&, tailor::SumRows<T> const& args) {
  for (int j = 0; j < args.in.cols; ++j) {
    T sum = args.beta == T(0) ? T(0) : args.beta * args.out[j];
    for (int i = 0; i < args.in.rows; ++i) sum += args.in(i, j);
    args.out[j] = sum;
  }
}

inline void sort_ids(Device&, tailor::SortIds<> const& args) {
  std::span const order(args.order.data, static_cast<std::size_t>(args.order.size));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t x, std::int32_t y) { return args.ids[x] < args.ids[y]; });
}

template <class F>
void parallel(Device&, std::int64_t tasks, F const& f) {
  for (std::int64_t task = 0; task < tasks; ++task) f(task);
}

}  // namespace naive

static_assert(tailor::Device<naive::Device>);
