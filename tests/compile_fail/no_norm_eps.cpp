// expect: Transformer: norm_eps must be positive
#include <tailor/arch/transformer.hpp>

using Model =
    tailor::Transformer<tailor::Conventional<4>,
                        tailor::Dims{.d_model = 64, .layers = 2, .heads = 4, .norm_eps = 0}>;
constexpr auto dims = Model::dims;
