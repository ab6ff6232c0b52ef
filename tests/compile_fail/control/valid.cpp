#include <tailor/arch/plan.hpp>

static_assert(tailor::Plan{}.layers.empty());
