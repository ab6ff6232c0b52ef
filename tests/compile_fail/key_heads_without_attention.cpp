// expect: Transformer: without attention (heads 0), kv_heads and head_dim must be 0
#include <tailor/arch/transformer.hpp>

using Model =
    tailor::Transformer<tailor::Conventional<4>,
                        tailor::Dims{.d_model = 64, .layers = 2, .heads = 0, .kv_heads = 2}>;
constexpr auto dims = Model::dims;
