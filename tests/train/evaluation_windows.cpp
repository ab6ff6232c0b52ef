#include <tailor/train/evaluation_windows.hpp>

#include <support/catch.hpp>

#include <vector>

using tailor::EvaluationWindows;

TEST_CASE("every token but the first is counted exactly once", "[train]") {
  for (int tokens = 2; tokens <= 60; ++tokens) {
    for (int length : {1, 2, 7, 16}) {
      for (int lead = 0; lead < length; lead += 3) {
        if (lead >= std::min(length, tokens - 1)) continue;
        EvaluationWindows const windows(tokens, length, lead);
        std::vector<int> counted(std::size_t(tokens), 0);
        for (std::int64_t i = 0; i < windows.count(); ++i) {
          auto const window = windows[i];
          REQUIRE(window.start >= 0);
          REQUIRE(window.start + windows.length() < tokens);
          REQUIRE(window.skip < windows.length());
          if (i > 0) CHECK(window.skip >= lead);
          for (int j = window.skip; j < windows.length(); ++j) {
            ++counted[std::size_t(window.start + j + 1)];
          }
        }
        CHECK(counted[0] == 0);
        CHECK(std::count(counted.begin() + 1, counted.end(), 1) == tokens - 1);
      }
    }
  }
}

TEST_CASE("a text shorter than a window is one shorter window", "[train]") {
  EvaluationWindows const windows(10, 64, 0);
  CHECK(windows.length() == 9);
  CHECK(windows.count() == 1);
}

TEST_CASE("one token, or a lead as long as the window, is refused", "[train]") {
  CHECK_THROWS_AS(EvaluationWindows(1, 8, 0), std::invalid_argument);
  CHECK_THROWS_AS(EvaluationWindows(100, 8, 8), std::invalid_argument);
  CHECK_THROWS_AS(EvaluationWindows(100, 8, -1), std::invalid_argument);
  CHECK_THROWS_AS(EvaluationWindows(100, 0, 0), std::invalid_argument);
}
