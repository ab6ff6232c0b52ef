// tailor allocate: widths from a profile, as a header and a plan.

#include <fmt/format.h>

#include <memory>

#include <tailor/allocation/dims_of.hpp>  // tailor::dims_of
#include <tailor/allocation/header.hpp>   // tailor::header_text
#include <tailor/io/atomic_file.hpp>      // tailor::write_file
#include <tailor/io/plan_json.hpp>        // to_json(Plan)
#include <tailor/study/profile_json.hpp>  // tailor::read_profile
#include <tailor/study/rules.hpp>         // tailor::plan_for

#include "allocation_text.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "numbers.hpp"
#include "plan_flags.hpp"
#include "profile_flags.hpp"

namespace tailor_program {
namespace {

struct Flags {
  AllocationFlags allocation;
  PlanFlags plan;
  int vocab = 256;
  std::string profile, rule = "topological/hyperbolic", out, budget;
  std::uint64_t seed = 1;
  bool json = false;
};

void run(Flags const& flags) {
  tailor::Plan const reference = flags.plan.plan(flags.plan.file.empty() ? flags.vocab : 1);
  tailor::Profile const profile = tailor::read_profile(flags.profile);
  tailor::Rule const rule = tailor::parse_rule(flags.rule);
  tailor::AllocationOptions options = flags.allocation.options();
  if (!flags.budget.empty()) {
    options.budget = parsed_count("--budget", flags.budget);
    if (options.budget < 1) throw std::invalid_argument("--budget: must be at least 1");
  }
  tailor::RulePlan const planned = tailor::plan_for(rule, reference, &profile, flags.seed, options);
  std::string text = fmt::format("{} has no allocation of its own\n", rule.name);
  if (planned.allocation) {
    options.statistic = rule.statistic.rule();
    if (rule.control == tailor::Control::inverse) options.power = -options.power;
    text = allocation_text(*planned.allocation, profile, reference, options);
  }
  auto const widths = tailor::widths_of(planned.plan);
  if (!flags.out.empty()) {
    make_folder(flags.out);
    std::filesystem::path const folder = flags.out;
    auto const dims = tailor::dims_of(reference);
    bool const one_block = widths.size() == reference.layers.size() &&
                           planned.plan == tailor::with_widths(reference, widths);
    if (!dims || !one_block) {
      throw std::invalid_argument("--rule " + rule.name +
                                  " has no header: its plan is no LayerwiseWidths of these Dims");
    }
    tailor::HeaderSource source{.dims = *dims,
                                .widths = widths,
                                .reference_widths = tailor::widths_of(reference),
                                .rule = rule.name,
                                .allocation = {}};
    if (planned.allocation && planned.allocation->widths == widths) {
      source.allocation = planned.allocation;
    }
    source.layer_names = given_names(profile);
    std::string const header = tailor::header_text(source);
    tailor::write_file(folder / "widths.hpp", header);
    write_json(folder / "plan.json", planned.plan);
  }
  if (flags.json) {
    nlohmann::json content{{"rule", rule.name}, {"widths", widths}, {"plan", planned.plan}};
    content["allocation"] =
        planned.allocation ? allocation_json(*planned.allocation, text) : nlohmann::json();
    fmt::print("{}\n", content.dump(2));
    return;
  }
  fmt::print("{}widths of {}:", text, rule.name);
  for (int width : widths) fmt::print(" {}", width);
  fmt::print("\n");
  if (!flags.out.empty()) fmt::print("written: {0}/widths.hpp, {0}/plan.json\n", flags.out);
}

}  // namespace

void add_allocate(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("allocate", "Cut widths to a profile under the reference's exact budget");
  command.add_option("--profile", flags->profile, "profile.json")->required();
  command.add_option("--vocab", flags->vocab, "vocabulary of the measured model, without --plan")
      ->capture_default_str();
  command.add_option("--rule", flags->rule, "as in tailor fit")->capture_default_str();
  command.add_option("--budget", flags->budget,
                     "FFN parameters to spend, as 2M (default: what the reference spends)");
  command.add_option("--seed", flags->seed, "of random: rules")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, largest_flag));
  command.add_option("--out", flags->out, "folder for widths.hpp and plan.json");
  command.add_flag("--json", flags->json, "print JSON");
  flags->plan.add_to(command);
  flags->allocation.add_to(command);
  command.footer(
      "Example:  tailor allocate --profile profile.json --plan plan.json --out tailored\nThe "
      "measured model "
      "is a plan.json or given by its sizes.");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
