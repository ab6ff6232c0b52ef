#pragma once
// The matrix product on the CPU: cut c into cache blocks, pack what a block needs, multiply it.

#include <tailor/cpu/device.hpp>                    // tailor::cpu::Device
#include <tailor/cpu/instruction_sets/kernels.hpp>  // tailor::cpu::Block, multiply_block, pack
#include <tailor/device/gemm.hpp>                   // tailor::Gemm

#include <algorithm>
#include <cstdint>

namespace tailor::cpu {

/// The product of packed blocks, and how its operands are packed, for one instruction set.
template <class T>
struct BlockKernel {
  void (*multiply)(Block<T> const&);
  void (*pack_rows)(MatrixView<T const>, T*);
  void (*pack_cols)(MatrixView<T const>, T*);
};

template <class T>
BlockKernel<T> block_kernel(host::InstructionSet set) {
#if defined(__x86_64__)
  if (set == host::InstructionSet::avx512) {
    return {avx512::multiply_block<T>, avx512::pack<T, avx512::tile_rows>,
            avx512::pack<T, avx512::tile_cols<T>>};
  }
  if (set == host::InstructionSet::avx2) {
    return {avx2::multiply_block<T>, avx2::pack<T, avx2::tile_rows>,
            avx2::pack<T, avx2::tile_cols<T>>};
  }
#endif
  (void)set;
  return {baseline::multiply_block<T>, baseline::pack<T, baseline::tile_rows>,
          baseline::pack<T, baseline::tile_cols<T>>};
}

/// Sizes of a cache block of c and of the depth summed at once. `rows` is a multiple of every
/// tile_rows and `cols` of every tile_cols.
struct Blocking {
  int rows, cols;
  static constexpr int depth = 384;

  /// A panel of a and one of b fill about half of a 1 MB second-level cache. Small results are cut
  /// finer where other threads wait for work. Bits do not depend on the cut: `depth` alone decides
  /// in which order the terms of an element are summed.
  static constexpr Blocking of(int rows, int cols, int batch, bool alone) {
    auto const count = [](int size, int block) { return (size + block - 1) / block; };
    Blocking const large{168, 512};
    std::int64_t const blocks =
        std::int64_t(count(rows, large.rows)) * count(cols, large.cols) * batch;
    return alone || blocks >= 8 ? large : Blocking{84, 256};
  }
};
static_assert((168 + 512) * Blocking::depth * sizeof(double) <= Device::scratch_bytes);

/// c = alpha a b + beta c on the CPU. A task is a block of columns with some blocks of rows, which
/// share the packed b.
/// Cost: 2 m n k operations; packing reads a once per 512 columns of c and b once per task.
/// @post the same bits for every number of threads
template <class T>
void gemm(Device& dev, Gemm<T> const& g) {
  check(g);
  if (g.c.rows == 0 || g.c.cols == 0 || g.batch <= 0) return;
  bool const alone = dev.workers().alone();
  Blocking const size = Blocking::of(g.c.rows, g.c.cols, g.batch, alone);
  std::int64_t const blocks_down = (g.c.rows + size.rows - 1) / size.rows;
  std::int64_t const across = (g.c.cols + size.cols - 1) / size.cols;
  std::int64_t const tasks_wanted = alone ? 1 : 4 * dev.threads();
  std::int64_t const blocks_of_task =
      std::clamp<std::int64_t>(blocks_down * across * g.batch / tasks_wanted, 1, blocks_down);
  std::int64_t const down = (blocks_down + blocks_of_task - 1) / blocks_of_task;
  BlockKernel<T> const kernel = block_kernel<T>(dev.instruction_set());

  dev.workers().run(down * across * g.batch, [&](std::int64_t task, int worker) {
    T* const packed_b = reinterpret_cast<T*>(dev.scratch(worker));
    T* const packed_a = packed_b + size.cols * Blocking::depth;  // packed later: see pack()
    std::int64_t const item = task / (down * across);
    int const first_row = int(task / across % down * blocks_of_task) * size.rows;
    int const end_row =
        int(std::min<std::int64_t>(g.c.rows, first_row + blocks_of_task * size.rows));
    int const col = int(task % across) * size.cols;
    int const cols = std::min(size.cols, g.c.cols - col);
    auto part = [](MatrixView<T const> m, int i, int j, int height, int width) {
      m.data += m.flipped ? j * m.stride + i : i * m.stride + j;
      return MatrixView<T const>{m.data, height, width, m.stride, m.flipped};
    };
    MatrixView<T const> a = g.a, b = g.b;
    a.data += item * g.a_step;
    b.data += item * g.b_step;
    // One round even at depth 0: it scales c by beta.
    for (int k = 0; k == 0 || k < a.cols; k += Blocking::depth) {
      int const depth = std::min(Blocking::depth, a.cols - k);
      kernel.pack_cols(transposed(part(b, k, col, depth, cols)), packed_b);
      for (int row = first_row; row < end_row; row += size.rows) {
        int const rows = std::min(size.rows, end_row - row);
        kernel.pack_rows(part(a, row, k, rows, depth), packed_a);
        kernel.multiply({.a = packed_a,
                         .b = packed_b,
                         .c = g.c.data + item * g.c_step + row * g.c.stride + col,
                         .stride = g.c.stride,
                         .depth = depth,
                         .rows = rows,
                         .cols = cols,
                         .alpha = g.alpha,
                         .beta = k == 0 ? g.beta : T(1)});
      }
    }
  });
}

}  // namespace tailor::cpu
