// expect: Transformer: d_model must be at least 1
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Conventional<4>,
                                  tailor::Dims{.d_model = 0, .layers = 2, .heads = 4}>;
constexpr auto dims = Model::dims;
