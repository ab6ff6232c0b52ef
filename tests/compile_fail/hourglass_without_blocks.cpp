// expect: Hourglass: K must be at least 1
#include <tailor/arch/shape.hpp>

using Shape = tailor::Hourglass<0, 16>;
constexpr int width = Shape::width(0, 0, {});
