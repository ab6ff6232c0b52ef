#include <tailor/arch/philox.hpp>  // under test

#include "support/catch.hpp"  // TEST_CASE, CHECK

using tailor::philox;
using tailor::PhiloxCounter;

TEST_CASE("philox equals the published known answers of Random123", "[arch]") {
  constexpr std::uint32_t ones = 0xffffffff;
  STATIC_REQUIRE(philox({0, 0, 0, 0}, {0, 0}) ==
                 PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  STATIC_REQUIRE(philox({ones, ones, ones, ones}, {ones, ones}) ==
                 PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  STATIC_REQUIRE(
      philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
      PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a seed is a key, low word first", "[arch]") {
  CHECK(tailor::philox_key(0x299f31d0a4093822ull) == tailor::PhiloxKey{0xa4093822, 0x299f31d0});
}

TEST_CASE("every bit of philox is set about half of the time", "[arch]") {
  constexpr int draws = 4096;
  int set[128] = {};
  for (std::uint32_t i = 0; i < draws; ++i) {
    auto const words = philox({i, 0, 0, 0}, {1, 0});
    for (int bit = 0; bit < 128; ++bit) set[bit] += words[bit / 32] >> (bit % 32) & 1;
  }
  for (int count : set) CHECK(std::abs(count - draws / 2) < 5 * 32);  // five standard deviations
}
