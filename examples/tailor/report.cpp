#include "report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <tailor/geometry/statistic_name.hpp>  // tailor::parse_statistic
#include <tailor/study/profile_json.hpp>       // from_json(Profile)

#include "columns.hpp"
#include "figures.hpp"
#include "profile_text.hpp"

namespace tailor_program {
namespace {

using nlohmann::json;

std::string escaped(std::string const& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string base64(std::string const& bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::size_t const left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= left ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

std::string figure(std::string const& title, std::string const& caption,
                   std::optional<std::string> const& svg) {
  std::string out = "<figure><h3>" + escaped(title) + "</h3>";
  out += svg ? "<img alt=\"" + escaped(title) + "\" src=\"data:image/svg+xml;base64," +
                   base64(*svg) + "\">"
             : "<p class=\"missing\">Not drawn: there is nothing to draw yet, or gnuplot is not "
               "installed (Debian: apt-get install gnuplot-nox).</p>";
  return out + "<figcaption>" + escaped(caption) + "</figcaption></figure>\n";
}

/// A number that may be absent.
std::string number(json const& object, char const* field, char const* format) {
  auto const at = object.find(field);
  return at != object.end() && at->is_number()
             ? fmt::format(fmt::runtime(format), at->get<double>())
             : std::string("\u2013");
}

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (int at = int(digits.size()) - 3; at > (digits[0] == '-' ? 1 : 0); at -= 3) {
    digits.insert(std::size_t(at), "\u202f");
  }
  return digits;
}

using Row = std::vector<std::string>;

std::string table(Row const& head, std::vector<Row> const& rows) {
  std::string out = "<div class=\"wide\"><table><thead><tr>";
  for (std::string const& cell : head) out += "<th>" + escaped(cell) + "</th>";
  out += "</tr></thead><tbody>";
  for (Row const& row : rows) {
    out += "<tr>";
    for (std::string const& cell : row) out += "<td>" + escaped(cell) + "</td>";
    out += "</tr>";
  }
  return out + "</tbody></table></div>\n";
}

std::string rule_name(json const& rule) {
  std::string name = rule.at("name");
  for (json const& alias : rule.at("aliases")) name += " = " + alias.get<std::string>();
  return name;
}

Row outcome(json const& rule) {
  json const& summary = rule.at("test");
  json const& against = rule.at("against_uniform");
  Row row{rule_name(rule), std::to_string(rule.at("runs").size()),
          number(summary, "loss", "{:.4f}")};
  if (!against.is_object()) {
    row.insert(row.end(), {"\u2013", "\u2013", "\u2013", "\u2013"});
    return row;
  }
  json const& interval = against.at("verdict_interval");
  row.push_back(number(against, "uniform_loss", "{:.4f}"));
  row.push_back(number(against, "mean_difference", "{:+.4f}"));
  row.push_back(interval.is_array()
                    ? fmt::format("{:+.4f} to {:+.4f}", interval.at(0).get<double>(),
                                  interval.at(1).get<double>())
                    : std::string("\u2013"));
  row.push_back(number(against, "smallest_detectable", "{:.4f}"));
  return row;
}

Row const outcome_head{"rule",       "seeds",         "test loss", "uniform",
                       "difference", "95 % interval", "detectable"};

std::string verdict(json const& rule) {
  json const& against = rule.at("against_uniform");
  return against.is_object() ? against.at("verdict").get<std::string>()
                             : std::string("the reference of every pair");
}

std::string outcomes(json const& results) {
  std::vector<Row> rows;
  for (json const& rule : results.at("rules")) {
    json const& summary = rule.at("test");
    Row row = outcome(rule);
    row.insert(row.begin() + 3, {number(summary, "perplexity", "{:.3f}"),
                                 number(summary, "bits_per_byte", "{:.4f}")});
    row.push_back(verdict(rule));
    rows.push_back(std::move(row));
  }
  Row head = outcome_head;
  head.insert(head.begin() + 3, {"perplexity", "bits/byte"});
  head.push_back("what the evidence supports");
  return table(head, rows);
}

std::string bought(json const& results) {
  std::vector<Row> rows;
  for (json const& rule : results.at("rules")) {
    json const& counts = rule.at("counts");
    double const all = counts.at("all").get<double>();
    auto const share = [&](char const* part) {
      return fmt::format("{:.1f} %", 100 * counts.at(part).get<double>() / all);
    };
    rows.push_back({rule_name(rule), grouped(counts.at("matrices").get<double>()), grouped(all),
                    share("attention"), share("ffn"), share("embedding"),
                    grouped(rule.at("forward_flops_per_token").get<double>()),
                    grouped(rule.at("kv_bytes_per_token").get<double>()),
                    std::to_string(rule.at("sequential_depth").get<long>()),
                    number(rule, "tokens_per_second", "{:.0f}"),
                    fmt::format("{:g}", rule.at("learning_rate").get<double>())});
  }
  return table({"rule", "attention + FFN matrices", "all parameters", "attention", "FFN",
                "embedding", "forward FLOPs/token", "KV bytes/token", "sequential depth",
                "tokens/s in training", "peak rate"},
               rows);
}

std::string allocations(json const& results) {
  std::string out;
  for (json const& rule : results.at("rules")) {
    if (!rule.contains("allocation") || !rule["allocation"].is_object()) continue;
    json const& allocation = rule["allocation"];
    std::string text = allocation.at("text").get<std::string>();
    out += "<details><summary>" + escaped(rule_name(rule)) + "</summary><pre>" + escaped(text) +
           "</pre></details>\n";
  }
  return out.empty() ? out : "<h2>How widths were allocated</h2>\n" + out;
}

std::string reliability(json const& profile) {
  std::vector<Row> rows;
  auto const cell = [](json const& value) {
    return value.is_number() ? fmt::format("{:.3f}", value.get<double>())
                             : std::string("undefined");
  };
  for (auto const& [name, value] : profile.at("reliability").items()) {
    rows.push_back({tailor::parse_statistic(name).rule(),
                    cell(profile.at("rank_correlation").at(name)), cell(value)});
  }
  return table({"statistic", "rank correlation of two samples", "reliability of the mean profile"},
               rows);
}

std::string made(json const& results) {
  json const& text = results.at("text");
  json const& machine = results.at("machine");
  std::string seeds;
  for (json const& seed : results.at("seeds")) {
    seeds += (seeds.empty() ? "" : ", ") + std::to_string(seed.get<long>());
  }
  std::vector<Row> rows{
      {"command", results.at("command").get<std::string>()},
      {"text", fmt::format("{} ({} tokens, {} documents, {})", text.at("source").get<std::string>(),
                           grouped(text.at("tokens").get<double>()),
                           text.at("documents").get<long>(), text.at("hash").get<std::string>())},
      {"tokens in train / validation / test",
       fmt::format("{} / {} / {}", grouped(text.at("train_tokens").get<double>()),
                   grouped(text.at("validation_tokens").get<double>()),
                   grouped(text.at("test_tokens").get<double>()))},
      {"seeds", seeds + fmt::format(" (profile and rates: seed {}, not among them)",
                                    results.at("reference_seed").get<long>())},
      {"tokens per run", grouped(results.at("tokens_per_run").get<double>())},
      {"batch", fmt::format("{} sequences of {} tokens", results.at("sequences").get<long>(),
                            results.at("context").get<long>())},
      {"machine", fmt::format("{} threads, {} runs side by side, {}",
                              machine.at("threads").get<long>(), machine.at("runs").get<long>(),
                              machine.at("instruction_set").get<std::string>())},
      {"time", fmt::format("{:.0f} s", results.at("seconds").get<double>())}};
  return table({"what", "value"}, rows);
}

char const* const style = R"(
body{font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:1200px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.7rem;margin-bottom:.2rem}h2{margin-top:2.2rem;border-bottom:1px solid #ccc}h3{margin:.4rem 0}
.lead{font-size:1.05rem}.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.86rem;margin:.8rem 0}
th,td{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top;font-variant-numeric:tabular-nums}
th{background:#f4f4f4}.outcome td:last-child{min-width:16rem}figure{margin:1.2rem 0}img{max-width:100%;height:auto}figcaption,.note{color:#555;font-size:.9rem}
.missing{background:#fff4e5;padding:.6rem}pre{overflow-x:auto;background:#f7f7f7;padding:.8rem;font-size:.82rem}
.warning{background:#fff4e5;border-left:4px solid #e69f00;padding:.5rem .8rem})";

}  // namespace

std::string report_html(json const& results, json const& profile, json const& without_massive) {
  double const tokens = results.at("tokens_per_run").get<double>();
  double const parameters = results.at("rules").at(0).at("counts").at("all").get<double>();
  double const ratio = tokens / parameters;

  std::string html =
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>Tailor: FFN widths compared</title>"
      "<style>" +
      std::string(style) + "</style></head><body>\n<h1>FFN widths compared</h1>\n";
  html += "<p class=\"lead\">" + escaped(results.at("conclusion").get<std::string>()) + "</p>\n";
  html += fmt::format(
      "<p class=\"note\">{} tokens per run for {} parameters: {:.1f} tokens per parameter{}</p>\n",
      grouped(tokens), grouped(parameters), ratio,
      ratio < 20 ? ". Below 20 this is early training: an order of rules seen here need not last."
                 : ".");
  for (json const& warning : results.at("warnings")) {
    html += "<p class=\"warning\">" + escaped(warning.get<std::string>()) + "</p>\n";
  }
  html += "<h2>Outcome</h2>\n<div class=\"outcome\">" + outcomes(results) + "</div>";
  html +=
      "<p class=\"note\">Losses are means over seeds on the test split, read once, in nats per "
      "token. Differences are paired by seed: the same initial values, batches and evaluation "
      "windows; a rule with fewer seeds is held against uniform on those. The 95 % intervals hold "
      "for all rules with five seeds or more at once (Bonferroni), and the verdict follows them; "
      "below five seeds they are the rule's own. \u201cDetectable\u201d is the smallest true "
      "difference that this many seeds would have shown in 80 % of repetitions.</p>\n";
  html += figure("Paired differences", "Left of zero is better than uniform widths.",
                 difference_intervals(results));
  html +=
      figure("Width schedules",
             "Every schedule spends the same number of matrix parameters, except where a note says "
             "otherwise. A random rule is shown with the widths of its first seed.",
             width_schedules(results));
  html += "<h2>What each budget bought</h2>\n" + bought(results);
  html += "<h2>Training</h2>\n";
  html += figure("Loss curves",
                 "Mean over each rule\u2019s own seeds, on a part of the validation split.",
                 loss_curves(results));
  html += figure("Paired difference against tokens",
                 "Validation split, mean over seeds with each rule\u2019s own 95 % interval.",
                 difference_curves(results, Abscissa::tokens));
  html += figure("Paired difference against training FLOPs",
                 "The same differences placed by what each rule's training had cost by then.",
                 difference_curves(results, Abscissa::training_flops));
  if (profile.is_object()) {
    html += "<h2>The profile</h2>\n";
    html +=
        figure("Work of every layer",
               "Nine statistics of how far a layer's FFN moves, bends and re-knots its cloud of "
               "tokens; each column divided by its mean over the layers.",
               profile_heat_map(profile));
    if (without_massive.is_object()) {
      html +=
          figure("With and without massive tokens",
                 "Tokens with norms over 20 medians were kept. Solid: with them; dashed: "
                 "without; both divided by the mean over the layers without. Shown are the "
                 "statistics that differ by more than a tenth and three standard errors in some "
                 "layer.",
                 massive_profiles(profile, without_massive));
    }
    html += reliability(profile);
    html +=
        "<p class=\"note\">Reliability is the correlation expected between this mean profile and "
        "another one from as many fresh samples of tokens.</p>\n";
    if (profile.at("stability").is_object()) {
      auto const measured = profile.get<tailor::Profile>();
      html += "<p class=\"note\">The profile is " +
              escaped(stability_text(*measured.stability, measured.samples)) + ".</p>\n";
    }
  }
  html += allocations(results);
  html += "<h2>How it was made</h2>\n" + made(results) + "</body></html>\n";
  return html;
}

std::string report_table(json const& results) {
  std::vector<Row> rows{outcome_head};
  for (json const& rule : results.at("rules")) rows.push_back(outcome(rule));
  std::vector<std::size_t> width(outcome_head.size(), 0);
  for (Row const& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], columns(row[i]));
  }
  std::string out;
  for (Row const& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      bool const last = i + 1 == row.size();
      out += row[i] + (last ? "" : std::string(width[i] - columns(row[i]) + 2, ' '));
    }
    out += "\n";
  }
  out += "\n";
  for (json const& rule : results.at("rules")) {
    if (rule.at("against_uniform").is_object()) {
      out += rule_name(rule) + ": " + verdict(rule) + "\n";
    }
  }
  return out;
}

}  // namespace tailor_program
