// expect: Layerwise: every shape must fit these Dims
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<
    tailor::Layerwise<tailor::Conventional<4>, tailor::Conventional<tailor::Ratio{1, 3}>>,
    tailor::Dims{.d_model = 64, .layers = 2, .heads = 4}>;
constexpr auto dims = Model::dims;
