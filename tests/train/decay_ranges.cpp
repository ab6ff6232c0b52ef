#include <tailor/train/decay_ranges.hpp>

#include <tailor/arch/transformer.hpp>

#include <support/catch.hpp>

using namespace tailor;

TEST_CASE("the ranges cover the arena without gaps, and gains alone are not decayed", "[train]") {
  using Tiny = Transformer<Hourglass<2, 12>, Dims{.d_model = 8,
                                                  .layers = 2,
                                                  .heads = 2,
                                                  .vocab = 17,
                                                  .context = 8,
                                                  .norms = NormPlacement::both,
                                                  .qk_norm = QkNorm::whole,
                                                  .tied = false}>;
  auto const layout = layout_of(plan_of<Tiny>());
  auto const ranges = decay_ranges(layout);
  std::int64_t end = 0;
  for (auto const& range : ranges) {
    CHECK(range.first == end);
    CHECK(range.size > 0);
    end += range.size;
  }
  CHECK(end == layout.size);
  for (auto const& tensor : layout.tensors) {
    int holding = 0;
    for (auto const& range : ranges) {
      if (tensor.offset < range.first || tensor.offset >= range.first + range.size) continue;
      ++holding;
      CHECK(tensor.offset + tensor.size() <= range.first + range.size);
      CHECK(range.decayed == (tensor.role != Role::gain));
    }
    CHECK(holding == 1);
  }
}
