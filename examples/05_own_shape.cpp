// A shape of your own: a type that answers three questions in integers.
// What to look for: Pyramid knows nothing of the library but Dims, and yet it is counted, compared,
// planned and printed like the built-in ones. `fits` and `Rules` say at compile time where it
// fails.

#include <tailor/arch.hpp>  // tailor::Dims, tailor::Shape, tailor::Transformer, describe

#include <iostream>

/// Widths fall by `Step` per layer from `First`; the upper half of the layers has two sub-MLPs that
/// share the width of one.
template <int First, int Step>
struct Pyramid {
  static constexpr int sub_blocks(int layer, tailor::Dims d) {
    return 2 * layer < d.layers ? 1 : 2;
  }
  static constexpr int width(int layer, int, tailor::Dims d) {
    return (First - Step * layer) / sub_blocks(layer, d);
  }
  static constexpr bool fits(tailor::Dims d) { return First - Step * (d.layers - 1) > 0; }

  template <tailor::Dims D>
  struct Rules {  // optional: mistakes are told in these words
    static_assert(fits(D), "Pyramid: the last layer must have a width above 0");
  };
};

static_assert(tailor::Shape<Pyramid<320, 32>>);

constexpr tailor::Dims dims{.d_model = 128, .layers = 6, .heads = 4};
using Model = tailor::Transformer<Pyramid<464, 32>, dims>;
using Reference = tailor::Transformer<tailor::Conventional<3>, dims>;

// 464 + 432 + 400 + 368 + 336 + 304 = 6 * 384, so the pyramid spends the budget of a uniform 384.
static_assert(tailor::same_budget<Model, Reference>);

// It mixes with other shapes too: a pyramid below, an hourglass at the top.
using Mixed = tailor::Transformer<
    tailor::Layerwise<Pyramid<464, 32>, Pyramid<464, 32>, tailor::Hourglass<4, 96>>,
    tailor::Dims{.d_model = 128, .layers = 3, .heads = 4}>;
static_assert(tailor::sequential_depth<Mixed>() == 3 + 1 + 1 + 4);  // attention, then sub-MLPs

int main() {
  std::cout << tailor::plan_of<Model>() << '\n' << tailor::plan_of<Mixed>();
}
