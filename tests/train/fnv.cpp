#include <tailor/train/fnv.hpp>

#include <support/catch.hpp>

#include <array>
#include <string_view>

using namespace tailor;

namespace {

std::uint64_t fnv(std::string_view text) {
  Fnv1a64 hash;
  hash.add(std::as_bytes(std::span(text)));
  return hash.value();
}

std::uint64_t checksum(std::span<std::uint64_t const> words) {
  WordChecksum sum;
  sum.add(std::as_bytes(words));
  return sum.value();
}

}  // namespace

TEST_CASE("FNV-1a gives the published answers", "[train]") {
  CHECK(fnv("") == 0xcbf29ce484222325ull);
  CHECK(fnv("a") == 0xaf63dc4c8601ec8cull);
  CHECK(fnv("foobar") == 0x85944171f73967e8ull);
  CHECK(hexadecimal(fnv("a")) == "af63dc4c8601ec8c");
}

TEST_CASE("the checksum depends on the bytes alone, not on how they were cut into pieces",
          "[train]") {
  std::array<std::uint64_t, 5> const words{1, 2, 3, 4, 5};
  WordChecksum pieces;
  pieces.add(std::as_bytes(std::span(words).first(2)));
  pieces.add(std::as_bytes(std::span(words).last(3)));
  CHECK(pieces.value() == checksum(words));
}

TEST_CASE("the checksum sees two flipped signs in different words", "[train]") {
  std::array<std::uint64_t, 4> words{1, 2, 3, 4};
  auto const before = checksum(words);
  words[0] ^= 1ull << 63;
  words[2] ^= 1ull << 63;
  CHECK(checksum(words) != before);
}
