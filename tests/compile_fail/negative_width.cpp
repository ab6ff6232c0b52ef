// expect: LayerwiseWidths: a width must not be negative
#include <tailor/arch/shape.hpp>

using Shape = tailor::LayerwiseWidths<16, -8>;
constexpr int width = Shape::width(0, 0, {});
