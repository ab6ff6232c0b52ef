#pragma once
// The CPU device, whole.

#include <tailor/cpu/attention.hpp>   // attention
#include <tailor/cpu/device.hpp>      // tailor::cpu::Device
#include <tailor/cpu/ffn.hpp>         // ffn
#include <tailor/cpu/gemm.hpp>        // gemm
#include <tailor/cpu/primitives.hpp>  // rows, elements, reduce, sum_rows, sort_ids, parallel, memory
#include <tailor/device/device.hpp>   // tailor::Device

static_assert(tailor::Device<tailor::cpu::Device>);
