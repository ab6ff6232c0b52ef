#pragma once
// What a feed-forward shape is, and the four that come with the library. A shape gives widths only;
// the activation belongs to Dims.

#include <tailor/arch/dims.hpp>  // tailor::Dims

#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>

namespace tailor {

/// A type that answers three constexpr questions about the FFN of every layer: how many residual
/// sub-MLPs run in sequence, how wide each is (rows of one up-projection; 0 = none), and whether
/// the sizes allow it. A shape may carry `template <Dims D> struct Rules` with one static_assert
/// per rule: `Transformer` instantiates it, so that a mistake is told in the shape's own words.
template <class S>
concept Shape = requires(int layer, int sub_block, Dims dims) {
  { S::sub_blocks(layer, dims) } -> std::same_as<int>;
  { S::width(layer, sub_block, dims) } -> std::same_as<int>;
  { S::fits(dims) } -> std::same_as<bool>;
};

/// A fraction in lowest terms, so that equal ratios make equal types. An int converts to it.
struct Ratio {
  int num = 0;
  int den = 1;

  constexpr Ratio(int numerator, int denominator = 1) : num(numerator), den(denominator) {
    if (num >= 0 && den > 0) {
      int const common = std::gcd(num, den);
      num /= common;
      den /= common;
    }
  }
  constexpr bool operator==(Ratio const&) const = default;
};

/// One FFN per layer, R times as wide as the model: `Conventional<4>`, `Conventional<Ratio{8, 3}>`.
template <Ratio R>
struct Conventional {
  static_assert(R.num >= 0 && R.den > 0,
                "Conventional: Ratio needs a numerator >= 0 and a denominator > 0");
  static constexpr Ratio ratio = R;

  static constexpr int sub_blocks(int, Dims) { return 1; }
  static constexpr int width(int, int, Dims dims) {
    return static_cast<int>(std::int64_t{dims.d_model} * R.num / R.den);
  }
  static constexpr bool fits(Dims dims) {
    std::int64_t const scaled = std::int64_t{dims.d_model} * R.num;
    return scaled % R.den == 0 && scaled / R.den <= std::numeric_limits<int>::max();
  }

  template <Dims D>
  struct Rules {
    static_assert(fits(D), "Conventional: Ratio times d_model must be whole");
  };
};

/// K residual sub-MLPs per layer, each of width Dh, which may exceed d_model.
/// Source: Revisiting the Shape Convention of Transformer Language Models (arXiv 2602.06471).
template <int K, int Dh>
struct Hourglass {
  static_assert(K >= 1, "Hourglass: K must be at least 1");
  static_assert(Dh >= 1, "Hourglass: Dh must be at least 1");

  static constexpr int sub_blocks(int, Dims) { return K; }
  static constexpr int width(int, int, Dims) { return Dh; }
  static constexpr bool fits(Dims) { return true; }
};

/// One FFN per layer with a width of its own; 0 = no FFN in that layer.
/// Source: Geometry-Guided Layerwise FFN Width Allocation in Transformers (arXiv 2608.02064).
template <int... Widths>
struct LayerwiseWidths {
  static_assert(((Widths >= 0) && ...), "LayerwiseWidths: a width must not be negative");

  static constexpr int sub_blocks(int, Dims) { return 1; }
  static constexpr int width(int layer, int, Dims) {
    int found = 0, index = 0;
    ((found = index++ == layer ? Widths : found), ...);
    return found;
  }
  static constexpr bool fits(Dims dims) { return dims.layers == int{sizeof...(Widths)}; }

  template <Dims D>
  struct Rules {
    static_assert(fits(D), "LayerwiseWidths: one width per layer; their number must equal layers");
  };
};

/// A shape per layer; each is asked with the index of its layer in the whole model.
template <Shape... Shapes>
struct Layerwise {
  static constexpr int sub_blocks(int layer, Dims dims) {
    int found = 0, index = 0;
    ((found = index++ == layer ? Shapes::sub_blocks(layer, dims) : found), ...);
    return found;
  }
  static constexpr int width(int layer, int sub_block, Dims dims) {
    int found = 0, index = 0;
    ((found = index++ == layer ? Shapes::width(layer, sub_block, dims) : found), ...);
    return found;
  }
  static constexpr bool fits(Dims dims) {
    return dims.layers == int{sizeof...(Shapes)} && (Shapes::fits(dims) && ...);
  }

  template <Dims D>
  struct Rules {
    static_assert(D.layers == int{sizeof...(Shapes)},
                  "Layerwise: one shape per layer; their number must equal layers");
    static_assert((Shapes::fits(D) && ...), "Layerwise: every shape must fit these Dims");
  };
};

}  // namespace tailor
