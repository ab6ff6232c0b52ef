#pragma once
// results.json of a fit: what every rule and seed reached, and what the paired seeds show.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <tailor/arch/plan.hpp>  // tailor::Plan

namespace tailor_program {

/// One finished run.
struct RunRecord {
  std::uint64_t seed = 0;
  double validation_loss = 0, test_loss = 0;  ///< nats per token
  std::int64_t tokens = 0;
  double tokens_per_second = 0;
  std::vector<std::pair<std::int64_t, double>> curve = {};  ///< tokens, validation loss
};

nlohmann::json to_json(RunRecord const& run);

/// Throws std::invalid_argument that names `file` and the field.
RunRecord run_record(nlohmann::json const& content, std::string const& file);

/// A rule, the plan it led to, and its runs. Rules whose plans are equal are one, under the first
/// name.
struct RuleRecord {
  std::string name;
  std::vector<std::string> aliases;
  tailor::Plan plan;
  nlohmann::json allocation;  ///< null where the rule does not allocate
  double learning_rate = 0;
  std::vector<RunRecord> runs;
};

/// The "rules" of results.json, each against the rule named uniform.
/// `bytes_per_token` 0 means unknown: no bits per byte then.
nlohmann::json compared(std::vector<RuleRecord> const& rules, double bytes_per_token);

/// One or two sentences on all rules: what the evidence supports.
std::string conclusion(nlohmann::json const& rules);

}  // namespace tailor_program
