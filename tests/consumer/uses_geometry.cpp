#include <tailor/cpu.hpp>
#include <tailor/geometry.hpp>

#include <cmath>

// The corners of a 3 x 4 rectangle have one loop, born at 4 and filled at 5; a turned copy of them
// moves every corner and bends nothing.
int main() {
  double const corners[4][2] = {{0, 0}, {3, 0}, {3, 4}, {0, 4}};
  double const turned[4][2] = {{0, 0}, {0, 3}, {-4, 3}, {-4, 0}};
  tailor::cpu::Device device{{.threads = 2}};
  auto const before = tailor::matrix(&corners[0][0], 4, 2);
  auto const after = tailor::matrix(&turned[0][0], 4, 2);

  auto const distances = tailor::distances<tailor::Euclidean>(device, before);
  auto const bars = tailor::rips_h1(distances).bars;
  bool const one_loop = bars.size() == 1 && bars[0].birth == 4 && bars[0].death == 5;

  auto const work = tailor::work(device, before, after);
  auto const value = [&](char const* name) { return work.at(tailor::parse_statistic(name)).value; };
  return one_loop && value("shift/raw") > 1 && value("distortion/raw") < 1e-9 &&
                 value("topological/raw") < 1e-9
             ? 0
             : 1;
}
