#pragma once
// A fixed crew of threads that fork on a range of tasks and join.

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tailor::cpu {

/// Threads that live as long as the object; the thread that made it is worker 0.
/// Domain: used from the thread that made it and, inside a task, from its workers.
class Workers {
 public:
  /// `count` workers, the calling thread included; at least 1.
  explicit Workers(int count) : ids_(std::size_t(count)) {
    ids_[0] = std::this_thread::get_id();
    for (int worker = 1; worker < count; ++worker) {
      threads_.emplace_back([this, worker] { serve(worker); });
      ids_[std::size_t(worker)] = threads_.back().get_id();
    }
  }
  Workers(Workers const&) = delete;
  Workers& operator=(Workers const&) = delete;
  ~Workers() {
    stopping_ = true;
    announce();
  }

  int count() const { return int(ids_.size()); }

  /// The worker that the calling thread is; 0 for a thread that is none of them.
  int self() const {
    auto const id = std::this_thread::get_id();
    for (std::size_t worker = 1; worker < ids_.size(); ++worker) {
      if (ids_[worker] == id) return int(worker);
    }
    return 0;
  }

  /// Whether `run` would use the calling thread alone: there is no other, or this is a task
  /// already.
  bool alone() const { return count() == 1 || forked_.load(std::memory_order_relaxed); }

  /// f(task, worker) for every task in [0, tasks), each once, by whichever worker is free; returns
  /// when all are done. Inside a task it runs on the calling worker alone. Allocates nothing.
  /// Throws what the first failing task threw, after the join; tasks not begun by then are skipped.
  template <class F>
  void run(std::int64_t tasks, F const& f) {
    if (tasks <= 1 || alone()) {
      int const worker = self();
      for (std::int64_t task = 0; task < tasks; ++task) f(task, worker);
      return;
    }
    call_ = [](void const* job, std::int64_t task, int worker) {
      (*static_cast<F const*>(job))(task, worker);
    };
    job_ = &f;
    tasks_ = tasks;
    next_ = 0;
    running_ = count() - 1;
    forked_ = true;
    announce();
    work(0);
    for (int left = running_; left != 0; left = running_) running_.wait(left);
    forked_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void announce() {
    ++generation_;
    generation_.notify_all();
  }

  void serve(int worker) {
    for (std::uint32_t seen = 0;;) {
      generation_.wait(seen);
      seen = generation_;
      if (stopping_) return;
      work(worker);
      if (--running_ == 0) running_.notify_one();
    }
  }

  void work(int worker) {
    try {
      for (std::int64_t task; (task = next_++) < tasks_;) call_(job_, task, worker);
    } catch (...) {
      next_ = tasks_;
      std::lock_guard const lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void (*call_)(void const*, std::int64_t, int) = nullptr;
  void const* job_ = nullptr;
  std::int64_t tasks_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::atomic<int> running_{0};
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<bool> forked_{false};
  std::atomic<bool> stopping_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread::id> ids_;
  std::vector<std::jthread> threads_;  // last: joined before what they use is gone
};

}  // namespace tailor::cpu
