// expect: Transformer: heads must not be negative; 0 means no attention
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Conventional<4>,
                                  tailor::Dims{.d_model = 64, .layers = 2, .heads = -1}>;
constexpr auto dims = Model::dims;
