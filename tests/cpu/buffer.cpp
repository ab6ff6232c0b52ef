#include <tailor/cpu/buffer.hpp>

#include "support/catch.hpp"
#include "support/thrown_message.hpp"

#include <algorithm>
#include <cstdint>

using tailor::cpu::Buffer;

TEST_CASE("a buffer holds zeros at an address that every vector width divides", "[cpu]") {
  for (std::int64_t size : {1, 3, 1000}) {
    Buffer<double> buffer(size);
    auto const view = buffer.view();
    CHECK(view.size == size);
    CHECK(reinterpret_cast<std::uintptr_t>(view.data) % 64 == 0);
    CHECK(std::all_of(view.data, view.data + size, [](double x) { return x == 0; }));
  }
}

TEST_CASE("a moved buffer keeps its elements, the one it came from is empty", "[cpu]") {
  Buffer<int> first(5);
  first.view()[3] = 7;
  int const* const data = first.view().data;
  Buffer<int> second(std::move(first));
  CHECK(second.view().data == data);
  CHECK(second.view()[3] == 7);
  CHECK(first.size() == 0);  // NOLINT(bugprone-use-after-move)
  Buffer<int> third(2);
  third = std::move(second);
  CHECK((third.size() == 5 && third.view().data == data && second.size() == 0));
  CHECK((Buffer<int>().size() == 0 && Buffer<int>(0).view().size == 0));
}

TEST_CASE("a buffer refuses a size that cannot be", "[cpu]") {
  CHECK(thrown_message<std::invalid_argument>([] { Buffer<float> x(-1); }) ==
        "Buffer: -1 elements cannot be held");
  CHECK(thrown_message<std::invalid_argument>([] { Buffer<float> x(INT64_MAX); }) ==
        "Buffer: 9223372036854775807 elements cannot be held");
}
