#include "result_json.hpp"

#include <algorithm>
#include <cmath>

namespace tailor_program {

using nlohmann::json;

json number(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

json number(double value, tailor::Outcome const& outcome) {
  return outcome.status == tailor::Status::ok ? number(value) : json(nullptr);
}

json bars_json(std::vector<tailor::Bar> const& bars) {
  json list = json::array();
  for (tailor::Bar const& bar : bars) list.push_back({number(bar.birth), number(bar.death)});
  return list;
}

std::string status_text(NamedOutcomes const& parts) {
  std::vector<std::pair<std::string, std::string>> reasons;  // names, reason
  for (auto const& [name, outcome] : parts) {
    if (outcome.status == tailor::Status::ok) continue;
    auto const same =
        std::find_if(reasons.begin(), reasons.end(),
                     [&reason = outcome.reason](auto const& r) { return r.second == reason; });
    if (same == reasons.end()) {
      reasons.emplace_back(name, outcome.reason);
    } else {
      same->first += ", " + name;
    }
  }
  if (reasons.empty()) return "ok";
  std::string text;
  for (auto const& [names, reason] : reasons) {
    text += (text.empty() ? "undefined: " : "; ") + names + ": " + reason;
  }
  return text;
}

}  // namespace tailor_program
