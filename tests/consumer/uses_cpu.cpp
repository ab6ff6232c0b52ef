#include <tailor/cpu.hpp>

int main() {
  tailor::cpu::Device device{{.threads = 2}};
  float const a[4] = {1, 2, 3, 4};
  float c[4] = {};
  gemm(device, tailor::Gemm<float>{.a = tailor::matrix(a, 2, 2),
                                   .b = tailor::transposed(tailor::matrix(a, 2, 2)),
                                   .c = tailor::matrix(c, 2, 2)});
  return c[0] == 5 && c[1] == 11 && c[3] == 25 ? 0 : 1;
}
