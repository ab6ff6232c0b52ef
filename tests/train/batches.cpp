#include <tailor/train/batches.hpp>

#include <support/catch.hpp>
#include <support/thrown_message.hpp>

#include <numeric>
#include <set>
#include <vector>

using tailor::Batches;

namespace {

std::vector<std::int32_t> counting(int size) {
  std::vector<std::int32_t> ids(std::size_t(size), 0);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

struct Filled {
  std::vector<std::int32_t> ids, targets;
};

Filled filled(Batches const& batches, std::int64_t first, int sequences) {
  auto const size = std::size_t(sequences) * std::size_t(batches.length());
  Filled out{std::vector<std::int32_t>(size), std::vector<std::int32_t>(size)};
  batches.fill(first, sequences, out.ids, out.targets);
  return out;
}

}  // namespace

TEST_CASE("every usable window comes once per epoch", "[train]") {
  for (int size : {11, 20, 21, 29, 101, 1000}) {
    auto const ids = counting(size);
    Batches const batches(ids, 10, 1);
    REQUIRE(batches.windows() == (size - 1) / 10);
    for (int epoch = 0; epoch < 3; ++epoch) {
      std::set<std::int64_t> starts;
      for (std::int64_t i = 0; i < batches.windows(); ++i) {
        starts.insert(batches.start(epoch * batches.windows() + i));
      }
      CHECK(std::int64_t(starts.size()) == batches.windows());
      CHECK(*starts.rbegin() + 10 < size);
    }
  }
}

TEST_CASE("targets are the ids shifted by one token", "[train]") {
  auto const ids = counting(1000);
  auto const batch = filled(Batches(ids, 16, 4), 0, 5);
  for (std::size_t i = 0; i < batch.ids.size(); ++i) CHECK(batch.targets[i] == batch.ids[i] + 1);
}

TEST_CASE("a position alone restores the batches, and epochs differ", "[train]") {
  auto const ids = counting(1000);
  Batches const batches(ids, 10, 9);
  auto const whole = filled(batches, 0, 120);
  auto const tail = filled(Batches(ids, 10, 9), 70, 50);
  CHECK(std::equal(tail.ids.begin(), tail.ids.end(), whole.ids.begin() + 700));
  CHECK(filled(batches, 0, 99).ids != filled(batches, 99, 99).ids);
}

TEST_CASE("a batch over the end of an epoch takes its last windows from the next", "[train]") {
  auto const ids = counting(101);
  Batches const batches(ids, 10, 2);
  auto const batch = filled(batches, 7, 5);
  for (int s = 0; s < 5; ++s) CHECK(batch.ids[std::size_t(s) * 10] == batches.start(7 + s));
  CHECK(batches.epoch(9) == 0);
  CHECK(batches.epoch(10) == 1);
}

TEST_CASE("the order depends on seed, epoch and the number of windows alone", "[train]") {
  auto const ids = counting(1000);
  auto other = ids;
  for (auto& id : other) id = 999 - id;
  Batches const a(ids, 10, 3), b(other, 10, 3), c(ids, 10, 4);
  int same = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    CHECK(a.start(i) == b.start(i));
    same += a.start(i) == c.start(i);
  }
  CHECK(same < 20);
}

TEST_CASE("a text without one window says what does not fit", "[train]") {
  auto const ids = counting(10);
  CHECK(thrown_message<std::invalid_argument>([&] { Batches(ids, 10, 1); }) ==
        "batches: a window of 10 tokens and the next one does not fit a text of 10");
  CHECK_THROWS_AS(Batches(ids, 0, 1), std::invalid_argument);
}
