#include "fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <stdexcept>

#include <tailor/allocation/dims_of.hpp>  // tailor::dims_of
#include <tailor/allocation/header.hpp>   // tailor::header_text
#include <tailor/io/atomic_file.hpp>      // tailor::write_file
#include <tailor/io/plan_json.hpp>        // to_json(Plan)
#include <tailor/study/profile_json.hpp>  // to_json(Profile)
#include <tailor/study/rules.hpp>         // tailor::plan_for
#include <tailor/study/width_list.hpp>    // tailor::read_width_list
#include <tailor/train/fnv.hpp>           // tailor::Fnv1a64

#include "allocation_text.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "job_queue.hpp"
#include "massive_differences.hpp"
#include "profile_text.hpp"
#include "report.hpp"

namespace tailor_program {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A rule as a folder name: letters and hyphens; a file's path by its hash.
std::string slug(tailor::Rule const& rule) {
  if (rule.kind == tailor::RuleKind::oracle) {
    tailor::Fnv1a64 hash;
    hash.add(std::as_bytes(std::span(rule.name)));
    return "oracle-" + tailor::hexadecimal(hash.value());
  }
  std::string name = rule.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ':'; }, '-');
  return name;
}

/// The choices that a folder was begun with; a later start must make the same ones.
json choices(FitOptions const& options, json const& text) {
  json rules = json::array();
  for (RuleSeeds const& rule : options.rules) {
    rules.push_back({{"rule", rule.rule.name}, {"seeds", rule.seeds}});
    if (rule.rule.kind == tailor::RuleKind::oracle) {
      rules.back()["widths"] = tailor::read_width_list(rule.rule.file);
    }
  }
  auto const& measure = options.profile.measure;
  auto const& allocation = options.allocation;
  return {{"text", text.at("fingerprint")},
          {"reference", options.reference},
          {"rules", rules},
          {"reference_seed", options.reference_seed},
          {"tokens", options.tokens},
          {"minutes", options.tokens > 0 ? 0 : options.minutes},
          {"sequences", options.training.sequences},
          {"weight_decay", options.training.weight_decay},
          {"rates", options.rates},
          {"evaluation_windows", options.evaluation_windows},
          {"pool", options.profile.pool},
          {"per_window", options.profile.per_window},
          {"profile_seed", measure.seed},
          {"samples", measure.samples},
          {"until", options.profile.until ? json(*options.profile.until) : json()},
          {"cloud_tokens", measure.tokens},
          {"keep_massive", measure.keep_massive},
          {"rho", measure.rho},
          {"curvature", measure.curvature},
          {"exponents", std::string(tailor::name_of(allocation.exponents))},
          {"power", allocation.power},
          {"smoothing", allocation.smoothing ? json(*allocation.smoothing) : json()},
          {"grain", allocation.grain ? json(*allocation.grain) : json()},
          {"floor", allocation.floor},
          {"cap", allocation.cap}};
}

/// fit.json: the choices, what was decided from timings, and the seconds spent so far.
class Ledger {
 public:
  Ledger(fs::path file, json const& wanted) : file_(std::move(file)) {
    if (!fs::exists(file_)) {
      content_ = {{"format", 1}, {"choices", wanted}, {"seconds", 0.0}};
      return;
    }
    begun_ = true;
    content_ = read_json(file_);
    if (!content_.is_object() || !content_.value("choices", json()).is_object() ||
        !content_.value("seconds", json()).is_number()) {
      throw std::invalid_argument(file_.string() + ": not written by tailor fit");
    }
    for (auto const& [name, value] : wanted.items()) {
      json const& before = content_["choices"].value(name, json());
      if (before == value) continue;
      throw std::invalid_argument(fmt::format(
          "{}: this folder holds a fit with another {}: {} there, {} now; continue with "
          "the same flags or give another --out",
          file_.string(), name, before.dump().substr(0, 200), value.dump().substr(0, 200)));
    }
  }

  /// The time that this process added is written whenever something is; a fit that was refused
  /// before its first decision leaves no folder behind.
  ~Ledger() {
    if (!begun_) return;
    try {
      save();
    } catch (std::exception const&) {  // nothing is lost but a count of seconds
    }
  }

  bool has(char const* name) const { return content_.contains(name); }
  json const& operator[](char const* name) const { return content_.at(name); }
  void set(char const* name, json value) {
    content_[name] = std::move(value);
    begun_ = true;
    save();
  }

  double seconds() const {
    return content_.at("seconds").get<double>() +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  void save() {
    double const now = seconds();
    start_ = std::chrono::steady_clock::now();
    content_["seconds"] = now;
    write_json(file_, content_);
  }

  fs::path file_;
  bool begun_ = false;
  json content_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A rule with the plan of each of its seeds.
struct PlannedRule {
  tailor::Rule rule;
  std::vector<std::string> aliases;
  std::map<std::uint64_t, tailor::RulePlan> plans;
  json allocation;
  double learning_rate = 0;

  tailor::Plan const& first_plan() const { return plans.begin()->second.plan; }
};

class Fit {
 public:
  Fit(FitOptions const& options, tailor::Corpus const& corpus, json const& text, Progress& progress)
      : options_(options),
        corpus_(corpus),
        text_(text),
        progress_(progress),
        device_({.threads = options.threads}),
        side_by_side_(options.side_by_side > 0 ? options.side_by_side : device_.threads()),
        threads_each_(std::max(1, device_.threads() / side_by_side_)),
        ledger_(options.out / "fit.json", choices(options, text)) {}

  json operator()() {
    sweep_partial_files(options_.out);
    for (RuleSeeds const& rule : options_.rules) {  // what can fail without a profile fails now
      if (!tailor::needs_profile(rule.rule)) plan_of_rule(rule.rule, nullptr, 0);
    }
    decide_tokens();
    train_reference();
    tailor::Profile const profile = measured_profile();
    auto rules = planned(profile);
    choose_rates(rules);
    json const results = run_all(rules);
    write_json(options_.out / "results.json", results);
    tailor::write_file(options_.out / "report.html",
                       report_html(results, read_json(profile_file()), without_massive()));
    return results;
  }

 private:
  static fs::path made(fs::path const& folder) {
    make_folder(folder);
    return folder;
  }

  std::int64_t step_tokens() const { return tailor::tokens_per_step(resolved_training()); }

  tailor::TrainOptions resolved_training() const {
    return tailor::resolved(options_.training, options_.reference);
  }

  /// The training options of one run; every run takes the same number of steps.
  tailor::TrainOptions training(std::uint64_t seed, double rate) const {
    tailor::TrainOptions training = options_.training;
    training.steps = std::max<std::int64_t>(1, tokens_ / step_tokens());
    training.length = options_.reference.context;
    training.seed = seed;
    training.learning_rate = rate;
    training.evaluate_windows = int(std::min<std::int64_t>(64, options_.evaluation_windows));
    return paced(std::move(training), curve_points, 4);
  }

  double default_rate(tailor::Plan const& plan) const {
    return tailor::default_learning_rate(tailor::parameters(plan));
  }

  /// Tokens per run: as asked, or what the minutes allow by timings made now.
  void decide_tokens() {
    if (options_.tokens > 0) {
      tokens_ = options_.tokens;
    } else if (ledger_.has("tokens_per_run")) {
      tokens_ = ledger_["tokens_per_run"].get<std::int64_t>();
    } else {
      tokens_ = timed_tokens();
    }
    tokens_ = std::max<std::int64_t>(1, tokens_ / step_tokens()) * step_tokens();
    make_folder(options_.out);
    ledger_.set("tokens_per_run", tokens_);
    double const parameters = double(tailor::parameters(options_.reference, tailor::Count::all));
    double const memory = double(training_memory(
        options_.reference, training(options_.reference_seed, default_rate(options_.reference))));
    progress_.say(
        fmt::format("{} parameters, {} tokens per run ({:.1f} per parameter); {}B of memory for {} "
                    "runs at a time",
                    compact(parameters), compact(double(tokens_)), double(tokens_) / parameters,
                    compact(memory * side_by_side_), side_by_side_));
  }

  /// The seconds of all runs grow with the tokens of one: each rule's tokens cost what its plan
  /// does (hourglasses are timed, what the profile decides costs what uniform does), and a run's
  /// evaluations cost about a third of as many training tokens.
  std::int64_t timed_tokens() {
    progress_.say("timing training for about 10 seconds to see what fits into " +
                  duration(options_.minutes * 60));
    std::map<tailor::RuleKind, tailor::Plan> timed{{tailor::RuleKind::uniform, options_.reference}};
    double runs = 0;
    for (RuleSeeds const& rule : options_.rules) {
      if (rule.rule.kind == tailor::RuleKind::hourglass ||
          rule.rule.kind == tailor::RuleKind::hourglass_reallocated) {
        timed.emplace(rule.rule.kind, tailor::plan_for(rule.rule, options_.reference).plan);
      }
      runs += double(rule.seeds.size());
    }
    std::map<tailor::RuleKind, double> seconds_per_token;
    for (auto const& [kind, plan] : timed) {
      seconds_per_token[kind] = seconds_per_training_token(plan, 10.0 / double(timed.size()));
    }
    double const uniform = seconds_per_token.at(tailor::RuleKind::uniform);
    double per_token = uniform;  // the reference run
    double const trials = options_.rates.size() > 1 ? double(options_.rates.size()) : 0;
    for (RuleSeeds const& rule : options_.rules) {
      auto const own = seconds_per_token.find(rule.rule.kind);
      double const cost = own == seconds_per_token.end() ? uniform : own->second;
      per_token += cost * (double(rule.seeds.size()) + trials) / side_by_side_;
    }
    double const evaluated =
        double(options_.reference.context) *
        (curve_points * double(std::min<std::int64_t>(64, options_.evaluation_windows)) +
         2.0 * double(options_.evaluation_windows)) /
        3;
    double const profile_seconds =
        measuring_seconds(device_, options_.reference.d_model,
                          int(options_.reference.layers.size()), options_.profile);
    double const left = options_.minutes * 60 * 0.95 - ledger_.seconds() - profile_seconds;
    double const tokens = left / per_token - evaluated;
    if (!(tokens >= double(10 * step_tokens()))) {
      throw std::invalid_argument(fmt::format(
          "--minutes {:g}: {} runs of this model need at least {} here for ten steps each; give "
          "more "
          "minutes, fewer seeds or rules, or --tokens",
          options_.minutes, runs + 1,
          duration(profile_seconds + per_token * (10.0 * double(step_tokens()) + evaluated))));
    }
    return std::int64_t(tokens);
  }

  /// Timed with as many trainings at once as will run side by side: they share caches and memory.
  double seconds_per_training_token(tailor::Plan const& plan, double seconds) {
    std::vector<double> speeds(std::size_t(side_by_side_), 0.0);
    tailor::TrainOptions const options = training(options_.reference_seed, default_rate(plan));
    tailor::cpu::Device crew({.threads = side_by_side_});
    parallel(crew, side_by_side_, [&](std::int64_t i) {
      tailor::cpu::Device device({.threads = threads_each_});
      speeds[std::size_t(i)] = training_speed(device, plan, options, corpus_, seconds);
    });
    return 1 / *std::min_element(speeds.begin(), speeds.end());
  }

  void train_reference() {
    fs::path const folder = options_.out / "reference";
    progress_.say(fmt::format("training the uniform reference (seed {})", options_.reference_seed));
    perform_all(
        {{.label = "reference",
          .run = {.plan = options_.reference,
                  .seed = options_.reference_seed,
                  .training = training(options_.reference_seed,
                                       options_.rates.empty() ? default_rate(options_.reference)
                                                              : options_.rates.front()),
                  .evaluation_windows = options_.evaluation_windows,
                  .folder = folder}}},
        corpus_, 1, device_.threads(), progress_);
  }

  fs::path profile_file() const { return options_.out / "profile.json"; }

  json without_massive() const {
    fs::path const file = without_massive_file(profile_file());
    return fs::exists(file) ? read_json(file) : json();
  }

  /// How the profile is measured: stable by the statistics that decide widths here.
  ProfileOptions profile_options() const {
    ProfileOptions profile = options_.profile;
    profile.allocation = options_.allocation;
    for (RuleSeeds const& rule : options_.rules) {
      if (tailor::needs_profile(rule.rule)) profile.statistics.push_back(rule.rule.statistic);
    }
    return profile;
  }

  tailor::Profile measured_profile() {
    fs::path const file = profile_file();
    if (!fs::exists(file)) {
      progress_.say("measuring the nine work statistics on training text");
      ProfileOptions profile = profile_options();
      profile.measure.progress = [show = cloud_progress(progress_)](int done, int total) {
        stop_if_interrupted();
        show(done, total);
      };
      MeasuredProfile const measured = profile_checkpoint(
          device_, options_.out / "reference" / "checkpoint.tailor", corpus_.train, profile);
      if (measured.without_massive) {
        write_json(without_massive_file(file), *measured.without_massive);
      }
      write_json(file, measured.profile);
      progress_.say(profile_text(measured));
    }
    tailor::Profile const profile = tailor::read_profile(file);
    if (profile.stability && !profile.stability->stable) {
      warnings_.push_back("The profile is " + stability_text(*profile.stability, profile.samples) +
                          ".");
    }
    for (tailor::StatisticName const name : tailor::all_statistics) {
      auto const& reliability = profile.reliability[name.index()];
      if (reliability && *reliability < 0.8) {
        warnings_.push_back(fmt::format(
            "The mean profile of {} has reliability {:.2f}: another {} samples might order the "
            "layers otherwise. More --samples help.",
            name.rule(), *reliability, profile.samples));
      }
    }
    return profile;
  }

  tailor::RulePlan plan_of_rule(tailor::Rule const& rule, tailor::Profile const* profile,
                                std::uint64_t seed) const {
    try {
      return tailor::plan_for(rule, options_.reference, profile, seed, options_.allocation);
    } catch (std::invalid_argument const& error) {
      throw std::invalid_argument("--rules " + rule.name + ": " + error.what());
    }
  }

  std::vector<PlannedRule> planned(tailor::Profile const& profile) {
    std::vector<PlannedRule> rules;
    for (RuleSeeds const& wanted : options_.rules) {
      PlannedRule rule;
      rule.rule = wanted.rule;
      for (std::uint64_t seed : wanted.seeds) {
        rule.plans.emplace(seed, plan_of_rule(wanted.rule, &profile, seed));
      }
      describe(rule, profile);
      auto const twin = std::find_if(rules.begin(), rules.end(), [&](PlannedRule const& other) {
        return !tailor::depends_on_seed(rule.rule) && !tailor::depends_on_seed(other.rule) &&
               other.first_plan() == rule.first_plan();
      });
      if (twin == rules.end()) {
        rules.push_back(std::move(rule));
      } else {
        twin->aliases.push_back(rule.rule.name);
        twin->plans.merge(rule.plans);
      }
    }
    return rules;
  }

  /// plan.json of a rule, widths.hpp of the first that allocates, and what to warn of.
  void describe(PlannedRule& rule, tailor::Profile const& profile) {
    fs::path const folder = made(options_.out / "rules" / slug(rule.rule));
    tailor::RulePlan const& first = rule.plans.begin()->second;
    if (tailor::depends_on_seed(rule.rule)) {
      for (auto const& [seed, plan] : rule.plans) {
        write_json(made(folder / fmt::format("seed-{}", seed)) / "plan.json", plan.plan);
      }
    } else {
      write_json(folder / "plan.json", first.plan);
    }
    if (first.surplus != 0) {
      warnings_.push_back(fmt::format("{} has {:+} matrix parameters against the reference.",
                                      rule.rule.name, first.surplus));
    }
    if (!first.allocation) return;
    tailor::AllocationOptions options = options_.allocation;
    options.statistic = rule.rule.statistic.rule();
    if (rule.rule.control == tailor::Control::inverse) options.power = -options.power;
    rule.allocation =
        allocation_json(*first.allocation,
                        allocation_text(*first.allocation, profile, options_.reference, options));
    if (rule.rule.control != tailor::Control::none) return;
    auto const dims = tailor::dims_of(options_.reference);
    if (!dims) return;  // the reference has something that no Dims can say
    tailor::HeaderSource source{.dims = *dims,
                                .widths = first.allocation->widths,
                                .reference_widths = tailor::widths_of(options_.reference),
                                .rule = rule.rule.name,
                                .allocation = first.allocation};
    source.layer_names = given_names(profile);
    std::string const header = tailor::header_text(source);
    tailor::write_file(folder / "widths.hpp", header);
    if (!header_written_) tailor::write_file(options_.out / "widths.hpp", header);
    header_written_ = true;
  }

  /// With several rates, every rule trains once per rate with the reference's seed and keeps the
  /// one with the lowest validation loss.
  void choose_rates(std::vector<PlannedRule>& rules) {
    for (PlannedRule& rule : rules) {
      rule.learning_rate =
          options_.rates.empty() ? default_rate(rule.first_plan()) : options_.rates.front();
    }
    if (options_.rates.size() < 2) return;
    progress_.say(fmt::format("choosing peak rates: {} rules x {} rates", rules.size(),
                              options_.rates.size()));
    std::vector<Job> jobs;
    for (PlannedRule const& rule : rules) {
      for (double rate : options_.rates) {
        jobs.push_back({.label = fmt::format("{} rate {:g}", rule.rule.name, rate),
                        .run = {.plan = rule.first_plan(),
                                .seed = options_.reference_seed,
                                .training = training(options_.reference_seed, rate),
                                .evaluation_windows = options_.evaluation_windows,
                                .folder = options_.out / "rules" / slug(rule.rule) /
                                          fmt::format("rate-{}", rate),
                                .may_diverge = true}});
      }
    }
    auto const records = perform_all(jobs, corpus_, side_by_side_, threads_each_, progress_);
    auto const [low, high] = std::minmax_element(options_.rates.begin(), options_.rates.end());
    for (std::size_t r = 0; r < rules.size(); ++r) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < options_.rates.size(); ++i) {
        auto const at = [&](std::size_t k) {
          return records[r * options_.rates.size() + k].validation_loss;
        };
        if (at(i) < at(best)) best = i;
      }
      for (std::size_t i = 0; i < options_.rates.size(); ++i) {
        if (std::isinf(records[r * options_.rates.size() + i].validation_loss)) {
          warnings_.push_back(
              fmt::format("{} diverged at the rate {:g}.", rules[r].rule.name, options_.rates[i]));
        }
      }
      rules[r].learning_rate = options_.rates[best];
      if (rules[r].learning_rate == *low || rules[r].learning_rate == *high) {
        warnings_.push_back(fmt::format(
            "{} is best at the {} rate tried, {:g}: its optimum may lie beyond the grid.",
            rules[r].rule.name, rules[r].learning_rate == *low ? "lowest" : "highest",
            rules[r].learning_rate));
      }
    }
  }

  json run_all(std::vector<PlannedRule> const& rules) {
    std::vector<Job> jobs;
    for (PlannedRule const& rule : rules) {
      for (auto const& [seed, plan] : rule.plans) {
        jobs.push_back({.label = fmt::format("{} seed {}", rule.rule.name, seed),
                        .run = {.plan = plan.plan,
                                .seed = seed,
                                .training = training(seed, rule.learning_rate),
                                .evaluation_windows = options_.evaluation_windows,
                                .folder = options_.out / "rules" / slug(rule.rule) /
                                          fmt::format("seed-{}", seed)}});
      }
    }
    progress_.say(
        fmt::format("training {} models from scratch, {} at a time", jobs.size(), side_by_side_));
    auto const records = perform_all(jobs, corpus_, side_by_side_, threads_each_, progress_);

    std::vector<RuleRecord> compared_rules;
    auto record = records.begin();
    for (PlannedRule const& rule : rules) {
      RuleRecord& own = compared_rules.emplace_back(RuleRecord{.name = rule.rule.name,
                                                               .aliases = rule.aliases,
                                                               .plan = rule.first_plan(),
                                                               .allocation = rule.allocation,
                                                               .learning_rate = rule.learning_rate,
                                                               .runs = {}});
      for (std::size_t i = 0; i < rule.plans.size(); ++i) own.runs.push_back(*record++);
    }
    return assembled(compared(compared_rules, corpus_.bytes_per_token()));
  }

  json assembled(json rules) const {
    std::set<std::uint64_t> seeds;
    for (RuleSeeds const& rule : options_.rules) {
      seeds.insert(rule.seeds.begin(), rule.seeds.end());
    }
    return {{"format", 1},
            {"command", options_.command},
            {"conclusion", conclusion(rules)},
            {"warnings", warnings_},
            {"text", text_},
            {"machine",
             {{"threads", device_.threads()},
              {"runs", side_by_side_},
              {"instruction_set", tailor::host::name(device_.instruction_set())}}},
            {"seeds", seeds},
            {"reference_seed", options_.reference_seed},
            {"tokens_per_run", tokens_},
            {"sequences", options_.training.sequences},
            {"context", options_.reference.context},
            {"seconds", ledger_.seconds()},
            {"rules", std::move(rules)}};
  }

  static constexpr int curve_points = 12;

  FitOptions const& options_;
  tailor::Corpus const& corpus_;
  json const& text_;
  Progress& progress_;
  tailor::cpu::Device device_;
  int side_by_side_, threads_each_;
  Ledger ledger_;
  std::int64_t tokens_ = 0;
  std::vector<std::string> warnings_;
  bool header_written_ = false;
};

}  // namespace

json fit(FitOptions const& options, tailor::Corpus const& corpus, json const& text,
         Progress& progress) {
  return Fit(options, corpus, text, progress)();
}

}  // namespace tailor_program
