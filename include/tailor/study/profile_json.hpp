#pragma once
// A profile as JSON: what profile.json holds. With this header nlohmann::json(profile) writes one
// and json.get<Profile>() reads one.

#include <tailor/geometry/profile.hpp>         // tailor::Profile
#include <tailor/geometry/statistic_name.hpp>  // tailor::all_statistics
#include <tailor/geometry/stopping_rule.hpp>   // tailor::Stability
#include <tailor/io/atomic_file.hpp>           // tailor::write_file, tailor::file_error
#include <tailor/study/strict_object.hpp>      // tailor::StrictObject

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The number that a stored profile carries as "format". A reader knows this one only.
inline constexpr int profile_format = 2;

/// Where an estimate is undefined its mean is null.
inline void to_json(nlohmann::json& json, Estimate const& estimate) {
  bool const defined = estimate.status == Status::ok;
  json = {{"mean", nullptr},
          {"standard_error", nullptr},
          {"samples", estimate.samples},
          {"status", defined ? "ok" : "undefined"}};
  if (defined) json["mean"] = estimate.mean;
  if (estimate.standard_error) json["standard_error"] = *estimate.standard_error;
}

/// Only what decides about the numbers; the limits of memory and the callbacks stay here.
inline void to_json(nlohmann::json& json, MeasureOptions const& options) {
  auto starts = nlohmann::json::array();
  auto const& gw = options.gromov_wasserstein;
  for (std::size_t i = 0; i < gromov_wasserstein_starts.size(); ++i) {
    if (gw.*gromov_wasserstein_start_options[i])
      starts.push_back(std::string(gromov_wasserstein_starts[i]));
  }
  json = {{"samples", options.samples},
          {"most_samples", options.most_samples},
          {"tokens", options.tokens},
          {"seed", options.seed},
          {"keep_massive", options.keep_massive},
          {"ball_map", Hyperbolic::ball_map},
          {"rho", options.rho},
          {"curvature", options.curvature},
          {"ground_norm", "l2"},
          {"dimension", "two-nn-mle"},
          {"gromov_wasserstein",
           {{"starts", starts},
            {"exchanges", gw.exchanges},
            {"max_iterations", gw.max_iterations},
            {"tolerance", gw.tolerance}}}};
}

inline void to_json(nlohmann::json& json, LayerProfile const& layer) {
  json = {{"name", layer.name},
          {"statistics", nlohmann::json::object()},
          {"lower_bounds", nlohmann::json::object()},
          {"starts", nlohmann::json::object()},
          {"dimension", layer.dimension},
          {"participation_ratio", layer.participation_ratio},
          {"counts",
           {{"tokens", layer.tokens},
            {"undefined", layer.undefined},
            {"massive", layer.massive},
            {"massive_tokens", layer.massive_tokens},
            {"reason", layer.reason}}}};
  for (StatisticName const name : all_statistics) json["statistics"][name.key()] = layer.at(name);
  for (std::size_t g = 0; g < geometry_names.size(); ++g) {
    std::string const key(geometry_names[g]);
    json["lower_bounds"][key] = layer.lower_bounds[g];
    for (std::size_t s = 0; s < gromov_wasserstein_starts.size(); ++s) {
      json["starts"][key][std::string(gromov_wasserstein_starts[s])] = layer.starts[g][s];
    }
  }
}

/// One number, or null, for each of the nine.
inline nlohmann::json by_statistic(std::array<std::optional<double>, 9> const& numbers) {
  auto json = nlohmann::json::object();
  for (StatisticName const name : all_statistics) {
    auto& value = json[name.key()];
    if (auto const& number = numbers[name.index()]) value = *number;
  }
  return json;
}

inline void to_json(nlohmann::json& json, Stability const& stability) {
  json = {{"criterion", stability.criterion},
          {"wanted", stability.wanted},
          {"reached", nullptr},
          {"status", stability.stable ? "stable" : "not stable"},
          {"reason", stability.reason}};
  if (stability.reached) json["reached"] = *stability.reached;
}

/// @post reading what was written gives back the profile
inline void to_json(nlohmann::json& json, Profile const& profile) {
  json = {{"format", profile_format},
          {"options", profile.options},
          {"cloud_tokens", profile.cloud_tokens},
          {"samples", profile.samples},
          {"tokens", profile.tokens},
          {"left_out", profile.left_out},
          {"layers", profile.layers},
          {"stability", nullptr}};
  if (profile.stability) json["stability"] = *profile.stability;
  json["rank_correlation"] = by_statistic(profile.rank_correlation);
  json["reliability"] = by_statistic(profile.reliability);
}

/// Reads profiles strictly: every field once, of its type, no other.
/// Error: std::invalid_argument that names the path of the field.
class ProfileReader {
 public:
  static Profile read(nlohmann::json const& json, std::string const& name) {
    StrictObject object(json, name);
    if (int const format = object.count<int>("format"); format != profile_format) {
      StrictObject::refuse(object.path("format"),
                           std::to_string(profile_format) + " (measure the profile again)", format);
    }
    Profile profile{.options = options(object.object("options")),
                    .cloud_tokens = object.count<int>("cloud_tokens"),
                    .samples = object.count<int>("samples"),
                    .tokens = object.count<int>("tokens"),
                    .left_out = object.counts<int>("left_out")};
    for (StrictObject& entry : object.objects("layers")) profile.layers.push_back(layer(entry));
    profile.rank_correlation = by_statistic(object.object("rank_correlation"));
    profile.reliability = by_statistic(object.object("reliability"));
    if (!object.field("stability").is_null()) {
      profile.stability = stability(object.object("stability"));
    }
    object.refuse_others();
    return profile;
  }

 private:
  static std::array<std::optional<double>, 9> by_statistic(StrictObject object) {
    std::array<std::optional<double>, 9> numbers;
    for (StatisticName const name : all_statistics) {
      numbers[name.index()] = object.number_or_null(name.key());
    }
    object.refuse_others();
    return numbers;
  }

  static Stability stability(StrictObject object) {
    Stability result{.criterion = object.text("criterion"),
                     .wanted = object.number("wanted"),
                     .reached = object.number_or_null("reached"),
                     .reason = object.text("reason")};
    std::string const status = object.text("status");
    if (status != "stable" && status != "not stable") {
      StrictObject::refuse(object.path("status"), "stable or not stable", status);
    }
    result.stable = status == "stable";
    object.refuse_others();
    return result;
  }

  static Estimate estimate(StrictObject object) {
    Estimate result{.standard_error = object.number_or_null("standard_error"),
                    .samples = object.count<int>("samples")};
    std::string const status = object.text("status");
    if (status != "ok" && status != "undefined") {
      StrictObject::refuse(object.path("status"), "ok or undefined", status);
    }
    result.status = status == "ok" ? Status::ok : Status::undefined;
    if (result.status == Status::ok) {
      result.mean = object.number("mean");
    } else if (object.number_or_null("mean")) {
      StrictObject::refuse(object.path("mean"), "null where undefined", object.number("mean"));
    }
    object.refuse_others();
    return result;
  }

  /// A field of which this version knows one value only.
  static void only(StrictObject& object, std::string const& name, std::string const& value) {
    if (object.text(name) != value)
      StrictObject::refuse(object.path(name), value, object.text(name));
  }

  static MeasureOptions options(StrictObject object) {
    MeasureOptions result{.samples = object.count<int>("samples"),
                          .most_samples = object.count<int>("most_samples"),
                          .tokens = object.count<int>("tokens"),
                          .seed = object.count<std::uint64_t>("seed"),
                          .keep_massive = object.boolean("keep_massive"),
                          .rho = object.number("rho"),
                          .curvature = object.number("curvature")};
    only(object, "ball_map", Hyperbolic::ball_map);
    only(object, "ground_norm", "l2");
    only(object, "dimension", "two-nn-mle");
    StrictObject descents = object.object("gromov_wasserstein");
    auto& gw = result.gromov_wasserstein;
    gw.max_iterations = descents.count<int>("max_iterations");
    gw.tolerance = descents.number("tolerance");
    gw.exchanges = descents.boolean("exchanges");
    for (auto const start : gromov_wasserstein_start_options) gw.*start = false;
    auto const& starts = descents.field("starts");
    if (!starts.is_array()) StrictObject::refuse(descents.path("starts"), "an array", starts);
    for (auto const& start : starts) {
      bool known = false;
      for (std::size_t i = 0; i < gromov_wasserstein_starts.size(); ++i) {
        if (start != std::string(gromov_wasserstein_starts[i])) continue;
        gw.*gromov_wasserstein_start_options[i] = known = true;
      }
      if (!known) StrictObject::refuse(descents.path("starts"), "names of starts", start);
    }
    descents.refuse_others();
    object.refuse_others();
    return result;
  }

  static LayerProfile layer(StrictObject& object) {
    LayerProfile result;
    result.name = object.text("name");
    StrictObject statistics = object.object("statistics");
    for (StatisticName const name : all_statistics) {
      result.statistics[name.index()] = estimate(statistics.object(name.key()));
    }
    statistics.refuse_others();
    StrictObject bounds = object.object("lower_bounds");
    StrictObject starts = object.object("starts");
    for (std::size_t g = 0; g < geometry_names.size(); ++g) {
      std::string const key(geometry_names[g]);
      result.lower_bounds[g] = estimate(bounds.object(key));
      StrictObject counts = starts.object(key);
      for (std::size_t s = 0; s < gromov_wasserstein_starts.size(); ++s) {
        result.starts[g][s] = counts.count<int>(std::string(gromov_wasserstein_starts[s]));
      }
      counts.refuse_others();
    }
    bounds.refuse_others();
    starts.refuse_others();
    result.dimension = estimate(object.object("dimension"));
    result.participation_ratio = estimate(object.object("participation_ratio"));
    StrictObject counts = object.object("counts");
    result.tokens = counts.count<int>("tokens");
    result.undefined = counts.count<int>("undefined");
    result.massive = counts.count<int>("massive");
    result.massive_tokens = counts.counts<int>("massive_tokens");
    result.reason = counts.text("reason");
    counts.refuse_others();
    object.refuse_others();
    return result;
  }
};

/// Error: std::invalid_argument that names the path of the field; `profile` is unchanged then.
inline void from_json(nlohmann::json const& json, Profile& profile) {
  profile = ProfileReader::read(json, "profile");
}

/// Writes profile.json, atomically.
/// Error: std::runtime_error that names the path.
inline void write_profile(std::filesystem::path const& path, Profile const& profile) {
  write_file(path, nlohmann::json(profile).dump(2) + "\n");
}

/// Reads profile.json.
/// Error:  std::runtime_error where the file cannot be read; std::invalid_argument that names file
///         and field, or the place where it stops being JSON.
inline Profile read_profile(std::filesystem::path const& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) file_error("cannot open", path, errno);
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(stream);
  } catch (nlohmann::json::parse_error const& error) {
    throw std::invalid_argument(path.string() + ": expected JSON, got " + error.what());
  }
  return ProfileReader::read(json, path.string());
}

}  // namespace tailor
