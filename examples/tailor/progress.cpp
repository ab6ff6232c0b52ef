#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "columns.hpp"

namespace tailor_program {
namespace {

/// Columns of the terminal, so that a rewritten line never wraps.
std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string duration(double seconds) {
  if (!(seconds >= 0) || seconds > 1e8) return "?";
  long const whole = std::lround(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string compact(double count) {
  char const* const units[] = {"", "k", "M", "G", "T", "P"};
  std::size_t unit = 0;
  while (std::abs(count) >= 1000 && unit + 1 < std::size(units)) count /= 1000, ++unit;
  return unit == 0 ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}{}", count, units[unit]);
}

std::function<void(int, int)> cloud_progress(Progress& progress) {
  auto const start = std::chrono::steady_clock::now();
  return [&progress, start](int done, int total) {
    double const seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.update(fmt::format("clouds {}/{} \u00b7 {} left", done, total,
                                duration(seconds / done * (total - done))));
  };
}

ElapsedTime::ElapsedTime(Progress& progress, std::string what)
    : progress_(progress),
      what_(std::move(what)),
      thread_([this](std::stop_token stop) { run(std::move(stop)); }) {}

void ElapsedTime::run(std::stop_token stop) {
  auto const start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  auto pause = std::chrono::milliseconds(2000);
  while (!woken_.wait_for(lock, stop, pause, [] { return false; }) && !stop.stop_requested()) {
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    progress_.update(fmt::format("{} \u00b7 {}", what_, duration(seconds.count())));
    pause = std::chrono::milliseconds(250);
  }
}

Progress::Progress(bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      last_(std::chrono::steady_clock::now() - std::chrono::hours(1)) {}

Progress::~Progress() {
  erase();
}

void Progress::update(std::string const& text) {
  std::lock_guard const lock(mutex_);
  auto const now = std::chrono::steady_clock::now();
  auto const pause = terminal_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(10000);
  if (quiet_ || now - last_ < pause) return;
  last_ = now;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", first_columns(text, terminal_columns() - 1));
    drawn_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

void Progress::say(std::string const& text) {
  std::lock_guard const lock(mutex_);
  if (quiet_) return;
  erase();
  fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
}

void Progress::erase() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace tailor_program
