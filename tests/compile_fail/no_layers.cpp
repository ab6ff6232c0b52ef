// expect: Transformer: layers must be from 1 to 4096
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Conventional<4>,
                                  tailor::Dims{.d_model = 64, .layers = 0, .heads = 4}>;
constexpr auto dims = Model::dims;
