#pragma once
// Widths as C++ source: a header that fixes them as a type and proves their budget where it is
// compiled.

#include <tailor/allocation/allocate.hpp>      // Allocation
#include <tailor/allocation/comment_text.hpp>  // comment_text, is_namespace_name
#include <tailor/arch/budget.hpp>              // parameters, Count
#include <tailor/arch/dims.hpp>                // Dims
#include <tailor/arch/names.hpp>               // name_of
#include <tailor/arch/plan_of.hpp>             // plan_of, kv_heads_of, head_dim_of
#include <tailor/arch/text_of.hpp>             // detail::text_of
#include <tailor/arch/validate.hpp>            // validate

#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// What a generated header is made from. Names and notes may be any bytes: they end up in comments.
struct HeaderSource {
  Dims dims;                                  ///< of the model and of its reference
  std::vector<int> widths;                    ///< one per layer
  std::vector<int> reference_widths;          ///< of the model that was measured
  std::string rule = {};                      ///< the name of the rule that made the widths
  std::optional<Allocation> allocation = {};  ///< the profile and options behind the widths
  std::vector<std::string> layer_names = {};  ///< empty, or one per layer
  std::vector<std::string> notes = {};        ///< one comment line each
  std::string namespace_name = "tailored";
};

/// The names of how exponents were chosen and of how a budget was met, as headers and files spell
/// them.
constexpr std::string_view name_of(ExponentRule rule) {
  return rule == ExponentRule::common ? "common" : "per-layer";
}
constexpr std::string_view name_of(RoundingStatus status) {
  switch (status) {
    case RoundingStatus::exact:
      return "exact";
    case RoundingStatus::within_one_quantum:
      return "within one quantum";
    case RoundingStatus::caps_bind:
      return "caps bind";
    case RoundingStatus::infeasible_floors:
      break;
  }
  return "infeasible floors";
}

namespace detail {

/// A double literal; without the point a large one would be an integer that does not fit.
inline std::string literal(double value) {
  auto text = text_of(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// Six digits: what a reader can use, and few enough that mathematical libraries which differ in
/// the last bit give the same bytes.
inline std::string six_digits(double value) {
  char text[32];
  auto const end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  return {text, end};
}

inline std::string list_of(std::span<int const> values, std::string_view empty = "none") {
  if (values.empty()) return std::string(empty);
  std::string text;
  for (int value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

/// `using NAME = ::tailor::LayerwiseWidths<...>;`, twelve widths a line.
inline std::string widths_alias(std::string_view name, std::span<int const> widths) {
  std::string text = "using " + std::string(name) + " = ::tailor::LayerwiseWidths<";
  for (std::size_t l = 0; l < widths.size(); ++l)
    text += (l % 12 == 0 ? "\n    " : " ") + std::to_string(widths[l]) +
            (l + 1 < widths.size() ? "," : "");
  return text + ">;\n";
}

inline std::string dims_literal(Dims const& d) {
  auto const option = [](std::string_view type, auto value) {
    return "::tailor::" + std::string(type) + "::" + std::string(name_of(value));
  };
  return "inline constexpr ::tailor::Dims dims{\n    .d_model = " + std::to_string(d.d_model) +
         ",\n    .layers = " + std::to_string(d.layers) +
         ",\n    .heads = " + std::to_string(d.heads) +
         ",\n    .kv_heads = " + std::to_string(kv_heads_of(d)) +
         ",\n    .head_dim = " + std::to_string(head_dim_of(d)) +
         ",\n    .vocab = " + std::to_string(d.vocab) +
         ",\n    .context = " + std::to_string(d.context) +
         ",\n    .activation = " + option("Activation", d.activation) +
         ",\n    .norms = " + option("NormPlacement", d.norms) +
         ",\n    .qk_norm = " + option("QkNorm", d.qk_norm) +
         ",\n    .layer_norm_scaling = " + option("LayerNormScaling", d.layer_norm_scaling) +
         ",\n    .tied = " + (d.tied ? "true" : "false") +
         ",\n    .rope_base = " + literal(d.rope_base) +
         ",\n    .norm_eps = " + literal(d.norm_eps) + "};\n";
}

inline std::string allocation_comment(HeaderSource const& source) {
  Allocation const& a = *source.allocation;
  std::string text =
      "// smoothing " + text_of(a.smoothing) + " layers, power " + text_of(a.power) +
      ", exponents " + std::string(name_of(a.exponent_rule)) + ", grain " +
      std::to_string(a.grain) + "\n// FFN budget " + std::to_string(a.budget) + ", spent " +
      std::to_string(a.spent) + " (" + std::string(name_of(a.status)) + "), KKT residual " +
      (a.kkt_residual < 1e-10 ? std::string("below 1e-10") : six_digits(a.kkt_residual)) +
      "\n// layers at their floor: " + list_of(a.at_floor) +
      "\n// layers at their cap: " + list_of(a.at_cap) + "\n//\n";
  for (std::size_t l = 0; l < a.widths.size(); ++l)
    text += "// layer " + std::to_string(l) + ": difficulty " + six_digits(a.difficulty[l]) +
            ", exponent " + six_digits(a.exponents[l]) + ", optimum " +
            six_digits(a.continuous[l]) + " in [" + std::to_string(a.floors[l]) + ", " +
            std::to_string(a.caps[l]) + "], width " + std::to_string(a.widths[l]) + "\n";
  return text;
}

inline void require_valid(HeaderSource const& source) {
  std::size_t const layers = source.widths.size();
  auto const refuse = [](std::string const& what) {
    throw std::invalid_argument("header_text: " + what);
  };
  if (!is_namespace_name(source.namespace_name))
    refuse("the namespace must be identifiers joined by ::, got \"" +
           comment_text(source.namespace_name) + "\"");
  if (source.reference_widths.size() != layers)
    refuse("expected " + std::to_string(layers) + " reference widths, one per width, got " +
           std::to_string(source.reference_widths.size()));
  if (!source.layer_names.empty() && source.layer_names.size() != layers)
    refuse("expected " + std::to_string(layers) + " layer names, one per width, got " +
           std::to_string(source.layer_names.size()));
  if (source.allocation && source.allocation->widths != source.widths)
    refuse("the widths are not those of the allocation");
  Dims const& d = source.dims;
  if (d.heads > 0 && d.head_dim == 0 && d.d_model % d.heads != 0)
    refuse("d_model " + std::to_string(d.d_model) + " is not a multiple of heads " +
           std::to_string(d.heads));
}

}  // namespace detail

/// A C++ header that names the widths (`Widths`), the model and its reference as types (`Model`,
/// `Reference`, with `dims`), and holds their parameter counts as static_asserts. Comments say
/// which profile and options they came from. Throws std::invalid_argument where lists differ in
/// length, the plan is not valid, or the namespace is not made of identifiers.
/// @post   the same input gives the same bytes, whatever the locale is
/// @post   the header compiles on its own
/// @post   no name or note can escape its comment
inline std::string header_text(HeaderSource const& source) {
  detail::require_valid(source);
  auto const one_each = [](std::vector<int> const& widths) {
    std::vector<std::vector<int>> lists;
    for (int width : widths) lists.push_back({width});
    return lists;
  };
  Plan const model = plan_of(source.dims, one_each(source.widths));
  Plan const reference = plan_of(source.dims, one_each(source.reference_widths));
  validate(model);
  validate(reference);
  auto const counted = [](std::string const& type, Plan const& plan, Count count) {
    auto const name = std::string(name_of(count)), number = std::to_string(parameters(plan, count));
    return "static_assert(::tailor::parameters<" + type + ">(::tailor::Count::" + name +
           ") == " + number + ",\n              \"" + type + ": Count::" + name + " must be " +
           number + "\");\n";
  };

  std::string text = "#pragma once\n// Widths of every FFN, written by tailor.\n";
  if (!source.rule.empty()) text += "// rule: " + comment_text(source.rule) + "\n";
  for (auto const& note : source.notes) text += "// " + comment_text(note, 200) + "\n";
  if (source.allocation) text += detail::allocation_comment(source);
  for (std::size_t l = 0; l < source.layer_names.size(); ++l)
    text += "// layer " + std::to_string(l) + " is called " + comment_text(source.layer_names[l]) +
            "\n";
  text +=
      "\n#include <tailor/arch/budget.hpp>       // tailor::parameters, tailor::same_budget\n"
      "#include <tailor/arch/shape.hpp>        // tailor::LayerwiseWidths\n"
      "#include <tailor/arch/transformer.hpp>  // tailor::Transformer\n\nnamespace " +
      source.namespace_name + " {\n\n" + detail::widths_alias("Widths", source.widths) +
      detail::widths_alias("ReferenceWidths", source.reference_widths) + "\n" +
      detail::dims_literal(source.dims) +
      "using Model = ::tailor::Transformer<Widths, dims>;\n"
      "using Reference = ::tailor::Transformer<ReferenceWidths, dims>;\n\n" +
      counted("Model", model, Count::matrices) + counted("Model", model, Count::ffn) +
      counted("Reference", reference, Count::matrices);
  if (parameters(model) == parameters(reference))
    text +=
        "static_assert(::tailor::same_budget<Model, Reference>,\n"
        "              \"Model: its matrices must cost what those of Reference do\");\n";
  return text + "\n}  // namespace " + source.namespace_name + "\n";
}

}  // namespace tailor
