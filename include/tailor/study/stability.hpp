#pragma once
// When a profile has enough samples: by the order of its layers, or by the widths that follow.

#include <tailor/allocation/allocate.hpp>       // tailor::Allocation
#include <tailor/arch/plan.hpp>                 // tailor::Plan
#include <tailor/arch/text_of.hpp>              // tailor::detail::text_of, for the messages
#include <tailor/geometry/sampled_profile.hpp>  // tailor::SampledProfile
#include <tailor/geometry/statistic_name.hpp>   // tailor::StatisticName
#include <tailor/geometry/stopping_rule.hpp>    // tailor::StoppingRule, tailor::Stability
#include <tailor/study/allocate_profile.hpp>    // tailor::allocate, tailor::AllocationOptions

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The criteria, as they stand in profile.json.
inline constexpr char const* reliability_criterion = "reliability";
inline constexpr char const* width_error_criterion = "width-error";

/// Below so many layers a rank correlation over layers says little, and widths are judged instead.
inline constexpr int layers_for_reliability = 12;

/// All nine, as a list to choose from.
inline std::vector<StatisticName> every_statistic() {
  return {all_statistics.begin(), all_statistics.end()};
}

/// Stable where the mean profile of each of these statistics has at least this reliability. Reached
/// is the least of them, and nothing where one has none (see mean_rank_correlation).
/// Error:  std::invalid_argument for a reliability outside (0, 1), or without a statistic.
inline StoppingRule until_reliable(double wanted = 0.95,
                                   std::vector<StatisticName> statistics = every_statistic()) {
  if (!(wanted > 0 && wanted < 1)) {
    throw std::invalid_argument("until_reliable: a reliability between 0 and 1 expected, got " +
                                detail::text_of(wanted));
  }
  if (statistics.empty()) throw std::invalid_argument("until_reliable: a statistic expected");
  return [wanted, statistics = std::move(statistics)](SampledProfile const& sampled) {
    Stability result{.criterion = reliability_criterion, .wanted = wanted, .reached = 1};
    Profile const profile = sampled.mean();
    for (StatisticName const name : statistics) {
      auto const& reliability = profile.reliability[name.index()];
      if (!reliability) {
        result.reached = {};
        result.reason = "the reliability of " + name.rule() + " is undefined over " +
                        std::to_string(sampled.layers()) + " layers and " +
                        std::to_string(sampled.samples()) + " samples";
        return result;
      }
      result.reached = std::min(*result.reached, *reliability);
    }
    result.stable = *result.reached >= wanted;
    return result;
  };
}

/// Standard errors by the jackknife, from what comes out without each sample in turn:
/// sqrt((k - 1) / k sum_s (x_s - mean)^2).
/// Shapes: [sample][element].
/// Domain: at least two samples.
/// @post   the jackknife of a mean is its standard error s / sqrt(k)
/// Source: Tukey 1958; Efron and Tibshirani, An Introduction to the Bootstrap, chapter 11.
inline std::vector<double> jackknife_errors(std::span<std::vector<double> const> without) {
  double const count = double(without.size());
  std::vector<double> errors;
  for (std::size_t i = 0; i < without[0].size(); ++i) {
    double mean = 0;
    for (auto const& values : without) mean += values[i] / count;
    double squares = 0;
    for (auto const& values : without) squares += (values[i] - mean) * (values[i] - mean);
    errors.push_back(std::sqrt((count - 1) / count * squares));
  }
  return errors;
}

/// The standard error of the widths that the mean profile gives, per layer, in units of the grain.
/// The widths are those before rounding: the jackknife needs something smooth.
/// Cost:   one allocation per sample.
/// Error:  std::invalid_argument for fewer than two samples, and as allocate does.
/// @post   samples that agree give widths without an error
/// @post   the standard errors are the spread of widths between experiments
inline std::vector<double> width_errors(SampledProfile const& sampled, Plan const& reference,
                                        AllocationOptions const& options) {
  if (sampled.samples() < 2) {
    throw std::invalid_argument("one sample says nothing of the error of widths");
  }
  std::vector<std::vector<double>> without;
  int grain = 1;
  for (int s = 0; s < sampled.samples(); ++s) {
    Allocation allocation = allocate(sampled.mean_without(s), reference, options);
    grain = allocation.grain;
    without.push_back(std::move(allocation.continuous));
  }
  std::vector<double> errors = jackknife_errors(without);
  for (double& error : errors) error /= grain;
  return errors;
}

/// Stable where no width has a standard error of a grain or more, by any of these statistics.
/// Reached is the largest, in grains, and nothing where there is none, with the reason.
inline StoppingRule until_widths_settle(Plan reference, std::vector<StatisticName> statistics,
                                        AllocationOptions options = {}) {
  if (statistics.empty()) throw std::invalid_argument("until_widths_settle: a statistic expected");
  return [reference = std::move(reference), statistics = std::move(statistics),
          options = std::move(options)](SampledProfile const& sampled) mutable {
    Stability result{.criterion = width_error_criterion, .wanted = 1, .reached = 0};
    for (StatisticName const name : statistics) {
      options.statistic = name.rule();
      try {
        for (double const error : width_errors(sampled, reference, options)) {
          result.reached = std::max(*result.reached, error);
        }
      } catch (std::invalid_argument const& error) {
        result.reached = {};
        result.reason = name.rule() + ": " + error.what();
        return result;
      }
    }
    result.stable = *result.reached < result.wanted;
    return result;
  };
}

/// The rule for a model: the reliability of the order of its layers where it has at least
/// layers_for_reliability, and the standard error of the widths below.
/// @post   below twelve layers widths are judged, from twelve on the order of layers
inline StoppingRule until_stable(double reliability, Plan const& reference,
                                 std::vector<StatisticName> statistics = every_statistic(),
                                 AllocationOptions const& options = {}) {
  StoppingRule by_order = until_reliable(reliability, statistics);
  if (int(reference.layers.size()) >= layers_for_reliability) return by_order;
  return until_widths_settle(reference, std::move(statistics), options);
}

}  // namespace tailor
