// expect: Transformer: layer_norm_scaling needs pre-norms (norms pre or both)
#include <tailor/arch/transformer.hpp>

using Model =
    tailor::Transformer<tailor::Conventional<4>,
                        tailor::Dims{.d_model = 64,
                                     .layers = 2,
                                     .heads = 4,
                                     .norms = tailor::NormPlacement::post,
                                     .layer_norm_scaling = tailor::LayerNormScaling::by_layer}>;
constexpr auto dims = Model::dims;
