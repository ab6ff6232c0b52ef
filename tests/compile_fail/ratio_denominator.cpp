// expect: Conventional: Ratio needs a numerator >= 0 and a denominator > 0
#include <tailor/arch/shape.hpp>

using Shape = tailor::Conventional<tailor::Ratio{1, 0}>;
constexpr auto ratio = Shape::ratio;
