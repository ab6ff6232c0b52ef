#pragma once
// The one macro that lets a function run on the host and in a CUDA kernel.

#ifdef __CUDACC__
#define TAILOR_HOST_DEVICE __host__ __device__
#else
#define TAILOR_HOST_DEVICE
#endif
