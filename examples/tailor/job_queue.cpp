#include "job_queue.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "commands.hpp"

namespace tailor_program {
namespace {

/// How far all jobs are, for one line of progress.
class Board {
 public:
  Board(std::vector<Job> const& jobs, Progress& progress)
      : jobs_(jobs), progress_(progress), done_(jobs.size(), 0), running_(jobs.size(), false) {
    for (Job const& job : jobs) {
      total_ += double(job.run.training.steps * tailor::tokens_per_step(job.run.training));
    }
  }

  void already(std::size_t job, double tokens) {
    done_[job] = tokens;
    ++finished_;
    before_ += tokens;
  }

  void at(std::size_t job, double tokens) {
    std::lock_guard const lock(mutex_);
    if (!running_[job]) before_ += resumed_at(tokens, job);
    running_[job] = true;
    done_[job] = tokens;
    show();
  }

  void finish(std::size_t job, RunRecord const& record) {
    std::lock_guard const lock(mutex_);
    running_[job] = false;
    done_[job] = double(record.tokens);
    ++finished_;
    progress_.say(
        fmt::format("  {}/{}  {}: validation {:.4f}, test {:.4f} nats per token, {} "
                    "tokens/s",
                    finished_, jobs_.size(), jobs_[job].label, record.validation_loss,
                    record.test_loss, compact(record.tokens_per_second)));
  }

 private:
  /// Tokens that a resumed run had behind it when this process took it up: its first report less
  /// one logging interval.
  double resumed_at(double tokens, std::size_t job) const {
    auto const& training = jobs_[job].run.training;
    double const interval = double(training.log_every * tailor::tokens_per_step(training));
    return std::max(0.0, tokens - interval);
  }

  void show() {
    double sum = 0;
    std::string names;
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      sum += done_[job];
      if (!running_[job]) continue;
      auto const& training = jobs_[job].run.training;
      double const all = double(training.steps * tailor::tokens_per_step(training));
      names += fmt::format(" \u00b7 {} {:.0f} %", jobs_[job].label, 100 * done_[job] / all);
    }
    double const seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    double const speed = seconds > 0 ? (sum - before_) / seconds : 0;
    progress_.update(fmt::format("runs {}/{} \u00b7 {} tokens/s \u00b7 {} left{}", finished_,
                                 jobs_.size(), compact(speed),
                                 speed > 0 ? duration((total_ - sum) / speed) : "?", names));
  }

  std::vector<Job> const& jobs_;
  Progress& progress_;
  std::vector<double> done_;
  std::vector<bool> running_;
  double total_ = 0, before_ = 0;
  std::size_t finished_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
};

}  // namespace

std::vector<RunRecord> perform_all(std::vector<Job> const& jobs, tailor::Corpus const& corpus,
                                   int side_by_side, int threads_each, Progress& progress) {
  std::vector<std::optional<RunRecord>> records(jobs.size());
  Board board(jobs, progress);
  std::vector<std::size_t> missing;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    records[job] = finished(jobs[job].run, corpus);
    if (records[job]) {
      board.already(job, double(records[job]->tokens));
    } else {
      missing.push_back(job);
    }
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  auto const work = [&] {
    tailor::cpu::Device device({.threads = threads_each});
    for (std::size_t i; !failed && !interrupted() && (i = next++) < missing.size();) {
      std::size_t const job = missing[i];
      Run run = jobs[job].run;
      run.training.stop = [&](std::int64_t) { return failed || interrupted(); };
      run.training.progress = [&](tailor::Progress const& p) { board.at(job, double(p.tokens)); };
      try {
        records[job] = perform(device, run, corpus);
        if (records[job]) board.finish(job, *records[job]);
      } catch (std::exception const& error) {
        std::lock_guard const lock(failure_mutex);
        if (!failure) {
          std::string const message = jobs[job].label + ": " + error.what();
          failure = dynamic_cast<std::invalid_argument const*>(&error)
                        ? std::make_exception_ptr(std::invalid_argument(message))
                        : std::make_exception_ptr(std::runtime_error(message));
        }
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 1; i < side_by_side; ++i) workers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  if (interrupted()) {
    throw Interrupted("interrupted; everything is saved, the same command continues from here");
  }
  std::vector<RunRecord> result;
  for (auto& record : records) result.push_back(std::move(*record));
  return result;
}

}  // namespace tailor_program
