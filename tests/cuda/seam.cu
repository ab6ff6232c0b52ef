// Keeps the seam open for a second device: every argument struct of device/ is passed to a kernel
// by value, and every row kernel runs in a trivial one, a block per row with CUB's reductions.

#include <device_headers.hpp>
#include <tailor/train/step_scalars.hpp>

#include <cub/block/block_reduce.cuh>

#include <cstdint>

namespace {

constexpr int threads = 256;

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Max {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

/// Room for a reduction in the largest scalar, and for its result.
struct Storage {
  alignas(16) unsigned char bytes[sizeof(cub::BlockReduce<double, threads>::TempStorage)];
  double result;
};

/// A team that is a block of threads.
struct BlockTeam {
  Storage* storage;

  template <class F>
  __device__ void for_each(std::int64_t cols, F f) const {
    for (std::int64_t j = threadIdx.x; j < cols; j += threads) f(j);
    __syncthreads();
  }

  template <class F>
  __device__ auto sum(std::int64_t cols, F f) const {
    using T = decltype(f(std::int64_t{}));
    T mine = 0;
    for (std::int64_t j = threadIdx.x; j < cols; j += threads) mine += f(j);
    return all(mine, Sum{});
  }

  template <class F>
  __device__ auto max(std::int64_t cols, F f) const {
    auto mine = f(std::int64_t{0});
    for (std::int64_t j = threadIdx.x; j < cols; j += threads) mine = Max{}(mine, f(j));
    return all(mine, Max{});
  }

 private:
  template <class T, class Combine>
  __device__ T all(T mine, Combine combine) const {
    using Reduce = cub::BlockReduce<T, threads>;
    using TempStorage = typename Reduce::TempStorage;
    static_assert(sizeof(TempStorage) <= sizeof(Storage::bytes));
    T const total = Reduce(*reinterpret_cast<TempStorage*>(storage->bytes)).Reduce(mine, combine);
    if (threadIdx.x == 0) storage->result = total;
    __syncthreads();
    T const result = static_cast<T>(storage->result);
    __syncthreads();
    return result;
  }
};

template <class Kernel>
__global__ void block_per_row(Kernel kernel) {
  __shared__ Storage storage;
  kernel(BlockTeam{&storage}, std::int64_t{blockIdx.x});
}

template <class F>
__global__ void thread_per_element(F f) {
  f(std::int64_t{blockIdx.x} * threads + threadIdx.x);
}

template <class Args>
__global__ void receive(Args) {}

template <class Kernel>
void run(Kernel kernel, int rows) {
  block_per_row<<<rows, threads>>>(kernel);
}

template <class F>
void run_elements(F f) {
  thread_per_element<<<1, threads>>>(f);
}

template <class... Args>
void pass(Args... args) {
  (receive<<<1, 1>>>(args), ...);
}

}  // namespace

template <class T>
void arguments_reach_a_kernel() {
  using namespace tailor;
  pass(Gemm<T, Cuda>{}, SumRows<T, Cuda>{}, SortIds<Cuda>{}, AttentionSizes<T>{}, KeyRange{},
       FfnForward<T, Cuda>{}, FfnBackward<T, Cuda>{}, AttentionForward<T, Cuda>{},
       AttentionBackward<T, Cuda>{}, RmsNormForward<T, Cuda>{}, RmsNormBackward<T, Cuda>{},
       CrossEntropy<T, Cuda>{}, AdamW<T, Cuda>{}, AdamWScalars{}, Rope<T, Cuda>{},
       EmbeddingForward<T, Cuda>{}, EmbeddingBackward<T, Cuda>{});
}

template <class T>
void row_kernels_run() {
  using namespace tailor;
  run(RmsNormForwardRow<T, Cuda>{}, 1);
  run(RmsNormBackwardRow<T, Cuda>{}, 1);
  run(RopeRow<T, Cuda>{}, 1);
  run(EmbeddingForwardRow<T, Cuda>{}, 1);
  run(EmbeddingBackwardRun<T, Cuda>{}, 1);
  run(CrossEntropyRow<T, Cuda>{}, 1);
  run(AttentionSoftmaxRow<T, Cuda>{}, 1);
  run(AttentionSoftmaxGradientRow<T, Cuda>{}, 1);
  run(ZeroRow<T, Cuda>{}, 1);
  run(AddRow<T, Cuda>{}, 1);
  run(CopyRow<T, Cuda>{}, 1);
  run(SoftCapRow<T, Cuda>{}, 1);
  run(AdamWRow<T, Cuda>{}, 1);
  run(WindowLoss<T>{}, 1);
  run(GatedForwardRow<Silu, T, Cuda>{}, 1);
  run(GatedBackwardRow<GeluTanh, T, Cuda>{}, 1);
  run(PlainForwardRow<SquaredRelu, T, Cuda>{}, 1);
  run(PlainBackwardRow<GeluTanh, T, Cuda>{}, 1);
}

void elements_run() {
  run_elements(tailor::PrepareUpdate{});
  run_elements(tailor::SquaredTerm<float>{});
  run_elements(tailor::PlainTerm<float>{});
}

template void arguments_reach_a_kernel<float>();
template void arguments_reach_a_kernel<double>();
template void row_kernels_run<float>();
template void row_kernels_run<double>();
