// expect: Transformer: context must be at least 1
#include <tailor/arch/transformer.hpp>

using Model =
    tailor::Transformer<tailor::Conventional<4>,
                        tailor::Dims{.d_model = 64, .layers = 2, .heads = 4, .context = 0}>;
constexpr auto dims = Model::dims;
