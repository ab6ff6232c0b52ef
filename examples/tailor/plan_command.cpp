// tailor plan: every architecture of a given number of parameters.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include <tailor/arch/budget.hpp>   // tailor::parameters
#include <tailor/arch/search.hpp>   // tailor::search
#include <tailor/io/plan_json.hpp>  // to_json(Plan)

#include "commands.hpp"
#include "files.hpp"
#include "numbers.hpp"

namespace tailor_program {
namespace {

struct Flags {
  std::string target, attention = "any", attention_parameters = "0", out;
  std::string sub_blocks = "1-8", layers = "4-36", d_model = "256-4096:16", heads = "1-64",
              kv_heads = "0", head_dim = "64";
  double lowest_ratio = 0.1, highest_ratio = 4, lowest_share = 0, highest_share = 1;
  double tolerance = 1e-5;
  int show = 20, grain = 1, vocab = 50304, context = 1024;
  bool json = false;
};

tailor::SearchSpace space_of(Flags const& flags) {
  tailor::SearchSpace space{
      .sub_blocks = parsed_range("--sub-blocks", flags.sub_blocks),
      .layers = parsed_range("--layers", flags.layers),
      .d_model = parsed_range("--d-model", flags.d_model),
      .heads = parsed_range("--heads", flags.heads),
      .kv_heads = parsed_range("--kv-heads", flags.kv_heads),
      .head_dim = parsed_range("--head-dim", flags.head_dim),
      .attention_parameters = parsed_count("--attention-parameters", flags.attention_parameters),
      .width_grain = flags.grain,
      .lowest_ratio = flags.lowest_ratio,
      .highest_ratio = flags.highest_ratio,
      .lowest_ffn_share = flags.lowest_share,
      .highest_ffn_share = flags.highest_share};
  if (flags.attention == "d-model") {
    space.attention = tailor::AttentionWidth::d_model;
  } else if (flags.attention != "any") {
    throw std::invalid_argument("--attention: \"" + flags.attention +
                                "\" is neither any nor d-model");
  }
  return space;
}

void run(Flags const& flags) {
  std::int64_t const target = parsed_count("--target", flags.target);
  if (flags.show < 0) throw std::invalid_argument("--show: must not be negative");
  if (!flags.out.empty()) check_output(flags.out);
  auto const start = std::chrono::steady_clock::now();
  auto const result =
      tailor::search(space_of(flags), target,
                     {.tolerance = flags.tolerance, .limit = std::size_t(std::max(1, flags.show))});
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  tailor::Dims const rest{.vocab = flags.vocab, .context = flags.context};
  if (!flags.out.empty()) {
    if (result.best.empty()) throw std::invalid_argument("--out: no configuration to write");
    write_json(flags.out, tailor::plan_of(result.best.front().configuration, rest));
  }
  if (flags.json) {
    nlohmann::json list = nlohmann::json::array();
    for (auto const& match : result.best) {
      auto const& c = match.configuration;
      list.push_back({{"sub_blocks", c.sub_blocks},
                      {"layers", c.layers},
                      {"d_model", c.d_model},
                      {"width", c.width},
                      {"heads", c.heads},
                      {"kv_heads", c.kv_heads},
                      {"head_dim", c.head_dim},
                      {"matrices", match.parameters},
                      {"attention", match.attention}});
    }
    fmt::print(
        "{}\n",
        nlohmann::json{
            {"target", target}, {"found", result.found}, {"exact", result.exact}, {"best", list}}
            .dump(2));
    return;
  }
  fmt::print("{} configurations within {:g} of {} matrix parameters, {} of them exact ({:.2f} s)\n",
             result.found, flags.tolerance, target, result.exact, seconds);
  if (result.best.empty()) return;
  fmt::print("{:>3} {:>3} {:>7} {:>6} {:>8} {:>6} {:>3} {:>8} {:>13} {:>10} {:>10}\n", "K", "L",
             "d_model", "width", "width/d", "heads", "kv", "head_dim", "matrices", "mismatch",
             "attention");
  for (auto const& match : result.best) {
    auto const& c = match.configuration;
    fmt::print("{:>3} {:>3} {:>7} {:>6} {:>8.3f} {:>6} {:>3} {:>8} {:>13} {:>+10} {:>9.1f}%\n",
               c.sub_blocks, c.layers, c.d_model, c.width, double(c.width) / c.d_model, c.heads,
               c.kv_heads, c.head_dim, match.parameters, match.parameters - target,
               100.0 * double(match.attention) / double(match.parameters));
  }
  if (result.found > std::int64_t(result.best.size())) {
    fmt::print("and {} more (--show N)\n", result.found - std::int64_t(result.best.size()));
  }
}

}  // namespace

void add_plan(CLI::App& app) {
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "plan", "List the architectures that have a given number of matrix parameters, best first");
  command.add_option("--target", flags->target, "attention + FFN matrix parameters, as 113M")
      ->required();
  command.add_option("--tolerance", flags->tolerance, "relative mismatch; 0: exact only")
      ->capture_default_str();
  command.add_option("--sub-blocks", flags->sub_blocks, "K, sub-MLPs per layer")
      ->capture_default_str();
  command.add_option("--layers", flags->layers, "range of L")->capture_default_str();
  command.add_option("--d-model", flags->d_model, "range of d_model")->capture_default_str();
  command.add_option("--heads", flags->heads, "range of heads")->capture_default_str();
  command.add_option("--kv-heads", flags->kv_heads, "range of kv heads; 0: as many as heads")
      ->capture_default_str();
  command.add_option("--head-dim", flags->head_dim, "range of head widths")->capture_default_str();
  command
      .add_option("--attention", flags->attention, "any, or d-model: heads x head-dim = d_model")
      ->capture_default_str();
  command
      .add_option("--attention-parameters", flags->attention_parameters,
                  "fix the attention parameters; 0: free")
      ->capture_default_str();
  command.add_option("--lowest-ratio", flags->lowest_ratio, "of width / d_model")
      ->capture_default_str();
  command.add_option("--highest-ratio", flags->highest_ratio, "of width / d_model")
      ->capture_default_str();
  command.add_option("--lowest-ffn-share", flags->lowest_share, "FFN over all matrices")
      ->capture_default_str();
  command.add_option("--highest-ffn-share", flags->highest_share, "FFN over all matrices")
      ->capture_default_str();
  command.add_option("--grain", flags->grain, "widths are multiples of it")->capture_default_str();
  command.add_option("--show", flags->show, "how many to list")->capture_default_str();
  command.add_option("--out", flags->out, "write the best one as plan.json here");
  command.add_option("--vocab", flags->vocab, "of the plan written")->capture_default_str();
  command.add_option("--context", flags->context, "of the plan written")->capture_default_str();
  command.add_flag("--json", flags->json, "print JSON");
  command.footer("Example:  tailor plan --target 113246208 --attention d-model --tolerance 0");
  command.callback([flags] { run(*flags); });
}

}  // namespace tailor_program
