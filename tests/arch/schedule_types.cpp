#include <tailor/arch/budget.hpp>          // tailor::same_budget
#include <tailor/arch/schedule_types.hpp>  // under test

#include <type_traits>

#include "support/catch.hpp"  // TEST_CASE, CHECK

using namespace tailor;

namespace {

constexpr Dims dims{.d_model = 128, .layers = 12, .heads = 4};
using Reference = Transformer<Conventional<4>, dims>;

/// A user's schedule: the last layer takes what the first one gives.
struct Lean {
  static constexpr std::vector<int> widths() { return repaired_widths({1, 2, 3}, 64, 16); }
};

template <class Shape>
std::vector<int> widths() {
  return widths_of(plan_of<Transformer<Shape, dims>>());
}

}  // namespace

TEMPLATE_TEST_CASE("a schedule as a type spends the budget of the uniform reference", "[arch]",
                   (CosineTaper<dims, 512>), (LinearTaper<dims, 512>), (SigmoidTaper<dims, 512>),
                   (WiderEarly<dims, 512>), (WiderMiddle<dims, 512>), (WiderLate<dims, 512>),
                   (Reversed<CosineTaper<dims, 512>>), (Permuted<CosineTaper<dims, 512>, 7>),
                   (CosineTaper<dims, 512, Taper{.start = 2, .end = 1, .grain = 8}>)) {
  STATIC_REQUIRE(same_budget<Transformer<TestType, dims>, Reference>);
}

TEST_CASE("a schedule as a type has the widths of the schedule at run time", "[arch]") {
  CHECK(widths<CosineTaper<dims, 512>>() == cosine_taper(12, 512));
  CHECK(widths<LinearTaper<dims, 512, Taper{.grain = 4}>>() == linear_taper(12, 512, {.grain = 4}));
  CHECK(widths<SigmoidTaper<dims, 512>>() == sigmoid_taper(12, 512));
  CHECK(widths<WiderLate<dims, 512, WiderThird{.wide = 2}>>() ==
        wider_third(Third::late, 12, 512, {.wide = 2}));
  CHECK(widths<Reversed<CosineTaper<dims, 512>>>() == reversed(cosine_taper(12, 512)));
  CHECK(widths<Permuted<CosineTaper<dims, 512>, 7>>() == permuted(cosine_taper(12, 512), 7));
}

TEST_CASE("a user's schedule becomes a type the same way", "[arch]") {
  STATIC_REQUIRE(std::is_same_v<WidthsOf<Lean>, LayerwiseWidths<32, 64, 96>>);
}

TEST_CASE("a schedule of 96 layers is a type too", "[arch]") {
  constexpr Dims deep{.d_model = 64, .layers = 96, .heads = 4};
  STATIC_REQUIRE(
      same_budget<Transformer<CosineTaper<deep, 256>, deep>, Transformer<Conventional<4>, deep>>);
}
