// expect: Transformer: head_dim must be even, for rotary positions
#include <tailor/arch/transformer.hpp>

using Model =
    tailor::Transformer<tailor::Conventional<4>,
                        tailor::Dims{.d_model = 64, .layers = 2, .heads = 4, .head_dim = 15}>;
constexpr auto dims = Model::dims;
