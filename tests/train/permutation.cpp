#include <tailor/train/permutation.hpp>

#include <support/catch.hpp>

#include <vector>

using tailor::Permutation;

namespace {

std::vector<std::int64_t> order_of(std::int64_t size, std::uint64_t seed, std::uint64_t epoch) {
  Permutation const permutation(size, seed, epoch);
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < size; ++i) order.push_back(permutation(i));
  return order;
}

}  // namespace

TEST_CASE("every value below size comes out exactly once", "[train]") {
  for (std::int64_t size = 1; size <= 300; ++size) {
    auto order = order_of(size, 7, 3);
    std::sort(order.begin(), order.end());
    for (std::int64_t i = 0; i < size; ++i) REQUIRE(order[std::size_t(i)] == i);
  }
}

TEST_CASE("a permutation depends on seed and epoch, both halves of each", "[train]") {
  auto const order = order_of(1000, 1, 0);
  CHECK(order == order_of(1000, 1, 0));
  CHECK(order != order_of(1000, 2, 0));
  CHECK(order != order_of(1000, 1 + (1ull << 32), 0));
  CHECK(order != order_of(1000, 1, 1));
  CHECK(order != order_of(1000, 1, 1ull << 32));
}

TEST_CASE("every value comes as often at every place", "[train]") {
  // 4000 epochs of 8 values: a count is binomial with mean 500 and deviation 21.
  std::vector<int> counts(64);
  for (std::uint64_t epoch = 0; epoch < 4000; ++epoch) {
    auto const order = order_of(8, 5, epoch);
    for (std::size_t i = 0; i < 8; ++i) ++counts[i * 8 + std::size_t(order[i])];
  }
  CHECK(*std::min_element(counts.begin(), counts.end()) > 500 - 5 * 21);
  CHECK(*std::max_element(counts.begin(), counts.end()) < 500 + 5 * 21);
}

TEST_CASE("a range of 2^40 needs no memory and stays in range", "[train]") {
  Permutation const permutation((std::int64_t(1) << 40) + 1, 1, 0);
  for (std::int64_t i = 0; i < 1000; ++i) {
    auto const value = permutation(i << 30);
    CHECK((value >= 0 && value <= std::int64_t(1) << 40));
  }
}
