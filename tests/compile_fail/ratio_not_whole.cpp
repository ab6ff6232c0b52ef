// expect: Conventional: Ratio times d_model must be whole
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Conventional<tailor::Ratio{8, 3}>,
                                  tailor::Dims{.d_model = 64, .layers = 2, .heads = 4}>;
constexpr auto dims = Model::dims;
