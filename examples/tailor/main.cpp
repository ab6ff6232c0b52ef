// tailor: measure how much each layer's FFN works, cut widths to it under an exact budget, and fit
// the result from scratch against its alternatives.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <tailor/io/npy_header.hpp>            // tailor::NpyError
#include <tailor/train/checkpoint_header.hpp>  // tailor::CheckpointError

#include "commands.hpp"

namespace {

constexpr int bad_input = 2, failure = 1, by_interrupt = 130;

std::atomic<bool> interrupt_seen{false};

extern "C" void on_interrupt(int) {
  if (interrupt_seen.exchange(true)) std::_Exit(by_interrupt);
}

int complain(char const* what, int code) {
  fmt::print(stderr, "tailor: {}\n", what);
  return code;
}

}  // namespace

std::atomic<bool> const& tailor_program::interrupted() {
  return interrupt_seen;
}

void tailor_program::catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

void tailor_program::stop_if_interrupted() {
  if (interrupt_seen)
    throw Interrupted(
        "interrupted; what is finished is saved, the same command continues from here");
}

int main(int argc, char** argv) {
  CLI::App app{
      "Measure how much each layer's feed-forward network works, cut widths to it under an exact\n"
      "parameter budget, and fit the result from scratch against its alternatives.",
      "tailor"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "tailor 0.1.0");
  app.footer("Start here:  tailor fit --text FOLDER --out RESULTS");
  tailor_program::add_fit(app);
  tailor_program::add_train(app);
  tailor_program::add_profile(app);
  tailor_program::add_allocate(app);
  tailor_program::add_evaluate(app);
  tailor_program::add_sample(app);
  tailor_program::add_plan(app);
  tailor_program::add_report(app);
  tailor_program::add_work(app);
  tailor_program::add_h1(app);
  tailor_program::add_w2(app);
  tailor_program::add_gw(app);
  tailor_program::add_dimension(app);
  try {
    if (argc > 1 && argv[1][0] != '-' &&
        app.get_subcommands([&](CLI::App* command) { return command->get_name() == argv[1]; })
            .empty()) {
      throw std::invalid_argument(
          fmt::format("no command \"{}\" (tailor --help lists them)", argv[1]));
    }
    for (int i = 1; i < argc; ++i) {
      std::string const argument = argv[i];
      if (argument.empty() || (argument.starts_with("--") && argument.ends_with("="))) {
        throw std::invalid_argument(fmt::format("an empty value stands {} {}",
                                                argument.empty() ? "after" : "in",
                                                argument.empty() ? argv[i - 1] : argv[i]));
      }
    }
    app.parse(argc, argv);
    return 0;
  } catch (CLI::Success const& success) {  // --help
    return app.exit(success);
  } catch (CLI::ParseError const& error) {
    return complain(
        fmt::format("{} (tailor {}--help shows the flags)", error.what(),
                    app.get_subcommands().empty() ? "" : app.get_subcommands()[0]->get_name() + " ")
            .c_str(),
        bad_input);
  } catch (tailor_program::Interrupted const& stop) {
    return complain(stop.what(), by_interrupt);
  } catch (std::invalid_argument const& error) {
    return complain(error.what(), bad_input);
  } catch (std::length_error const& error) {
    return complain(error.what(), bad_input);
  } catch (tailor::NpyError const& error) {
    return complain(error.what(), bad_input);
  } catch (tailor::CheckpointError const& error) {
    return complain(error.what(), bad_input);
  } catch (std::bad_alloc const&) {
    return complain("out of memory; a smaller model, batch or context needs less", failure);
  } catch (std::exception const& error) {
    return complain(error.what(), failure);
  }
}
