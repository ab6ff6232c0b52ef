#pragma once
// When a profile needs no more samples.

#include <functional>
#include <optional>
#include <string>

namespace tailor {

class SampledProfile;

/// Whether a profile is stable by a criterion, and how near it came.
struct Stability {
  std::string criterion;  ///< its name
  double wanted = 0;
  std::optional<double> reached = {};  ///< nothing where the samples cannot say
  bool stable = false;
  std::string reason = {};  ///< why they cannot
};

/// Looks at the samples taken so far. `measure` asks it after every round of samples and takes more
/// until it says stable. study/stability.hpp has two; a rule of your own is a lambda:
///     [](SampledProfile const& p) { return Stability{.criterion = "six", .stable = p.samples() == 6}; }
using StoppingRule = std::function<Stability(SampledProfile const&)>;

}  // namespace tailor
