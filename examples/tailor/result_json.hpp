#pragma once
// Results of geometry as JSON: numbers that read back to the same double, "inf", null with a reason.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include <tailor/geometry/bar.hpp>     // tailor::Bar
#include <tailor/geometry/status.hpp>  // tailor::Outcome

namespace tailor_program {

/// A number; infinity as the string "inf".
nlohmann::json number(double value);

/// A number where the outcome is defined, null otherwise.
nlohmann::json number(double value, tailor::Outcome const& outcome);

/// A list of [birth, death].
nlohmann::json bars_json(std::vector<tailor::Bar> const& bars);

/// What a result says of its parts, each with a name.
using NamedOutcomes = std::vector<std::pair<std::string, tailor::Outcome>>;

/// "ok" where every part is defined; otherwise "undefined: " with the reasons, each once behind the
/// names that it holds for.
std::string status_text(NamedOutcomes const& parts);

}  // namespace tailor_program
