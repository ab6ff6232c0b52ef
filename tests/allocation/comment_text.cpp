#include <tailor/allocation/comment_text.hpp>  // what is tested

#include "support/catch.hpp"

#include <string>

using namespace tailor;

TEST_CASE("every byte becomes printable ASCII without backslash, question mark or star",
          "[allocation]") {
  for (int byte = 0; byte < 256; ++byte) {
    for (char const c : comment_text(std::string(1, static_cast<char>(byte)))) {
      CHECK((c >= ' ' && c < 127));
      CHECK((c != '\\' && c != '?' && c != '*'));
    }
  }
}

TEST_CASE("plain names stay as they are, what is long is cut and says how long it was",
          "[allocation]") {
  CHECK(comment_text("layers.3.ffn (topological/hyperbolic)") ==
        "layers.3.ffn (topological/hyperbolic)");
  CHECK(comment_text("a\\\n%") == "a%5C%0A%25");
  CHECK(comment_text(std::string(10240, 'x')) == std::string(64, 'x') + "... (10240 bytes)");
}

TEST_CASE("identifiers are ASCII words that nothing reserves", "[allocation]") {
  for (auto const* good : {"a", "Widths2", "tailored", "x_y"}) CHECK(is_identifier(good));
  for (auto const* bad : {"", "2a", "_a", "a__b", "namespace", "std", "a-b", "a::b", "unix"})
    CHECK_FALSE(is_identifier(bad));
  CHECK_FALSE(is_identifier(std::string(201, 'a')));
}
