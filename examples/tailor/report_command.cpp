// tailor report: draws report.html anew from the results of a fit.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include <tailor/io/atomic_file.hpp>  // tailor::write_file

#include "commands.hpp"
#include "files.hpp"
#include "massive_differences.hpp"
#include "report.hpp"

namespace tailor_program {

void add_report(CLI::App& app) {
  struct Flags {
    std::string out;
    bool json = false;
  };
  auto const flags = std::make_shared<Flags>();
  CLI::App& command = *app.add_subcommand(
      "report", "Draw report.html anew from a fit's results and show the table");
  command.add_option("--out", flags->out, "the fit's folder")->required();
  command.add_flag("--json", flags->json, "print results.json instead of the table");
  command.footer("Example:  tailor report --out RESULTS");
  command.callback([flags] {
    namespace fs = std::filesystem;
    fs::path const folder = flags->out;
    nlohmann::json const results = read_json(folder / "results.json");
    auto const if_there = [](fs::path const& file) {
      return fs::exists(file) ? read_json(file) : nlohmann::json();
    };
    nlohmann::json const profile = if_there(folder / "profile.json");
    nlohmann::json const without = if_there(without_massive_file(folder / "profile.json"));
    std::string html, table;
    try {
      html = report_html(results, profile, without);
      table = report_table(results);
    } catch (nlohmann::json::exception const& error) {
      throw std::invalid_argument((folder / "results.json").string() +
                                  " or profile.json beside it: not written by this version of "
                                  "tailor fit: " +
                                  error.what());
    }
    tailor::write_file(folder / "report.html", html);
    if (flags->json) {
      fmt::print("{}\n", results.dump(2));
    } else {
      fmt::print("{}\n{}\nreport: {}\n", table, results.at("conclusion").get<std::string>(),
                 (folder / "report.html").string());
    }
  });
}

}  // namespace tailor_program
