#pragma once
// The report of a comparison: one self-contained HTML file.

#include <nlohmann/json.hpp>

#include <string>

namespace tailor_program {

/// HTML from the contents of results.json and profile.json (null where no profile was measured).
std::string report_html(nlohmann::json const& results, nlohmann::json const& profile,
                        nlohmann::json const& without_massive);

/// The table of rules as plain text: loss, difference to uniform, interval, verdict.
std::string report_table(nlohmann::json const& results);

}  // namespace tailor_program
