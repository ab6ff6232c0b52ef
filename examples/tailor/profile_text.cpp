#include "profile_text.hpp"

#include <fmt/format.h>

#include <tailor/geometry/statistic_name.hpp>  // tailor::all_statistics

#include <tailor/study/stability.hpp>  // tailor::reliability_criterion

#include "columns.hpp"
#include "massive_differences.hpp"

namespace tailor_program {
namespace {

std::string cell(tailor::Estimate const& estimate) {
  if (estimate.status != tailor::Status::ok) return "undefined";
  return estimate.standard_error
             ? fmt::format("{:.4g} \u00b1{:.1g}", estimate.mean, *estimate.standard_error)
             : fmt::format("{:.4g}", estimate.mean);
}

std::string padded(std::string const& text, std::size_t width) {
  std::size_t const wide = columns(text);
  return std::string(width > wide ? width - wide : 0, ' ') + text;
}

}  // namespace

std::string profile_text(tailor::Profile const& profile) {
  std::string text = fmt::format(
      "{} samples of {} tokens from clouds of {}; mean \u00b1 standard error of the mean\n\n",
      profile.samples, profile.tokens, profile.cloud_tokens);
  for (tailor::Geometry const geometry :
       {tailor::Geometry::raw, tailor::Geometry::spherical, tailor::Geometry::hyperbolic}) {
    text += fmt::format("{:<12}", tailor::name(geometry));
    for (auto const name : tailor::statistic_names) text += padded(std::string(name), 18);
    if (geometry == tailor::Geometry::raw)
      text += padded("dimension", 14) + padded("participation", 15);
    text += "\n";
    for (tailor::LayerProfile const& layer : profile.layers) {
      text += fmt::format("{:<12}", layer.name);
      for (std::size_t s = 0; s < 3; ++s) {
        text += padded(cell(layer.at({tailor::Statistic(s), geometry})), 18);
      }
      if (geometry == tailor::Geometry::raw) {
        text += padded(cell(layer.dimension), 14) + padded(cell(layer.participation_ratio), 15);
      }
      text += "\n";
    }
    auto const agreement = [&](char const* label, auto const& values) {
      text += fmt::format("{:<12}", label);
      for (std::size_t s = 0; s < 3; ++s) {
        auto const& value = values[tailor::StatisticName{tailor::Statistic(s), geometry}.index()];
        text += padded(value ? fmt::format("{:.3f}", *value) : "undefined", 18);
      }
      text += "\n";
    };
    agreement("correlation", profile.rank_correlation);
    agreement("reliability", profile.reliability);
    text += "\n";
  }
  text += "correlation: of ranks over layers, between two samples; reliability: of their mean\n";
  if (profile.stability) text += stability_text(*profile.stability, profile.samples) + "\n";
  if (!profile.left_out.empty()) {
    text += fmt::format("left out as massive (norm over 20 medians in some layer): {} tokens:",
                        profile.left_out.size());
    for (std::size_t i = 0; i < profile.left_out.size() && i < 20; ++i) {
      text += fmt::format(" {}", profile.left_out[i]);
    }
    text += profile.left_out.size() > 20 ? " ...\n" : "\n";
  }
  for (tailor::LayerProfile const& layer : profile.layers) {
    if (layer.undefined > 0) {
      text +=
          fmt::format("{}: {} tokens undefined ({})\n", layer.name, layer.undefined, layer.reason);
    }
  }
  return text;
}

std::string profile_text(MeasuredProfile const& measured) {
  std::string text = profile_text(measured.profile);
  if (!measured.without_massive) return text;
  auto const differences = massive_differences(measured.profile, *measured.without_massive);
  if (differences.empty()) {
    return text + "massive tokens were kept and change no statistic by a tenth\n";
  }
  text += "\nmassive tokens were kept; they change, by over a tenth and 3 standard errors:\n";
  text += fmt::format("{:<12} {:<24} {:>12} {:>12}\n", "layer", "statistic", "with", "without");
  for (MassiveDifference const& each : differences) {
    text +=
        fmt::format("{:<12} {:<24} {:>12.4g} {:>12.4g}\n", measured.profile.layers[each.layer].name,
                    each.statistic.rule(), each.with, each.without);
  }
  return text;
}

std::string stability_text(tailor::Stability const& stability, int samples) {
  bool const order = stability.criterion == tailor::reliability_criterion;
  std::string const reached =
      stability.reached ? fmt::format("{:.3f}{}", *stability.reached, order ? "" : " grains")
                        : "undefined, " + stability.reason;
  return fmt::format("{}: {} {} ({} wanted) after {} sample{}",
                     stability.stable ? "stable" : "not stable",
                     order ? "reliability" : "largest standard error of a width", reached,
                     order ? fmt::format("at least {:g}", stability.wanted) : "under a grain",
                     samples, samples == 1 ? "" : "s");
}

}  // namespace tailor_program
