#pragma once
// What a result says about itself: whether it is defined, and what it was computed from.

#include <string>

namespace tailor {

/// `undefined` means that no number exists for this input: the value beside it is not to be read.
enum class Status { ok, undefined };

/// The part that every geometric result shares. `n_used` and `n_undefined` count the things the
/// result was made from (tokens, points or bars: the result's own documentation says which);
/// `reason` is empty where there is nothing to explain.
struct Outcome {
  Status status = Status::ok;
  int n_used = 0;
  int n_undefined = 0;
  std::string reason = {};
};

}  // namespace tailor
