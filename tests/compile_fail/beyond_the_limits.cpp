// expect: Transformer: its plan must pass validate; see find_fault and PlanLimits
#include <tailor/arch/transformer.hpp>

using Model = tailor::Transformer<tailor::Conventional<4>,
                                  tailor::Dims{.d_model = 16777216, .layers = 2, .heads = 1024}>;
constexpr auto dims = Model::dims;
