// expect: Transformer: d_model must be a multiple of heads where head_dim is not given
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Conventional<4>,
                                  tailor::Dims{.d_model = 64, .layers = 2, .heads = 5}>;
constexpr auto dims = Model::dims;
