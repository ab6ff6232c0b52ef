// A metric is a struct, and everything that measures token clouds takes yours as it takes ours.
// What to look for: Manhattan needs coordinates, Chord only the lengths of a pair, which one matrix
// product gives for a whole cloud; the zero token, which has no direction, is counted, not guessed;
// every metric sees the one loop of the ring (a bar of H1) disappear.

#include <tailor/cpu.hpp>                   // tailor::cpu::Device
#include <tailor/geometry/dimension.hpp>    // two_nn_mle, participation_ratio
#include <tailor/geometry/distances.hpp>    // distances
#include <tailor/geometry/rips_h1.hpp>      // rips_h1
#include <tailor/geometry/shift.hpp>        // shift
#include <tailor/geometry/wasserstein.hpp>  // wasserstein2

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <span>
#include <vector>

/// The sum of the coordinates' differences: a metric that wants coordinates.
struct Manhattan {
  static constexpr tailor::Measures measures = tailor::Measures::vectors;
  double distance(std::span<double const> x, std::span<double const> y) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - y[i]);
    return sum;
  }
};

/// |x / |x| - y / |y||: a metric of directions that follows from the lengths of a pair.
struct Chord {
  static constexpr tailor::Measures measures = tailor::Measures::directions;
  double distance(tailor::PairNorms const& pair) const { return pair.difference; }
};

template <tailor::Metric M>
void measure(char const* name, std::vector<float> const& before, std::vector<float> const& after) {
  tailor::cpu::Device device{{.threads = 2}};
  int const tokens = int(before.size()) / 3;
  auto const x = tailor::matrix(before.data(), tokens, 3);
  auto const y = tailor::matrix(after.data(), tokens, 3);
  auto const moved = tailor::shift<M>(device, x, y);
  auto const from = tailor::rips_h1(tailor::distances<M>(device, x));
  auto const to = tailor::rips_h1(tailor::distances<M>(device, y));
  auto const change = tailor::wasserstein2(std::span<tailor::Bar const>(from.bars),
                                           std::span<tailor::Bar const>(to.bars));
  std::printf("%-11s shift %.4f  bars %zu -> %zu  W2 %.4f  tokens %d  %s\n", name, moved.mean,
              from.bars.size(), to.bars.size(), change.value, moved.outcome.n_used,
              moved.outcome.reason.c_str());
}

int main() {
  // A ring of 24 tokens and the zero token; afterwards the ring is opened to a half.
  std::vector<float> before{0, 0, 0};
  std::vector<float> after{0, 0, 0};
  for (int i = 0; i < 24; ++i) {
    double const angle = 2 * std::numbers::pi * i / 24;
    before.insert(before.end(), {float(std::cos(angle)), float(std::sin(angle)), 2});
    after.insert(after.end(), {float(std::cos(angle / 2)), float(std::sin(angle / 2)), 2});
  }
  measure<tailor::Euclidean>("Euclidean", before, after);
  measure<tailor::Spherical>("Spherical", before, after);
  measure<tailor::Hyperbolic>("Hyperbolic", before, after);
  measure<Manhattan>("Manhattan", before, after);
  measure<Chord>("Chord", before, after);

  tailor::cpu::Device device;
  auto const ring =
      tailor::distances<tailor::Euclidean>(device, tailor::matrix(before.data() + 3, 24, 3));
  double const dimensions = tailor::participation_ratio(ring).value;
  std::printf("the ring fills %.1f dimensions by its variance\n", dimensions);
  return dimensions > 1.999 && dimensions < 2.001 ? 0 : 1;
}
