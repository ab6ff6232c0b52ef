// tailor fit: the whole loop.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "commands.hpp"
#include "files.hpp"
#include "fit.hpp"
#include "numbers.hpp"
#include "plan_flags.hpp"
#include "profile_flags.hpp"
#include "report.hpp"
#include "text_flags.hpp"

namespace tailor_program {
namespace {

struct Flags {
  TextFlags text;
  PlanFlags plan;
  ProfileFlags profile;
  AllocationFlags allocation;
  std::string out, rates;
  std::string rules =
      "uniform,cosine-taper,topological/hyperbolic,anti:topological/"
      "hyperbolic,hourglass@3,random@3";
  std::string seeds = "1-6", tokens;
  double minutes = 6, weight_decay = 0.1;
  int sequences = 8, threads = 0, side_by_side = 0;
  std::int64_t evaluation_windows = 512;
  bool json = false;
};

/// Equal but for their names.
bool same(tailor::Rule a, tailor::Rule const& b) {
  a.name = b.name;
  return a == b;
}

/// "uniform,random@3": rules, each with all seeds or the first so many of them.
std::vector<RuleSeeds> parsed_rules(std::string const& text,
                                    std::vector<std::uint64_t> const& seeds) {
  std::vector<RuleSeeds> rules;
  for (std::string const& part : split(text, ',')) {
    std::size_t const at = part.rfind('@');
    std::string const name = part.substr(0, at);
    RuleSeeds rule{.rule = tailor::parse_rule(name), .seeds = seeds};
    if (at != std::string::npos) {
      std::string const count = part.substr(at + 1);
      std::int64_t const wanted = parsed_count("--rules " + part, count);
      if (wanted < 1 || wanted > std::int64_t(seeds.size())) {
        throw std::invalid_argument(
            fmt::format("--rules {}: from 1 to {} seeds, got \"{}\"", part, seeds.size(), count));
      }
      rule.seeds.resize(std::size_t(wanted));
    }
    for (RuleSeeds const& other : rules) {
      if (same(rule.rule, other.rule)) {
        throw std::invalid_argument("--rules: " + name + " stands there twice");
      }
    }
    rules.push_back(std::move(rule));
  }
  auto const uniform = std::find_if(rules.begin(), rules.end(), [](RuleSeeds const& rule) {
    return rule.rule.kind == tailor::RuleKind::uniform;
  });
  if (uniform == rules.end()) {
    rules.insert(rules.begin(), {.rule = tailor::parse_rule("uniform"), .seeds = seeds});
  } else {
    std::rotate(rules.begin(), uniform, uniform + 1);
  }
  return rules;
}

/// The smallest number that is no seed of a run: the profile must not come from a compared model.
std::uint64_t unused_seed(std::vector<std::uint64_t> const& seeds) {
  std::uint64_t seed = 0;
  for (std::uint64_t used : seeds) seed += used == seed;
  return seed;
}

void run(Flags const& flags, std::string const& typed) {
  check_output_folder(flags.out);
  catch_interrupts();
  auto const seeds = parsed_seeds("--seeds", flags.seeds);
  FitOptions options;
  options.out = flags.out;
  options.command = typed;
  options.rules = parsed_rules(flags.rules, seeds);
  options.reference_seed = unused_seed(seeds);
  if (!(flags.minutes > 0 && flags.minutes < 1e6)) {
    throw std::invalid_argument("--minutes: must be positive");
  }
  if (flags.evaluation_windows < 1) {
    throw std::invalid_argument("--evaluation-windows: must be at least 1");
  }
  if (flags.side_by_side < 0 || flags.side_by_side > 4096) {
    throw std::invalid_argument("--runs: must be 0 to 4096");
  }
  options.tokens = flags.tokens.empty() ? 0 : parsed_count("--tokens", flags.tokens);
  if (!flags.tokens.empty() && options.tokens < 1) {
    throw std::invalid_argument("--tokens: must be at least 1");
  }
  options.minutes = flags.minutes;
  options.training.sequences = flags.sequences;
  options.training.weight_decay = flags.weight_decay;
  if (!flags.rates.empty()) options.rates = parsed_numbers("--lr", flags.rates);
  if (std::set<double>(options.rates.begin(), options.rates.end()).size() != options.rates.size()) {
    throw std::invalid_argument("--lr: a rate stands there twice: " + flags.rates);
  }
  options.evaluation_windows = flags.evaluation_windows;
  options.profile = flags.profile.options();
  options.allocation = flags.allocation.options();
  options.threads = flags.threads;
  options.side_by_side = flags.side_by_side;

  Progress progress(flags.json);
  int const context = flags.plan.context();
  tailor::Corpus const corpus = flags.text.load(context, TextParts::all);
  options.reference = flags.plan.plan(corpus.vocab);
  tailor::resolved(options.training, options.reference);
  nlohmann::json const text = text_json(corpus, flags.text.source());
  progress.say(fmt::format("text: {} tokens in {} documents ({} train, {} validation, {} test)",
                           compact(double(corpus.tokens())), corpus.documents.size(),
                           compact(double(corpus.train.size())),
                           compact(double(corpus.validation.size())),
                           compact(double(corpus.test.size()))));
  nlohmann::json const results = fit(options, corpus, text, progress);
  if (flags.json) {
    fmt::print("{}\n", results.dump(2));
    return;
  }
  progress.say("");
  fmt::print("{}\n{}\n", report_table(results), results.at("conclusion").get<std::string>());
  for (auto const& warning : results.at("warnings")) {
    fmt::print("note: {}\n", warning.get<std::string>());
  }
  fmt::print("report: {}\n", (options.out / "report.html").string());
}

}  // namespace

void add_fit(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "fit",
      "Train a uniform reference, measure its layers, cut widths to the same budget, train every\n"
      "rule from scratch with paired seeds, and report what the evidence supports.\n"
      "Started again with the same flags it continues where it was.");
  flags->text.add_to(command);
  command.add_option("--out", flags->out, "folder for everything that is written")->required();
  command
      .add_option("--rules", flags->rules,
                  "rules, separated by commas: uniform, cosine-taper, STATISTIC/GEOMETRY (shift, "
                  "distortion, topological / raw, spherical, hyperbolic), with anti:, mirrored:, "
                  "inverse: or random: before it, random, hourglass, hourglass-reallocated, "
                  "oracle:FILE; RULE@N takes the first N seeds only")
      ->capture_default_str();
  command.add_option("--seeds", flags->seeds, "paired seeds, as 1-6 or 1,2,5")
      ->capture_default_str();
  command.add_option("--minutes", flags->minutes, "for everything: decides the tokens per run")
      ->capture_default_str();
  command.add_option("--tokens", flags->tokens, "tokens per run, as 2M; replaces --minutes");
  command.add_option("--sequences", flags->sequences, "windows per batch")->capture_default_str();
  command.add_option("--lr", flags->rates,
                     "peak learning rate; several, separated by commas: each rule's best on "
                     "validation (default: by size)");
  command.add_option("--weight-decay", flags->weight_decay, "on matrices and embeddings")
      ->capture_default_str();
  command
      .add_option("--evaluation-windows", flags->evaluation_windows,
                  "windows of validation and of test text that a finished run is judged on")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  command.add_option("--threads", flags->threads, "threads; 0: all")->capture_default_str();
  command.add_option("--runs", flags->side_by_side, "runs side by side; 0: one per thread")
      ->capture_default_str();
  command.add_flag("--json", flags->json, "print results.json and no progress");
  flags->plan.add_to(command);
  flags->profile.add_to(command);
  flags->allocation.add_to(command);
  command.footer(
      "Example:  tailor fit --text books/ --out results --minutes 30 --rules "
      "uniform,topological/hyperbolic,anti:topological/hyperbolic");
  command.callback([flags, &command] {
    std::string typed = "tailor fit";
    for (CLI::Option const* option : command.parse_order()) {
      typed += " --" + option->get_lnames().front();
      for (std::string const& value : option->results()) {
        if (option->get_expected_max() > 0) typed += " " + value;
      }
    }
    run(*flags, typed);
  });
}

}  // namespace tailor_program
