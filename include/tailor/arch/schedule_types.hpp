#pragma once
// Schedules as types: the widths are worked out by the compiler and become a LayerwiseWidths.

#include <tailor/arch/dims.hpp>       // tailor::Dims
#include <tailor/arch/schedules.hpp>  // tailor::cosine_taper and the others
#include <tailor/arch/shape.hpp>      // tailor::LayerwiseWidths

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tailor {

/// A type whose static constexpr widths() gives one width per layer. Anyone may write one.
template <class S>
concept Schedule = requires {
  { S::widths() } -> std::same_as<std::vector<int>>;
};

namespace detail {

/// A named vector: clang 14 does not destroy a temporary one inside a template argument.
template <class S>
constexpr std::size_t count_of_widths() {
  auto const widths = S::widths();
  return widths.size();
}

template <class S, std::size_t... Layer>
constexpr auto widths_as_type(std::index_sequence<Layer...>) {
  // A vector cannot leave the evaluation it was made in, so its integers are moved to an array.
  constexpr auto widths = [] {
    std::array<int, sizeof...(Layer)> fixed{};
    auto const list = S::widths();
    for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = list[i];
    return fixed;
  }();
  return LayerwiseWidths<widths[Layer]...>{};
}

template <Dims D, int Reference, Taper Options>
struct CosineSchedule {
  static constexpr std::vector<int> widths() { return cosine_taper(D.layers, Reference, Options); }
};

template <Dims D, int Reference, Taper Options>
struct LinearSchedule {
  static constexpr std::vector<int> widths() { return linear_taper(D.layers, Reference, Options); }
};

template <Dims D, int Reference, Taper Options>
struct SigmoidSchedule {
  static constexpr std::vector<int> widths() { return sigmoid_taper(D.layers, Reference, Options); }
};

template <Third T, Dims D, int Reference, WiderThird Options>
struct ThirdSchedule {
  static constexpr std::vector<int> widths() {
    return wider_third(T, D.layers, Reference, Options);
  }
};

template <int... Widths>
struct ReversedSchedule {
  static constexpr std::vector<int> widths() { return reversed({Widths...}); }
};

template <std::uint64_t Seed, int... Widths>
struct PermutedSchedule {
  static constexpr std::vector<int> widths() { return permuted({Widths...}, Seed); }
};

}  // namespace detail

/// The LayerwiseWidths of a schedule.
/// @post   a schedule as a type has the widths of the schedule at run time
template <Schedule S>
using WidthsOf =
    decltype(detail::widths_as_type<S>(std::make_index_sequence<detail::count_of_widths<S>()>{}));

/// `CosineTaper<D, 3072>` or `CosineTaper<D, 3072, Taper{.grain = 8}>`: see cosine_taper.
template <Dims D, int Reference, Taper Options = Taper{}>
using CosineTaper = WidthsOf<detail::CosineSchedule<D, Reference, Options>>;

template <Dims D, int Reference, Taper Options = Taper{}>
using LinearTaper = WidthsOf<detail::LinearSchedule<D, Reference, Options>>;

template <Dims D, int Reference, Taper Options = Taper{}>
using SigmoidTaper = WidthsOf<detail::SigmoidSchedule<D, Reference, Options>>;

template <Dims D, int Reference, WiderThird Options = WiderThird{}>
using WiderEarly = WidthsOf<detail::ThirdSchedule<Third::early, D, Reference, Options>>;

template <Dims D, int Reference, WiderThird Options = WiderThird{}>
using WiderMiddle = WidthsOf<detail::ThirdSchedule<Third::middle, D, Reference, Options>>;

template <Dims D, int Reference, WiderThird Options = WiderThird{}>
using WiderLate = WidthsOf<detail::ThirdSchedule<Third::late, D, Reference, Options>>;

namespace detail {

template <class S>
struct Rearranged;

template <int... Widths>
struct Rearranged<LayerwiseWidths<Widths...>> {
  using Reversed = WidthsOf<ReversedSchedule<Widths...>>;
  template <std::uint64_t Seed>
  using Permuted = WidthsOf<PermutedSchedule<Seed, Widths...>>;
};

}  // namespace detail

/// A LayerwiseWidths in reverse depth.
template <class Widths>
using Reversed = typename detail::Rearranged<Widths>::Reversed;

/// A LayerwiseWidths in the random order of a seed.
template <class Widths, std::uint64_t Seed>
using Permuted = typename detail::Rearranged<Widths>::template Permuted<Seed>;

}  // namespace tailor
