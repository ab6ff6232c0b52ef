#include <tailor/allocation/dims_of.hpp>  // dims_of
#include <tailor/allocation/header.hpp>   // what is tested

#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <locale>
#include <random>
#include <string>
#include <vector>

#ifndef TAILOR_CXX_COMPILER
#define TAILOR_CXX_COMPILER "c++"
#endif
#ifndef TAILOR_INCLUDE_DIR
#define TAILOR_INCLUDE_DIR "include"
#endif

using namespace tailor;

namespace {

HeaderSource tapered() {
  return {.dims = {.d_model = 64, .layers = 4, .heads = 4, .vocab = 256, .context = 128},
          .widths = {160, 136, 120, 96},
          .reference_widths = {128, 128, 128, 128}};
}

HeaderSource allocated() {
  HeaderSource source = tapered();
  source.allocation = allocate({.difficulty = {0.4, 0.3, 0.2, 0.1 / 3},
                                .dimension = {4, 9.5, 12, 20},
                                .budget = width_budget(uniform_plan(source.dims, 128))});
  source.widths = source.allocation->widths;
  source.rule = "topological/hyperbolic";
  return source;
}

/// What the compiler says, with the warnings of the house as errors, of a file that includes
/// nothing but this header; empty where it compiles.
std::string diagnosis(std::string const& text) {
  auto const path = (std::filesystem::temp_directory_path() /
                     ("tailor_header_" + std::to_string(std::random_device()())))
                        .string();
  std::ofstream(path + ".hpp", std::ios::binary) << text;
  std::string const command =
      TAILOR_CXX_COMPILER
      " -std=c++20 -trigraphs -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I" TAILOR_INCLUDE_DIR
      " -x c++ -include " +
      path + ".hpp /dev/null >" + path + ".log 2>&1";
  bool const compiled = std::system(command.c_str()) == 0;
  std::ifstream log(path + ".log");
  std::string said(std::istreambuf_iterator<char>(log), {});
  std::filesystem::remove(path + ".hpp");
  std::filesystem::remove(path + ".log");
  return compiled ? said : "failed: " + said;
}

/// What a compiler sees: no comments, and no lines that were nothing else.
std::string without_comments(std::string const& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto const line = text.substr(at, end - at);
    if (auto const seen = line.substr(0, line.find("//")); !seen.empty()) code += seen + "\n";
    at = end + 1;
  }
  return code;
}

std::vector<std::string> hostile_names() {
  return {"*/ int leaked = 1; /*", "line\nint leaked = 1;\r\n", "ends in a backslash \\",
          "trigraph ?"
          "?/\n#error leaked\n// ?"
          "?/"};
}

}  // namespace

TEST_CASE("the header compiles on its own and its static_asserts hold the budget", "[allocation]") {
  auto const text = header_text(allocated());
  // attention 4 layers * 4 * 64 * 64, FFN 4 layers * 3 * 64 * 128
  CHECK(text.find("Count::matrices) == 163840,") != std::string::npos);
  CHECK(text.find("Count::ffn) == 98304,") != std::string::npos);
  CHECK(text.find("same_budget<Model, Reference>") != std::string::npos);
  CHECK(diagnosis(text) == "");
}

TEST_CASE("a header whose widths were changed by hand no longer compiles", "[allocation]") {
  auto text = header_text(tapered());
  text.replace(text.find("160,"), 4, "161,");
  CHECK_THAT(diagnosis(text), Catch::Contains("Model: Count::matrices must be 163840") &&
                                  Catch::Contains("Model: its matrices must cost"));
}

TEST_CASE("no name or note can escape its comment", "[allocation]") {
  auto source = allocated();
  auto const harmless = without_comments(header_text(source));
  source.layer_names = hostile_names();
  source.rule = "oracle:a//\\\n#error leaked";
  source.notes = {std::string(10240, '\\'), "\xff\xfe not UTF-8 \xc3", std::string("a\0b", 3),
                  "R\"(x"};
  auto const text = header_text(source);
  CHECK(without_comments(text) == harmless);
  CHECK(text.find('\\') == std::string::npos);
  CHECK(text.find('?') == std::string::npos);
  CHECK(text.size() < 6000);
  CHECK(std::all_of(text.begin(), text.end(),
                    [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
  CHECK(diagnosis(text) == "");
}

TEST_CASE("the same input gives the same bytes, whatever the locale is", "[allocation]") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  auto const before = header_text(allocated());
  auto const previous = std::locale::global(std::locale(std::locale(), new Comma));
  auto const after = header_text(allocated());
  std::locale::global(previous);
  CHECK(before == after);
}

TEST_CASE("every switch of Dims survives the header", "[allocation]") {
  auto source = tapered();
  source.dims = {.d_model = 64,
                 .layers = 4,
                 .heads = 6,
                 .kv_heads = 3,
                 .head_dim = 16,
                 .vocab = 1000,
                 .context = 64,
                 .activation = Activation::relu2,
                 .norms = NormPlacement::both,
                 .qk_norm = QkNorm::per_head,
                 .layer_norm_scaling = LayerNormScaling::by_sub_block,
                 .tied = false,
                 .rope_base = 123456789012345680.0,
                 .norm_eps = 1e-6};
  source.widths = {0, 200, 0, 56};
  source.namespace_name = "mine::tailor_made";
  auto const dims = source.dims;
  auto const text =
      header_text(source) +
      "static_assert(mine::tailor_made::dims.heads == 6);\n"
      "static_assert(mine::tailor_made::dims.norm_eps == 1e-6);\n"
      "static_assert(mine::tailor_made::dims.rope_base == 123456789012345680.0);\n"
      "static_assert(!mine::tailor_made::dims.tied);\n"
      "static_assert(mine::tailor_made::dims.qk_norm == tailor::QkNorm::per_head);\n"
      "static_assert(tailor::plan_of<mine::tailor_made::Model>().layers[1].widths[0] == 200);\n";
  CHECK(dims_of(plan_of(dims, {{0}, {200}, {0}, {56}})) == dims);
  CHECK(text.find("same_budget") ==
        text.rfind("same_budget"));  // 256 units are not 512: only the include's comment
  CHECK(diagnosis(text) == "");
}

TEST_CASE("a namespace that is no identifier is an error", "[allocation]") {
  for (auto const* bad : {"", "1st", "a b", "class", "a::", "::a", "a:::b", "_a", "a__b", "std",
                          "tailor", "linux", "x;}", "caf\xc3\xa9"}) {
    auto source = tapered();
    source.namespace_name = bad;
    CHECK_THROWS_WITH(header_text(source), Catch::Contains("namespace"));
  }
  CHECK(is_namespace_name("a::b_2::C"));
}

TEST_CASE("lists that do not fit the layers are errors", "[allocation]") {
  auto source = tapered();
  source.reference_widths.pop_back();
  CHECK_THROWS_WITH(header_text(source), Catch::Contains("expected 4 reference widths"));
  source = tapered();
  source.layer_names = {"one"};
  CHECK_THROWS_WITH(header_text(source), Catch::Contains("expected 4 layer names"));
  source = tapered();
  source.dims.layers = 5;
  CHECK_THROWS_AS(header_text(source), std::invalid_argument);
  source = tapered();
  source.dims.heads = 5;
  CHECK_THROWS_WITH(header_text(source), Catch::Contains("not a multiple of heads"));
  source = allocated();
  source.widths[0] += 1;
  CHECK_THROWS_WITH(header_text(source), Catch::Contains("not those of the allocation"));
}
