#pragma once
// What a user probably meant.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// The name with the fewest inserted, deleted and replaced characters between it and `text`; the
/// first of equals. Of a long text only the first 64 characters count.
/// Domain: at least one name.
inline std::string nearest_name(std::string_view text, std::span<std::string const> names) {
  text = text.substr(0, 64);
  auto const distance = [text](std::string_view name) {
    std::vector<std::size_t> row(name.size() + 1);
    for (std::size_t j = 0; j <= name.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= text.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= name.size(); ++j) {
        std::size_t const replaced = diagonal + (text[i - 1] != name[j - 1]);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
      }
    }
    return row.back();
  };
  return *std::min_element(names.begin(), names.end(),
                           [&](auto const& a, auto const& b) { return distance(a) < distance(b); });
}

}  // namespace tailor
