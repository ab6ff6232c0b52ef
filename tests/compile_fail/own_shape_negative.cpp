// expect: Transformer: a shape must give 0 to 256 sub-blocks per layer and no negative width
#include <tailor/arch/transformer.hpp>

struct Shrinking {
  static constexpr int sub_blocks(int, tailor::Dims) { return 1; }
  static constexpr int width(int layer, int, tailor::Dims) { return 8 - 16 * layer; }
  static constexpr bool fits(tailor::Dims) { return true; }
};

using Model = tailor::Transformer<Shrinking, tailor::Dims{.d_model = 64, .layers = 2, .heads = 4}>;
constexpr auto dims = Model::dims;
