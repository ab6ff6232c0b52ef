#pragma once
// The one spelling of every enumerator, for files, printing and command lines.

#include <tailor/arch/budget.hpp>  // tailor::Count
#include <tailor/arch/dims.hpp>    // tailor::Activation and the other switches
#include <tailor/arch/plan.hpp>    // tailor::RopeScaling

#include <array>
#include <optional>
#include <string_view>

namespace tailor {

namespace detail {

/// The names of an enumeration whose values count up from zero.
template <class Enum>
inline constexpr std::array<std::string_view, 0> names{};
template <>
inline constexpr std::array<std::string_view, 4> names<Activation>{"swiglu", "geglu", "gelu",
                                                                   "relu2"};
template <>
inline constexpr std::array<std::string_view, 3> names<NormPlacement>{"pre", "post", "both"};
template <>
inline constexpr std::array<std::string_view, 3> names<QkNorm>{"none", "whole", "per_head"};
template <>
inline constexpr std::array<std::string_view, 3> names<LayerNormScaling>{"none", "by_layer",
                                                                         "by_sub_block"};
template <>
inline constexpr std::array<std::string_view, 3> names<RopeScaling::Kind>{"none", "linear",
                                                                          "llama3"};
template <>
inline constexpr std::array<std::string_view, 6> names<Count>{"embedding", "attention", "ffn",
                                                              "norms",     "matrices",  "all"};

}  // namespace detail

/// An enumeration of arch/ whose values have names.
template <class Enum>
concept Named = !detail::names<Enum>.empty();

/// All names of an enumeration, in the order of its values.
template <Named Enum>
constexpr auto const& names_of() {
  return detail::names<Enum>;
}

/// The name of a value; "unknown" for a value outside the enumeration.
/// @post   from_name gives back the value of name_of
template <Named Enum>
constexpr std::string_view name_of(Enum value) {
  auto const index = static_cast<std::size_t>(value);
  return index < detail::names<Enum>.size() ? detail::names<Enum>[index] : "unknown";
}

/// The value with this name, if there is one.
template <Named Enum>
constexpr std::optional<Enum> from_name(std::string_view name) {
  for (std::size_t i = 0; i < detail::names<Enum>.size(); ++i) {
    if (detail::names<Enum>[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace tailor
