#pragma once
// A JSON object that is read field by field, each of its type, and no field more.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// Reads the fields of one object; the path in front of every message says where it lies.
/// Error: std::invalid_argument, "PATH: expected ..., got ...".
class StrictObject {
 public:
  StrictObject(nlohmann::json const& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json_.is_object()) refuse(path_, "an object", json_);
  }

  [[noreturn]] static void refuse(std::string const& path, std::string const& expected,
                                  nlohmann::json const& got) {
    std::string text = got.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 60) + "...";
    throw std::invalid_argument(path + ": expected " + expected + ", got " + text);
  }

  std::string path(std::string const& name) const { return path_ + "." + name; }

  /// The field `name`, whatever it is.
  nlohmann::json const& field(std::string const& name) {
    known_.insert(name);
    auto const found = json_.find(name);
    if (found == json_.end()) throw std::invalid_argument(path(name) + ": missing");
    return *found;
  }

  StrictObject object(std::string const& name) { return {field(name), path(name)}; }

  std::vector<StrictObject> objects(std::string const& name) {
    std::vector<StrictObject> result;
    for (auto const& [entry, where] : entries(name)) result.emplace_back(*entry, where);
    return result;
  }

  std::string text(std::string const& name) {
    auto const& json = field(name);
    if (!json.is_string()) refuse(path(name), "a text", json);
    return json.get<std::string>();
  }

  bool boolean(std::string const& name) {
    auto const& json = field(name);
    if (!json.is_boolean()) refuse(path(name), "true or false", json);
    return json.get<bool>();
  }

  double number(std::string const& name) {
    auto const& json = field(name);
    if (!json.is_number() || !std::isfinite(json.get<double>())) {
      refuse(path(name), "a number", json);
    }
    return json.get<double>();
  }

  std::optional<double> number_or_null(std::string const& name) {
    return field(name).is_null() ? std::nullopt : std::optional(number(name));
  }

  /// A whole number that is not negative and fits T.
  template <std::integral T>
  T count(std::string const& name) {
    return count_of<T>(field(name), path(name));
  }

  template <std::integral T>
  std::vector<T> counts(std::string const& name) {
    std::vector<T> result;
    for (auto const& [entry, where] : entries(name)) result.push_back(count_of<T>(*entry, where));
    return result;
  }

  /// Called when all fields were asked for: a field that nobody asked for is a mistake.
  void refuse_others() const {
    for (auto const& item : json_.items()) {
      if (!known_.contains(item.key())) {
        throw std::invalid_argument(path(item.key()) + ": unknown field");
      }
    }
  }

 private:
  template <std::integral T>
  static T count_of(nlohmann::json const& json, std::string const& where) {
    bool const whole =
        json.is_number_unsigned() || (json.is_number_integer() && json.get<std::int64_t>() >= 0);
    if (!whole || !std::in_range<T>(json.get<std::uint64_t>())) refuse(where, "a count", json);
    return json.get<T>();
  }

  std::vector<std::pair<nlohmann::json const*, std::string>> entries(std::string const& name) {
    auto const& json = field(name);
    if (!json.is_array()) refuse(path(name), "an array", json);
    std::vector<std::pair<nlohmann::json const*, std::string>> result;
    for (std::size_t i = 0; i < json.size(); ++i) {
      result.emplace_back(&json[i], path(name) + "[" + std::to_string(i) + "]");
    }
    return result;
  }

  nlohmann::json const& json_;
  std::string path_;
  std::set<std::string> known_;
};

}  // namespace tailor
