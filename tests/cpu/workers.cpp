#include <tailor/cpu/workers.hpp>

#include "support/catch.hpp"
#include "support/thrown_message.hpp"

#include <stdexcept>
#include <vector>

using tailor::cpu::Workers;

TEST_CASE("workers do every task once, whatever their number", "[cpu]") {
  for (int count : {1, 2, 3, 8}) {
    Workers workers(count);
    CHECK(workers.count() == count);
    for (int tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(tasks));
      std::atomic<bool> in_range = true;
      workers.run(tasks, [&](std::int64_t task, int worker) {
        ++calls[static_cast<std::size_t>(task)];
        if (worker < 0 || worker >= count) in_range = false;
      });
      bool once = true;
      for (auto const& call : calls) once = once && call == 1;
      CHECK(once);
      CHECK(in_range);
    }
  }
}

TEST_CASE("two tasks never run on one worker at the same time", "[cpu]") {
  Workers workers(3);
  std::vector<std::atomic<int>> busy(3);
  std::atomic<bool> clash = false;
  workers.run(300, [&](std::int64_t, int worker) {
    auto& mine = busy[static_cast<std::size_t>(worker)];
    if (++mine != 1) clash = true;
    std::this_thread::yield();
    --mine;
  });
  CHECK_FALSE(clash);
}

TEST_CASE("workers can be used again and again, and see what was written before", "[cpu]") {
  Workers workers(3);
  std::vector<long> sums(64);
  for (int round = 0; round < 300; ++round) {
    workers.run(64, [&](std::int64_t task, int) { sums[std::size_t(task)] += task + round; });
  }
  for (int task = 0; task < 64; ++task) {
    CHECK(sums[std::size_t(task)] == 300L * task + 299L * 300 / 2);
  }
}

TEST_CASE("an exception of a task reaches the caller, and the workers live on", "[cpu]") {
  for (int count : {1, 2, 4}) {
    Workers workers(count);
    for (int round = 0; round < 20; ++round) {
      CHECK(thrown_message<std::runtime_error>([&] {
              workers.run(50, [](std::int64_t task, int) {
                if (task == 17) throw std::runtime_error("task 17");
              });
            }) == "task 17");
      std::atomic<int> done = 0;
      workers.run(50, [&](std::int64_t, int) { ++done; });
      CHECK(done == 50);
    }
  }
}

TEST_CASE("inside a task a run stays on the worker of the task", "[cpu]") {
  Workers workers(3);
  std::atomic<int> inner = 0;
  std::atomic<bool> moved = false;
  workers.run(12, [&](std::int64_t, int outer) {
    workers.run(5, [&](std::int64_t, int worker) {
      ++inner;
      if (worker != outer) moved = true;
    });
  });
  CHECK(inner == 60);
  CHECK_FALSE(moved);
}

TEST_CASE("inside a single task a run stays on its worker too", "[cpu]") {
  Workers workers(3);
  std::atomic<int> inner = 0;
  workers.run(1, [&](std::int64_t, int) { workers.run(7, [&](std::int64_t, int) { ++inner; }); });
  CHECK(inner == 7);
}
