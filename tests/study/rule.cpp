#include <tailor/study/rule.hpp>  // what is tested

#include "support/catch.hpp"

#include <string>

using namespace tailor;

TEST_CASE("every rule is parsed from its own name", "[study]") {
  for (auto const& name : rule_names()) CHECK(parse_rule(name).name == name);
  for (auto const statistic : all_statistics)
    for (auto const* prefix : {"", "anti:", "mirrored:", "inverse:", "random:"}) {
      auto const rule = parse_rule(prefix + statistic.rule());
      CHECK(rule.name == prefix + statistic.rule());
      CHECK(rule.kind == RuleKind::statistic);
      CHECK(rule.statistic == statistic);
      CHECK(parse_rule(rule.name) == rule);
      CHECK(needs_profile(rule));
      CHECK(depends_on_seed(rule) == (std::string(prefix) == "random:"));
      CHECK(parse_rule(prefix + statistic.key()) == rule);
    }
}

TEST_CASE("random alone permutes the widths of topological/hyperbolic", "[study]") {
  auto const rule = parse_rule("random");
  CHECK(rule.control == Control::random);
  CHECK(rule.statistic.rule() == "topological/hyperbolic");
  CHECK(rule.name == "random");
}

TEST_CASE("an order can be changed wherever widths differ, work only where there is some",
          "[study]") {
  CHECK(parse_rule("mirrored:cosine-taper").control == Control::mirrored);
  CHECK(parse_rule("random:oracle:a:b.json").file == "a:b.json");
  CHECK(parse_rule("oracle:anti:x").file == "anti:x");
  CHECK_THROWS_WITH(parse_rule("anti:cosine-taper"), Catch::Contains("needs a work statistic"));
  CHECK_THROWS_WITH(parse_rule("mirrored:uniform"), Catch::Contains("widths that differ"));
}

TEST_CASE("an unknown rule is an error that suggests the nearest and lists all", "[study]") {
  CHECK_THROWS_WITH(parse_rule("topologcal/hyperbolic"),
                    Catch::Contains("did you mean topological/hyperbolic?"));
  CHECK_THROWS_WITH(parse_rule("anti:topological/hyperbole"),
                    Catch::Contains("did you mean anti:topological/hyperbolic?"));
  CHECK_THROWS_WITH(tailor::parse_rule("mirrored:random"),
                    Catch::Contains("no rule \"mirrored:random\"") &&
                        !Catch::Contains("did you mean mirrored:random?"));
  for (auto const* bad :
       {"", "Uniform", "anti:", "oracle:", "anti:anti:shift/raw", "shift/", "random:random"})
    CHECK_THROWS_WITH(parse_rule(bad),
                      Catch::Contains("cosine-taper") && Catch::Contains("oracle:FILE"));
}
