#pragma once
// The figures of a report, each as an SVG picture drawn from results.json and profile.json.

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace tailor_program {

/// Layers x nine statistics, each column divided by its mean over the layers.
std::optional<std::string> profile_heat_map(nlohmann::json const& profile);

/// The profile with massive tokens beside the one without them, for the statistics that differ;
/// nothing where none does.
std::optional<std::string> massive_profiles(nlohmann::json const& with,
                                            nlohmann::json const& without);

/// FFN width of every layer under every rule.
std::optional<std::string> width_schedules(nlohmann::json const& results);

/// Validation loss against tokens, the mean over the seeds of every rule.
std::optional<std::string> loss_curves(nlohmann::json const& results);

enum class Abscissa { tokens, training_flops };

/// Mean paired difference to uniform at every evaluation, with its 95 % interval.
std::optional<std::string> difference_curves(nlohmann::json const& results, Abscissa abscissa);

/// Paired differences on the test split with their intervals.
std::optional<std::string> difference_intervals(nlohmann::json const& results);

}  // namespace tailor_program
