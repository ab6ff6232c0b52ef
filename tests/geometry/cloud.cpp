#include <tailor/geometry/cloud.hpp>  // what is tested

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message

#include <limits>
#include <vector>

using namespace tailor;

TEST_CASE("tokens with norms over 20 medians before or after are massive", "[geometry]") {
  std::vector<float> before{1, 1, 1, 1, 1, 1, 20};
  std::vector<float> after{1, 1, 1, 21, 1, 1, 1};
  Cloud const cloud{"0", HostMatrix(7, 1, before), HostMatrix(7, 1, after)};
  CHECK(massive_tokens(cloud) == std::vector<int>{3});
  before[6] = -20.5f;
  Cloud const two{"0", HostMatrix(7, 1, before), HostMatrix(7, 1, after)};
  CHECK(massive_tokens(two) == std::vector<int>{3, 6});
}

TEST_CASE("a token that is not finite is neither massive nor part of the median", "[geometry]") {
  float const infinity = std::numeric_limits<float>::infinity();
  HostMatrix const x(5, 1, {infinity, infinity, 1, 1, 30});
  CHECK(massive_tokens(x.view()) == std::vector<int>{4});
  CHECK(massive_tokens(HostMatrix(0, 3).view()).empty());
}

TEST_CASE("the median is that of the norms, so that no scale matters", "[geometry]") {
  for (float const scale : {1e-30f, 1.0f, 1e30f}) {
    HostMatrix const x(3, 2, {3 * scale, 4 * scale, 0, 5 * scale, 300 * scale, 0});
    CHECK(massive_tokens(x.view()) == std::vector<int>{2});
  }
}

TEST_CASE("clouds of two shapes are an error that names the layer", "[geometry]") {
  Cloud const cloud{"layers.3", HostMatrix(4, 2), HostMatrix(4, 3)};
  CHECK(contains(thrown_message<std::invalid_argument>([&] { check(cloud); }),
                 "cloud of layer layers.3: before and after of one shape expected, got [4, 2] and "
                 "[4, 3]"));
  check(Cloud{"0", HostMatrix(4, 2), HostMatrix(4, 2)});
  CHECK_THROWS_AS(HostMatrix(2, 2, {1, 2, 3}), std::invalid_argument);
  CHECK_THROWS_AS(HostMatrix(-1, -1), std::invalid_argument);
}
