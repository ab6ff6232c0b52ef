#include <tailor/arch/budget.hpp>
#include <tailor/arch/transformer.hpp>

constexpr tailor::Dims dims{.d_model = 768, .layers = 12, .heads = 12};
using Reference = tailor::Transformer<tailor::Conventional<4>, dims>;
using Deep = tailor::Transformer<tailor::Hourglass<4, 768>, dims>;
static_assert(tailor::same_budget<Reference, Deep>);

int main() {
  return tailor::plan_of<Deep>().layers.size() == 12 ? 0 : 1;
}
