#pragma once
// The interval of a filtration over which one class of homology lives.

#include <compare>

namespace tailor {

/// A class is born at `birth` and dies at `death`; death is infinity where it never does.
struct Bar {
  double birth = 0;
  double death = 0;

  friend auto operator<=>(Bar const&, Bar const&) = default;
};

}  // namespace tailor
