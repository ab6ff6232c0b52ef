#include <tailor/cpu.hpp>
#include <tailor/nn/attention.hpp>
#include <tailor/nn/cross_entropy.hpp>
#include <tailor/nn/embedding.hpp>
#include <tailor/nn/rms_norm.hpp>
#include <tailor/nn/rope.hpp>
#include <tailor/train/adamw.hpp>

#include "support/attention_case.hpp"
#include "support/catch.hpp"
#include "support/counted_allocations.hpp"

using namespace tailor;

TEST_CASE("the counter of allocations counts", "[cpu]") {
  long const before = allocations;
  cpu::Buffer<float> const one(3);
  CHECK(allocations == before + 1);
}

TEST_CASE("no primitive and no operation of the CPU device allocates", "[cpu]") {
  cpu::Device dev{{.threads = 3}};
  constexpr int tokens = 200, d = 64;
  auto x = normal_values<float>(tokens * d, 1), y = x, dx = x, terms = x, table_values = x;
  std::vector<float> scores(tokens * tokens), gain(d, 1.0f), dgain(d), losses(tokens);
  std::vector<std::int32_t> ids(tokens, 3), order(tokens);
  auto const table = rope_table<float>(tokens, rope_frequencies(16, 10000));
  AttentionCase<float> heads({.sequences = 2,
                              .length = 70,
                              .keys = 70,
                              .heads = 4,
                              .kv_heads = 2,
                              .head_dim = 16,
                              .scale = 1});
  AdamWScalars scalars;
  double sum = 0;
  auto const m = [](std::vector<float>& v) { return matrix(v.data(), tokens, d); };
  auto const v = [](std::vector<float>& v) { return VectorView<float>{v.data(), d}; };
  auto const ids_view = VectorView<std::int32_t>{ids.data(), tokens};

  long const before = allocations;
  gemm(dev,
       Gemm<float>{.a = m(x), .b = transposed(m(y)), .c = matrix(scores.data(), tokens, tokens)});
  sum_rows(dev, SumRows<float>{.in = m(x), .out = v(dgain)});
  reduce(
      dev, tokens, [at = x.data()](std::int64_t i) { return at[i]; }, VectorView<double>{&sum, 1});
  elements(dev, tokens, [at = y.data()](std::int64_t i) { at[i] *= 2; });
  rms_norm(dev, RmsNormForward<float>{.x = m(x), .gain = v(gain), .y = m(y)});
  rms_norm(dev, RmsNormBackward<float>{.x = m(x),
                                       .gain = v(gain),
                                       .dy = m(y),
                                       .dx = m(dx),
                                       .gain_gradient = v(dgain),
                                       .terms = m(terms)});
  rope(dev, Rope<float>{.x = m(x),
                        .cosines = matrix(table.cosines.data(), tokens, 8),
                        .sines = matrix(table.sines.data(), tokens, 8),
                        .heads = 4,
                        .head_dim = 16,
                        .length = tokens});
  heads.forward(dev);
  heads.backward(dev);
  tailor::attention(dev, heads.forward_args());
  tailor::attention(dev, heads.backward_args());
  embedding(dev, EmbeddingForward<float>{.ids = ids_view, .table = m(table_values), .x = m(x)});
  embedding(dev, EmbeddingBackward<float>{.ids = ids_view,
                                          .order = {order.data(), tokens},
                                          .dx = m(dx),
                                          .table_gradient = m(table_values)});
  cross_entropy(dev, CrossEntropy<float>{
                         .logits = m(x), .targets = ids_view, .losses = {losses.data(), tokens}});
  adamw(dev, AdamW<float>{.parameters = v(x),
                          .gradients = v(dx),
                          .first_moment = v(y),
                          .second_moment = v(terms),
                          .scalars = {&scalars, 1}});
  CHECK(allocations == before);
}
