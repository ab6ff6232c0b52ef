#include "profile_flags.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "numbers.hpp"

namespace tailor_program {

void ProfileFlags::add_to(CLI::App& command) {
  char const* const group = "Profile";
  auto& measure = profile.measure;
  command.add_option("--samples", measure.samples, "samples of tokens that are averaged")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--until", profile.until,
                  "add samples, up to 40, until the mean profile has this reliability, as 0.95; "
                  "below 12 layers, until no width has a standard error of a grain")
      ->group(group);
  command.add_option("--cloud-tokens", measure.tokens, "tokens in a sample")
      ->capture_default_str()
      ->group(group);
  command.add_option("--pool", profile.pool, "tokens that samples are drawn from")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->group(group);
  command.add_option("--per-window", profile.per_window, "of them from one window of text")
      ->capture_default_str()
      ->group(group);
  command
      .add_flag("--keep-massive", measure.keep_massive,
                "keep tokens with norms over 20 medians, and show where that matters")
      ->group(group);
  command.add_option("--rho", measure.rho, "radius of the Poincare ball map, below 1")
      ->capture_default_str()
      ->group(group);
  command.add_option("--curvature", measure.curvature, "the ball has this negative curvature")
      ->capture_default_str()
      ->group(group);
  command.add_option("--profile-seed", measure.seed, "of windows and samples")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, largest_flag))
      ->group(group);
}

ProfileOptions ProfileFlags::options() const {
  if (profile.until && !(*profile.until > 0 && *profile.until < 1)) {
    throw std::invalid_argument(
        fmt::format("--until: must be between 0 and 1, got {:g}", *profile.until));
  }
  return profile;
}

void AllocationFlags::add_to(CLI::App& command) {
  char const* const group = "Allocation";
  command.add_option("--exponents", exponents, "per-layer, or common: their median")
      ->capture_default_str()
      ->group(group);
  command.add_option("--power", allocation.power, "difficulty = statistic ^ power")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--smoothing", smoothing,
                  "sigma over depth, in layers (default 0 below 8 layers, else 0.5)")
      ->group(group);
  command.add_option("--grain", grain, "widths are multiples of it (default: by width)")
      ->group(group);
  command.add_option("--floor", allocation.floor, "lowest width, in reference widths")
      ->capture_default_str()
      ->group(group);
  command.add_option("--cap", allocation.cap, "highest width, in reference widths")
      ->capture_default_str()
      ->group(group);
}

tailor::AllocationOptions AllocationFlags::options() const {
  tailor::AllocationOptions options = allocation;
  if (exponents == "common") {
    options.exponents = tailor::ExponentRule::common;
  } else if (exponents != "per-layer") {
    throw std::invalid_argument("--exponents: \"" + exponents +
                                "\" is neither per-layer nor common");
  }
  options.smoothing = smoothing;
  options.grain = grain;
  return options;
}

}  // namespace tailor_program
