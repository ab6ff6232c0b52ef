// From the work of every layer to widths, to a header that proves their budget.
// What to look for: the first layers have the most work and get the widest FFNs; the control
// `inverse` turns that around; every row spends exactly the same number of parameters; and the last
// lines are C++ that a compiler would refuse if one width were changed.

#include <tailor/allocation/allocate.hpp>      // tailor::allocate
#include <tailor/allocation/header.hpp>        // tailor::header_text
#include <tailor/allocation/width_budget.hpp>  // tailor::width_budget
#include <tailor/arch/plan_of.hpp>             // tailor::uniform_plan

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

void print_row(char const* name, tailor::Allocation const& a) {
  std::printf("%-12s", name);
  for (int width : a.widths) std::printf(" %4d", width);
  std::printf("   %lld parameters\n", static_cast<long long>(a.spent));
}

}  // namespace

int main() {
  constexpr tailor::Dims dims{
      .d_model = 128, .layers = 8, .heads = 4, .vocab = 256, .context = 128};
  auto const reference = tailor::uniform_plan(dims, 512);

  // One number per layer: how much the FFN changed the cloud of tokens, and the cloud's dimension.
  tailor::AllocationProblem problem{.difficulty = {0.42, 0.31, 0.24, 0.16, 0.12, 0.10, 0.11, 0.15},
                                    .dimension = {4.1, 6.0, 7.2, 8.8, 9.5, 9.9, 9.0, 7.7},
                                    .budget = tailor::width_budget(reference)};
  auto const own = tailor::allocate(problem);
  problem.exponent_rule = tailor::ExponentRule::common;
  auto const common = tailor::allocate(problem);
  problem.power = -1;  // the control that takes 1 / C for the difficulty
  auto const inverse = tailor::allocate(problem);

  print_row("per layer", own);
  print_row("common", common);
  print_row("inverse", inverse);
  std::printf("KKT residual of the continuous optimum: %.1e\n\n", own.kkt_residual);

  auto const header = tailor::header_text({.dims = dims,
                                           .widths = common.widths,
                                           .reference_widths = tailor::widths_of(reference),
                                           .rule = "example",
                                           .allocation = common});
  std::fputs(header.c_str(), stdout);

  // A program that fails where the promise does not hold.
  std::int64_t const budget = tailor::budget(reference);
  return own.spent == budget && common.spent == budget && inverse.spent == budget ? 0 : 1;
}
