// expect: Transformer: heads must be a multiple of kv_heads
#include <tailor/arch/transformer.hpp>

using Model =
    tailor::Transformer<tailor::Conventional<4>,
                        tailor::Dims{.d_model = 64, .layers = 2, .heads = 4, .kv_heads = 3}>;
constexpr auto dims = Model::dims;
