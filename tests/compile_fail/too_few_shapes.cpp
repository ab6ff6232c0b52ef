// expect: Layerwise: one shape per layer; their number must equal layers
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Layerwise<tailor::Hourglass<2, 16>>,
                                  tailor::Dims{.d_model = 64, .layers = 2, .heads = 4}>;
constexpr auto dims = Model::dims;
