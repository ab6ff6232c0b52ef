// expect: Transformer: kv_heads must not be negative; 0 means as many as heads
#include <tailor/arch/transformer.hpp>

using Model =
    tailor::Transformer<tailor::Conventional<4>,
                        tailor::Dims{.d_model = 64, .layers = 2, .heads = 4, .kv_heads = -1}>;
constexpr auto dims = Model::dims;
