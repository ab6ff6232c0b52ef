#include <tailor/device/check_shape.hpp>

#include "support/catch.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

TEST_CASE("a shape that does not fit is told with operation, argument, expected and got",
          "[device]") {
  float x[12] = {};
  auto const said = [](auto call) { return thrown_message<std::invalid_argument>(call); };
  auto const m = matrix(x, 3, 4);
  CHECK(said([&] { check_shape("op", "x", m, 3, 5); }) == "op: x must be [3, 5], got [3, 4]");
  CHECK(said([&] { check_shape("op", "x", transposed(m), 4, 3); }) ==
        "op: x must be [4, 3], got a transposed [4, 3]");
  CHECK(said([&] {
          check_shape("op", "v", VectorView<float>{x, 12}, 3);
        }) == "op: v must have 3 elements, got 12");
  CHECK(said([&] { check_rule("op", false, "nothing may be odd"); }) == "op: nothing may be odd");
  CHECK_NOTHROW(check_shape("op", "x", m, 3, 4));
  CHECK_NOTHROW(check_shape("op", "v", VectorView<float>{x, 12}, 12));
  CHECK_NOTHROW(check_rule("op", true, ""));
}
