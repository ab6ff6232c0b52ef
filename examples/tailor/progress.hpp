#pragma once
// Progress on standard error: one line that rewrites itself on a terminal, plain lines elsewhere.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tailor_program {

/// Whole seconds as 1:05 or 1:02:03.
std::string duration(double seconds);

/// A count with a unit prefix: 950, 12.3k, 4.56M.
std::string compact(double count);

/// Shows where long work stands. Any thread may call it.
class Progress {
 public:
  /// `quiet` shows nothing (for --json).
  explicit Progress(bool quiet);
  ~Progress();

  /// Where the work stands now; shown at most four times a second on a terminal, every ten seconds
  /// elsewhere.
  void update(std::string const& text);

  /// A line that stays.
  void say(std::string const& text);

 private:
  void erase();

  bool quiet_, terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point last_;
  std::mutex mutex_;
};

/// Shows what is being done and for how long, from two seconds on, while it lives: for work that
/// does not tell how far it is. `progress` outlives it.
class ElapsedTime {
 public:
  ElapsedTime(Progress& progress, std::string what);

 private:
  void run(std::stop_token stop);

  Progress& progress_;
  std::string what_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread thread_;  // the last member: it is joined before the others go
};

/// Shows how many clouds are measured and the time left, counted from this call on. `progress` outlives
/// it.
std::function<void(int, int)> cloud_progress(Progress& progress);

}  // namespace tailor_program
