#pragma once
// Which windows of a text an evaluation looks at: fixed by the text and the length alone.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tailor {

/// One window of `length` tokens; the losses of its first `skip` tokens are not counted, since an
/// earlier window counted them or they are context only.
struct EvaluationWindow {
  std::int64_t start = 0;
  int skip = 0;
};

/// Windows over a text of `tokens` tokens, each `lead` tokens into the one before; the last ends
/// with the text.
/// Domain: a text shorter than a window is one shorter window.
/// Error: std::invalid_argument for fewer than two tokens or a lead outside 0 .. length - 1.
/// @post every token but the first is counted exactly once
class EvaluationWindows {
 public:
  EvaluationWindows(std::int64_t tokens, int length, int lead) : targets_(tokens - 1), lead_(lead) {
    if (tokens < 2) {
      throw std::invalid_argument("evaluate: at least 2 tokens are needed, got " +
                                  std::to_string(tokens));
    }
    if (length < 1 || lead < 0 || lead >= length) {
      throw std::invalid_argument("evaluate: a window of " + std::to_string(length) +
                                  " tokens cannot have a lead of " + std::to_string(lead));
    }
    length_ = int(std::min<std::int64_t>(length, targets_));
  }

  int length() const { return length_; }

  std::int64_t count() const {
    if (length_ == targets_) return 1;
    std::int64_t const step = length_ - lead_;
    return 1 + (targets_ - length_ + step - 1) / step;
  }

  EvaluationWindow operator[](std::int64_t i) const {
    std::int64_t const start = i * (length_ - lead_);
    std::int64_t const last = targets_ - length_;
    int const lead = i == 0 ? 0 : lead_;
    return start <= last ? EvaluationWindow{start, lead}
                         : EvaluationWindow{last, lead + int(start - last)};
  }

 private:
  std::int64_t targets_;
  int lead_;
  int length_ = 1;
};

}  // namespace tailor
