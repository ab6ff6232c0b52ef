// expect: Transformer: this shape does not fit these Dims; see fits
#include <tailor/arch/transformer.hpp>

struct Pyramid {
  static constexpr int sub_blocks(int, tailor::Dims) { return 1; }
  static constexpr int width(int layer, int, tailor::Dims dims) { return dims.d_model >> layer; }
  static constexpr bool fits(tailor::Dims dims) { return (dims.d_model >> (dims.layers - 1)) > 0; }
};

using Model = tailor::Transformer<Pyramid, tailor::Dims{.d_model = 4, .layers = 8, .heads = 2}>;
constexpr auto dims = Model::dims;
