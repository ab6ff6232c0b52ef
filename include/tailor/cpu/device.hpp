#pragma once
// The CPU device: its threads, its instruction set, its memory.

#include <tailor/cpu/buffer.hpp>            // tailor::cpu::Buffer
#include <tailor/cpu/workers.hpp>           // tailor::cpu::Workers
#include <tailor/device/view.hpp>           // tailor::Host
#include <tailor/host/instruction_set.hpp>  // tailor::host::InstructionSet

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace tailor::cpu {

/// The processors that this process may run on.
inline int available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                     : int(std::thread::hardware_concurrency());
}

struct DeviceOptions {
  int threads = 0;  ///< 0: one per processor that this process may run on
  std::optional<host::InstructionSet> instruction_set = {};  ///< default: the best there is
};

/// A CPU with a fixed number of threads.
/// Domain: one thread at a time uses a device; different devices are independent.
/// Error: std::invalid_argument for a thread count outside 0 .. 4096 or an instruction set that
/// this machine lacks.
/// @post results are the same bits for every number of threads
class Device {
 public:
  using Space = Host;
  template <class T>
  using Buffer = cpu::Buffer<T>;

  explicit Device(DeviceOptions options = {})
      : instruction_set_(options.instruction_set.value_or(host::best_instruction_set())),
        workers_(checked(options)),
        scratch_(std::int64_t(workers_.count()) * scratch_bytes) {}

  int threads() const { return workers_.count(); }
  host::InstructionSet instruction_set() const { return instruction_set_; }

  /// The threads, for the primitives.
  Workers& workers() { return workers_; }

  /// Packing space of one worker.
  std::byte* scratch(int worker) { return scratch_.view().data + worker * scratch_bytes; }

  static constexpr std::int64_t scratch_bytes = 3 << 20;

 private:
  static int checked(DeviceOptions const& options) {
    if (options.threads < 0 || options.threads > 4096) {
      throw std::invalid_argument("cpu::Device: threads must be 0 .. 4096, not " +
                                  std::to_string(options.threads));
    }
    if (options.instruction_set && *options.instruction_set > host::best_instruction_set()) {
      throw std::invalid_argument(std::string("cpu::Device: this machine has no ") +
                                  name(*options.instruction_set));
    }
    return options.threads > 0 ? options.threads : available_processors();
  }

  host::InstructionSet instruction_set_;
  Workers workers_;
  cpu::Buffer<std::byte> scratch_;
};

}  // namespace tailor::cpu
