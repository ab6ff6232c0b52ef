#pragma once
// The finite bars of one diagram, laid out so that bars near each other in the plane of births and
// deaths lie near each other in memory, in blocks that know their bounding boxes.

#include <tailor/geometry/bar.hpp>  // tailor::Bar

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace tailor::diagrams {

inline constexpr int nobody = -1;

/// The least and the greatest of some numbers.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take_in(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// How far x lies outside.
  double gap(double x) const { return std::max({low - x, x - high, 0.0}); }
};

/// Bars [first, last). No price among them is above top_price; prices fall, so that it holds on.
struct Block {
  int first = 0;
  int last = 0;
  Range births = {};
  Range deaths = {};
  double top_price = 0;
};

/// With the price of each bar and its partner in the other diagram.
struct Side {
  std::vector<double> birth;
  std::vector<double> death;
  std::vector<double> alone;  ///< cost of staying single
  std::vector<double> price;
  std::vector<int> partner;
  std::vector<Block> blocks;

  int size() const { return static_cast<int>(birth.size()); }

  void set_top_prices() {
    for (Block& block : blocks) {
      block.top_price = *std::max_element(price.begin() + block.first, price.begin() + block.last);
    }
  }
};

inline constexpr int bars_in_block = 16;

/// Reorders places in `bars` into strips of about equal births, each by deaths.
inline void order_by_strips(std::span<Bar const> bars, std::vector<int>& places) {
  auto const by_birth = [&](int i, int j) { return bars[i].birth < bars[j].birth; };
  auto const by_death = [&](int i, int j) { return bars[i].death < bars[j].death; };
  std::stable_sort(places.begin(), places.end(), by_birth);
  int const size = static_cast<int>(places.size());
  double const blocks = static_cast<double>(size) / bars_in_block;
  int const strip = bars_in_block * std::max(1, static_cast<int>(std::ceil(std::sqrt(blocks))));
  for (int first = 0; first < size; first += strip) {
    auto const begin = places.begin() + first;
    std::stable_sort(begin, begin + std::min(strip, size - first), by_death);
  }
}

/// The bars at `places`, in that order, in units of `unit`, at price zero and without partners.
template <class Cost>
Side side_of(std::span<Bar const> bars, std::vector<int> const& places, double unit) {
  Side side;
  for (int const i : places) {
    int const at = side.size();
    double const birth = bars[i].birth / unit;
    double const death = bars[i].death / unit;
    side.birth.push_back(birth);
    side.death.push_back(death);
    side.alone.push_back(Cost::alone(death - birth));
    if (at % bars_in_block == 0) side.blocks.push_back({.first = at});
    Block& block = side.blocks.back();
    block.last = at + 1;
    block.births.take_in(birth);
    block.deaths.take_in(death);
  }
  side.price.assign(places.size(), 0);
  side.partner.assign(places.size(), nobody);
  return side;
}

}  // namespace tailor::diagrams
