#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Hourglass<2, 16>,
                                  tailor::Dims{.d_model = 64, .layers = 2, .heads = 4}>;
static_assert(tailor::plan_of<Model>().layers.size() == 2);
