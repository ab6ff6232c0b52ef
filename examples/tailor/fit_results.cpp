#include "fit_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <tailor/arch/budget.hpp>       // tailor::parameters
#include <tailor/arch/compute.hpp>      // tailor::forward_flops_per_token and others
#include <tailor/arch/memory.hpp>       // tailor::kv_cache_bytes_per_token
#include <tailor/arch/names.hpp>        // tailor::name_of
#include <tailor/io/plan_json.hpp>      // to_json(Plan)
#include <tailor/study/comparison.hpp>  // tailor::compare

namespace tailor_program {
namespace {

using nlohmann::json;

json pair_of(std::optional<tailor::Interval> const& interval) {
  return interval ? json{interval->low, interval->high} : json();
}

json optional_number(std::optional<double> const& value) {
  return value ? json(*value) : json();
}

/// The mean loss of uniform over the seeds that a rule shares with it.
json reference_loss(tailor::Comparison const& c, std::vector<tailor::SeedValue> const& uniform) {
  double sum = 0;
  for (auto const& pair : c.differences.pairs) {
    for (auto const& run : uniform) sum += run.seed == pair.seed ? run.value : 0;
  }
  return c.spread.pairs > 0 ? json(sum / c.spread.pairs) : json();
}

json comparison_json(tailor::Comparison const& c, std::vector<tailor::SeedValue> const& uniform) {
  bool const judged = c.status == tailor::ComparisonStatus::ok;
  json object{{"pairs", c.spread.pairs},
              {"uniform_loss", reference_loss(c, uniform)},
              {"mean_difference", c.spread.pairs > 0 ? json(c.spread.mean) : json()},
              {"standard_deviation", optional_number(c.spread.sd)},
              {"interval", pair_of(c.interval)},
              {"simultaneous_interval", pair_of(c.simultaneous)},
              {"verdict_interval", pair_of(judged ? c.simultaneous : c.interval)},
              {"rules_compared", c.family},
              {"p", optional_number(c.p)},
              {"adjusted_p", optional_number(c.holm_p)},
              {"sign_flip_p", optional_number(c.sign_flip)},
              {"bootstrap_interval", pair_of(c.bootstrap)},
              {"smallest_detectable", optional_number(c.smallest_detectable)},
              {"verdict", c.verdict}};
  for (auto const& difference : c.differences.pairs) {
    object["differences"].push_back({{"seed", difference.seed}, {"value", difference.value}});
  }
  return object;
}

/// The mean over runs of one of their losses, in three units.
json loss_json(RuleRecord const& rule, double RunRecord::*loss, double bytes_per_token) {
  if (rule.runs.empty()) return json::object();
  double mean = 0;
  for (RunRecord const& run : rule.runs) mean += run.*loss / double(rule.runs.size());
  json object{{"loss", mean}, {"perplexity", std::exp(mean)}};
  object["bits_per_byte"] =
      bytes_per_token > 0 ? json(mean / std::log(2.0) / bytes_per_token) : json();
  return object;
}

json counts_json(tailor::Plan const& plan) {
  json counts;
  for (auto const count : {tailor::Count::embedding, tailor::Count::attention, tailor::Count::ffn,
                           tailor::Count::norms, tailor::Count::matrices, tailor::Count::all}) {
    counts[std::string(tailor::name_of(count))] = tailor::parameters(plan, count);
  }
  return counts;
}

std::vector<tailor::SeedValue> test_losses(RuleRecord const& rule) {
  std::vector<tailor::SeedValue> losses;
  for (RunRecord const& run : rule.runs) losses.push_back({run.seed, run.test_loss});
  return losses;
}

}  // namespace

json to_json(RunRecord const& run) {
  json curve = json::array();
  for (auto const& [tokens, loss] : run.curve) curve.push_back({tokens, loss});
  return {{"seed", run.seed},
          {"validation_loss", run.validation_loss},
          {"test_loss", run.test_loss},
          {"tokens", run.tokens},
          {"tokens_per_second", run.tokens_per_second},
          {"curve", curve}};
}

RunRecord run_record(json const& content, std::string const& file) {
  try {
    RunRecord run{.seed = content.at("seed").get<std::uint64_t>(),
                  .validation_loss = content.at("validation_loss").get<double>(),
                  .test_loss = content.at("test_loss").get<double>(),
                  .tokens = content.at("tokens").get<std::int64_t>(),
                  .tokens_per_second = content.at("tokens_per_second").get<double>()};
    for (json const& point : content.at("curve")) {
      run.curve.emplace_back(point.at(0).get<std::int64_t>(), point.at(1).get<double>());
    }
    return run;
  } catch (json::exception const& error) {
    throw std::invalid_argument(file + ": not the result of a run: " + error.what());
  }
}

json compared(std::vector<RuleRecord> const& rules, double bytes_per_token) {
  auto const uniform = std::find_if(rules.begin(), rules.end(),
                                    [](RuleRecord const& rule) { return rule.name == "uniform"; });
  std::vector<tailor::RuleLosses> others;
  for (RuleRecord const& rule : rules) {
    if (rule.name != "uniform") others.push_back({rule.name, test_losses(rule)});
  }
  std::vector<tailor::Comparison> comparisons;
  if (uniform != rules.end()) comparisons = tailor::compare(others, test_losses(*uniform));

  json result = json::array();
  for (RuleRecord const& rule : rules) {
    json runs = json::array();
    double speed = 0;
    for (RunRecord const& run : rule.runs) {
      runs.push_back(to_json(run));
      speed += run.tokens_per_second / double(rule.runs.size());
    }
    json object{{"name", rule.name},
                {"aliases", rule.aliases},
                {"plan", rule.plan},
                {"counts", counts_json(rule.plan)},
                {"forward_flops_per_token", tailor::forward_flops_per_token(rule.plan)},
                {"training_flops_per_token", tailor::training_flops_per_token(rule.plan)},
                {"kv_bytes_per_token", tailor::kv_cache_bytes_per_token(rule.plan)},
                {"sequential_depth", tailor::sequential_depth(rule.plan)},
                {"tokens_per_second", rule.runs.empty() ? json() : json(speed)},
                {"learning_rate", rule.learning_rate},
                {"allocation", rule.allocation},
                {"validation", loss_json(rule, &RunRecord::validation_loss, bytes_per_token)},
                {"test", loss_json(rule, &RunRecord::test_loss, bytes_per_token)},
                {"runs", runs},
                {"against_uniform", json()}};
    for (tailor::Comparison const& comparison : comparisons) {
      if (comparison.rule == rule.name)
        object["against_uniform"] = comparison_json(comparison, test_losses(*uniform));
    }
    result.push_back(std::move(object));
  }
  return result;
}

std::string conclusion(json const& rules) {
  std::string better, worse, unclear, few;
  auto const add = [](std::string& list, json const& rule) {
    list += (list.empty() ? "" : ", ") + rule.at("name").get<std::string>();
  };
  double detectable = 0;
  for (json const& rule : rules) {
    json const& against = rule.at("against_uniform");
    if (!against.is_object()) continue;
    json const& interval = against.at("verdict_interval");
    if (against.at("adjusted_p").is_null()) {
      add(few, rule);
    } else if (interval.at(1).get<double>() < 0) {
      add(better, rule);
    } else if (interval.at(0).get<double>() > 0) {
      add(worse, rule);
    } else {
      add(unclear, rule);
      detectable = std::max(detectable, against.at("smallest_detectable").get<double>());
    }
  }
  std::string text;
  if (!better.empty()) text += "Lower test loss than uniform widths: " + better + ". ";
  if (!worse.empty()) text += "Higher test loss than uniform widths: " + worse + ". ";
  if (!unclear.empty()) {
    text += fmt::format(
        "No difference seen for {}; effects above {:.2g} nats would have been (in 80 % of "
        "repetitions). ",
        unclear, detectable);
  }
  if (!few.empty()) text += "Too few seeds for a verdict on " + few + ". ";
  if (text.empty()) return "Nothing was compared with uniform widths.";
  text.pop_back();
  return text;
}

}  // namespace tailor_program
