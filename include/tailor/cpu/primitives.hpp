#pragma once
// The primitives of the CPU device beside the matrix product.

#include <tailor/cpu/device.hpp>                    // tailor::cpu::Device
#include <tailor/cpu/instruction_sets/kernels.hpp>  // run_rows, run_elements, run_sum
#include <tailor/device/primitives.hpp>             // tailor::SumRows, tailor::SortIds

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>

namespace tailor::cpu {

/// A team of one thread: loops that the compiler vectorises. Sums run in 16 lanes on every
/// instruction set, so their order does not depend on it.
struct Team {
  template <class F>
  void for_each(std::int64_t cols, F f) const {
#if !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::int64_t j = 0; j < cols; ++j) f(j);
  }

  template <class F>
  auto sum(std::int64_t cols, F f) const {
    using T = decltype(f(std::int64_t{}));
    return fold<T>(cols, f, T(0), [](T a, T b) { return a + b; });
  }

  template <class F>
  auto max(std::int64_t cols, F f) const {
    using T = decltype(f(std::int64_t{}));
    return fold<T>(cols, f, f(std::int64_t{0}), [](T a, T b) { return a < b ? b : a; });
  }

 private:
  template <class T, class F, class Combine>
  static T fold(std::int64_t cols, F f, T start, Combine combine) {
    T lanes[16];
    for (T& lane : lanes) lane = start;
    std::int64_t j = 0;
    for (; j + 16 <= cols; j += 16) {
      for (int k = 0; k < 16; ++k) lanes[k] = combine(lanes[k], f(j + k));
    }
    for (int k = 0; j < cols; ++j, ++k) lanes[k] = combine(lanes[k], f(j));
    for (int width = 8; width > 0; width /= 2) {
      for (int k = 0; k < width; ++k) lanes[k] = combine(lanes[k], lanes[k + width]);
    }
    return lanes[0];
  }
};

/// Calls `f(first, last)` on pieces of [0, count), one or a few per thread.
template <class F>
void in_pieces(Device& dev, std::int64_t count, F const& f) {
  std::int64_t const pieces = std::min<std::int64_t>(count, 4 * dev.threads());
  dev.workers().run(pieces, [&](std::int64_t piece, int) {
    f(piece * count / pieces, (piece + 1) * count / pieces);
  });
}

/// kernel(team, row) for every row in [0, count).
template <class Kernel>
void rows(Device& dev, std::int64_t count, Kernel const& kernel) {
  in_pieces(dev, count, [&](std::int64_t first, std::int64_t last) {
#if defined(__x86_64__)
    if (dev.instruction_set() == host::InstructionSet::avx512) {
      return avx512::run_rows(kernel, Team{}, first, last);
    }
    if (dev.instruction_set() == host::InstructionSet::avx2) {
      return avx2::run_rows(kernel, Team{}, first, last);
    }
#endif
    baseline::run_rows(kernel, Team{}, first, last);
  });
}

/// f(i) for every i in [0, count).
template <class F>
void elements(Device& dev, std::int64_t count, F const& f) {
  in_pieces(dev, count, [&](std::int64_t first, std::int64_t last) {
#if defined(__x86_64__)
    if (dev.instruction_set() == host::InstructionSet::avx512) {
      return avx512::run_elements(f, first, last);
    }
    if (dev.instruction_set() == host::InstructionSet::avx2)
      return avx2::run_elements(f, first, last);
#endif
    baseline::run_elements(f, first, last);
  });
}

/// *out = the sum of term(i) over [0, count), in double.
/// @post the same bits for every number of threads
template <class F>
void reduce(Device& dev, std::int64_t count, F const& term, VectorView<double> out) {
  constexpr int parts = 64;
  double sums[parts];
  dev.workers().run(parts, [&](std::int64_t part, int) {
    std::int64_t const first = part * count / parts, last = (part + 1) * count / parts;
#if defined(__x86_64__)
    if (dev.instruction_set() == host::InstructionSet::avx512) {
      sums[part] = avx512::run_sum(term, first, last);
      return;
    }
    if (dev.instruction_set() == host::InstructionSet::avx2) {
      sums[part] = avx2::run_sum(term, first, last);
      return;
    }
#endif
    sums[part] = baseline::run_sum(term, first, last);
  });
  out[0] = std::accumulate(sums, sums + parts, 0.0);
}

/// Row kernel of sum_rows: one panel of columns, all rows of it.
template <class T>
struct SumPanel {
  SumRows<T> args;
  static constexpr int width = 64;

  template <class TeamType>
  void operator()(TeamType const& team, std::int64_t panel) const {
    std::int64_t const first = panel * width;
    std::int64_t const cols = std::min<std::int64_t>(width, args.in.cols - first);
    T* const out = args.out.data + first;
    T const beta = args.beta;
    team.for_each(cols, [=](std::int64_t j) { out[j] = beta == T(0) ? T(0) : beta * out[j]; });
    for (int row = 0; row < args.in.rows; ++row) {
      T const* const in = args.in.row(row) + first;
      team.for_each(cols, [=](std::int64_t j) { out[j] += in[j]; });
    }
  }
};

/// out = column sums of `in` + beta out.
/// @post the same bits for every number of threads
template <class T>
void sum_rows(Device& dev, SumRows<T> const& args) {
  if (args.in.flipped || args.out.size != args.in.cols) {
    throw std::invalid_argument("sum_rows: out must have one element per column of in");
  }
  rows(dev, (args.in.cols + SumPanel<T>::width - 1) / SumPanel<T>::width, SumPanel<T>{args});
}

/// order = positions sorted by id, equal ids by position.
/// Cost:   O(n log n), in place.
inline void sort_ids(Device&, SortIds<> const& args) {
  std::span const order(args.order.data, std::size_t(args.order.size));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [ids = args.ids](std::int32_t a, std::int32_t b) {
    return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
  });
}

/// f(task) for every task in [0, tasks), on the device's threads.
template <class F>
void parallel(Device& dev, std::int64_t tasks, F const& f) {
  dev.workers().run(tasks, [&](std::int64_t task, int) { f(task); });
}

/// A buffer of `size` zeros.
template <class T>
Buffer<T> buffer(Device&, std::int64_t size) {
  return Buffer<T>(size);
}

inline void check_equal_sizes(char const* what, std::int64_t from, std::int64_t to) {
  if (from != to) {
    throw std::invalid_argument(std::string(what) + ": " + std::to_string(from) +
                                " elements do not fit a view of " + std::to_string(to));
  }
}

template <class T>
void copy(Device&, VectorView<T const> from, std::type_identity_t<VectorView<T>> to) {
  check_equal_sizes("copy", from.size, to.size);
  std::copy_n(from.data, from.size, to.data);
}

template <class T>
void fill(Device&, VectorView<T> to, std::type_identity_t<T> value) {
  std::fill_n(to.data, to.size, value);
}

template <class T>
void upload(Device&, std::span<T const> from, std::type_identity_t<VectorView<T>> to) {
  check_equal_sizes("upload", std::int64_t(from.size()), to.size);
  std::copy(from.begin(), from.end(), to.data);
}

template <class T>
void download(Device&, VectorView<T const> from, std::type_identity_t<std::span<T>> to) {
  check_equal_sizes("download", from.size, std::int64_t(to.size()));
  std::copy_n(from.data, from.size, to.data());
}

}  // namespace tailor::cpu
