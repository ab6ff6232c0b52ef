#pragma once
// How the distances from one point are distributed: what can be known of a point without knowing
// the others, Memoli's local distribution of distances.

#include <tailor/geometry/masses.hpp>  // tailor::Masses

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tailor::gromov {

/// The distances of one row, ascending, with the units that lie at each.
class DistanceDistribution {
 public:
  struct Atom {
    double distance = 0;
    std::int64_t units = 0;
  };

  DistanceDistribution(std::span<double const> row, Masses const& masses) : total_(masses.total) {
    atoms_.reserve(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (masses.units[k] > 0) atoms_.push_back({row[k], masses.units[k]});
    }
    std::sort(atoms_.begin(), atoms_.end(),
              [](Atom const& x, Atom const& y) { return x.distance < y.distance; });
  }

  std::span<Atom const> atoms() const { return atoms_; }
  std::int64_t total() const { return total_; }

 private:
  std::vector<Atom> atoms_;
  std::int64_t total_;
};

/// The square of the 2-Wasserstein distance on the line: the mass of both in ascending order.
/// Cost:   a pass over both.
/// Domain: of one total.
inline double squared_wasserstein(DistanceDistribution const& x, DistanceDistribution const& y) {
  auto const* of_x = x.atoms().data();
  auto const* of_y = y.atoms().data();
  std::int64_t left = of_x->units;
  std::int64_t missing = of_y->units;
  double sum = 0;
  for (std::int64_t moved = 0;;) {
    std::int64_t const units = std::min(left, missing);
    double const difference = of_x->distance - of_y->distance;
    sum += difference * difference * static_cast<double>(units);
    if ((moved += units) == x.total()) return sum / static_cast<double>(x.total());
    if ((left -= units) == 0) left = (++of_x)->units;
    if ((missing -= units) == 0) missing = (++of_y)->units;
  }
}

}  // namespace tailor::gromov
