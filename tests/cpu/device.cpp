#include <tailor/cpu/device.hpp>

#include "support/catch.hpp"
#include "support/cpu_devices.hpp"
#include "support/thrown_message.hpp"

using namespace tailor;

TEST_CASE("a CPU device has the threads that it was asked for, by default one per processor",
          "[cpu]") {
  CHECK(cpu::Device{{.threads = 3}}.threads() == 3);
  CHECK(cpu::Device{}.threads() == cpu::available_processors());
  CHECK(cpu::available_processors() >= 1);
}

TEST_CASE("a CPU device takes the best instruction set or the one it is given", "[cpu]") {
  CHECK(cpu::Device{}.instruction_set() == host::best_instruction_set());
  for (auto set : instruction_sets()) {
    CHECK(cpu::Device{{.threads = 1, .instruction_set = set}}.instruction_set() == set);
  }
}

TEST_CASE("a CPU device refuses threads and instruction sets that cannot be", "[cpu]") {
  CHECK(thrown_message<std::invalid_argument>([] { cpu::Device{{.threads = -1}}; }) ==
        "cpu::Device: threads must be 0 .. 4096, not -1");
  CHECK(thrown_message<std::invalid_argument>([] { cpu::Device{{.threads = 5000}}; }) ==
        "cpu::Device: threads must be 0 .. 4096, not 5000");
  if (host::best_instruction_set() != host::InstructionSet::avx512) {
    CHECK(thrown_message<std::invalid_argument>([] {
            cpu::Device{{.instruction_set = host::InstructionSet::avx512}};
          }) == "cpu::Device: this machine has no avx512");
  }
}

TEST_CASE("every worker has packing space of its own", "[cpu]") {
  cpu::Device dev{{.threads = 3}};
  CHECK(dev.scratch(1) - dev.scratch(0) == cpu::Device::scratch_bytes);
  CHECK(dev.scratch(2) - dev.scratch(1) == cpu::Device::scratch_bytes);
}
