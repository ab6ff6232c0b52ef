#include <tailor/geometry/distance_matrix.hpp>
#include <tailor/geometry/rips_h1.hpp>

#include <cmath>

// The corners of a 3 x 4 rectangle have one loop, born at 4 and filled at 5.
int main() {
  double const corners[4][2] = {{0, 0}, {3, 0}, {3, 4}, {0, 4}};
  tailor::DenseDistances distances(4);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      distances.at(i, j) = std::hypot(corners[i][0] - corners[j][0], corners[i][1] - corners[j][1]);
    }
  }
  auto const bars = tailor::rips_h1(distances).bars;
  return bars.size() == 1 && bars[0].birth == 4 && bars[0].death == 5 ? 0 : 1;
}
