#include <tailor/device/gemm.hpp>

#include "support/catch.hpp"
#include "support/test_device.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

TEMPLATE_TEST_CASE("gemm refuses shapes that do not fit, and names all three", "[device]",
                   TestDevice, naive::Device) {
  TestType dev;
  std::vector<float> x(100);
  auto const m = [&](int rows, int cols) { return matrix(x.data(), rows, cols); };
  auto const message = [&](Gemm<float> g) {
    return thrown_message<std::invalid_argument>([&] { gemm(dev, g); });
  };
  CHECK(message({.a = m(2, 3), .b = m(4, 5), .c = m(2, 5)}) ==
        "gemm: a [2, 3] times b [4, 5] does not give c [2, 5]");
  CHECK(message({.a = m(2, 3), .b = m(3, 5), .c = m(3, 5)}) ==
        "gemm: a [2, 3] times b [3, 5] does not give c [3, 5]");
  CHECK(message({.a = m(2, 3), .b = m(3, 5), .c = m(2, 4)}) ==
        "gemm: a [2, 3] times b [3, 5] does not give c [2, 4]");
  CHECK(message({.a = m(2, 3), .b = transposed(m(3, 5)), .c = m(2, 5)}) ==
        "gemm: a [2, 3] times b [5, 3] does not give c [2, 5]");
  CHECK(message({.a = m(2, 3), .b = m(3, 5), .c = transposed(m(5, 2))}) ==
        "gemm: a [2, 3] times b [3, 5] does not give a transposed c [2, 5]");
}
