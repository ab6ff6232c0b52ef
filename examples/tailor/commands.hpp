#pragma once
// The commands of the program. Each adds itself, with its flags and an example, and runs on parse.

#include <CLI/CLI.hpp>
#include <atomic>

namespace tailor_program {

void add_fit(CLI::App& app);
void add_train(CLI::App& app);
void add_profile(CLI::App& app);
void add_allocate(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_sample(CLI::App& app);
void add_plan(CLI::App& app);
void add_report(CLI::App& app);
void add_work(CLI::App& app);
void add_h1(CLI::App& app);
void add_w2(CLI::App& app);
void add_gw(CLI::App& app);
void add_dimension(CLI::App& app);

/// Set by the first Ctrl-C: long work saves its state and ends. The second one ends at once.
std::atomic<bool> const& interrupted();

/// From now on the first Ctrl-C only sets interrupted(): for commands that save their state. The
/// others end at once, having nothing to save.
void catch_interrupts();

/// Throws Interrupted after Ctrl-C: for work whose finished parts are in files already.
void stop_if_interrupted();

/// Thrown where long work ended because of `interrupted`; says how to go on.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tailor_program
