// expect: Hourglass: Dh must be at least 1
#include <tailor/arch/shape.hpp>

using Shape = tailor::Hourglass<2, 0>;
constexpr int width = Shape::width(0, 0, {});
