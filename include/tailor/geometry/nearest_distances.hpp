#pragma once
// How far the nearest neighbours of every token are: what estimators of dimension are made from.

#include <tailor/geometry/distance_matrix.hpp>  // tailor::DistanceMatrix
#include <tailor/geometry/status.hpp>           // tailor::Outcome

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tailor {

/// The distances to the nearest `count` other tokens, ascending, of every token without a
/// duplicate. A token with one (a distance of 0 to another) has no scale of its own: it is left out
/// and counted, but stays a neighbour of others.
struct NearestDistances {
  int count = 0;
  std::vector<int> tokens = {};        ///< without a duplicate
  std::vector<double> distances = {};  ///< [tokens without a duplicate, count]
  Outcome outcome = {};                ///< counts tokens; undefined where none is left

  int size() const { return int(tokens.size()); }
  std::span<double const> operator[](int i) const {
    return std::span(distances).subspan(std::size_t(i) * std::size_t(count), std::size_t(count));
  }
};

/// Cost:   O(n^2 + n count log count) time, O(n count) memory.
/// Domain: more than `count` tokens, one of them without a duplicate; undefined elsewhere.
/// Error:  std::invalid_argument for a count below 1, or naming a distance that is negative or not
///         finite.
/// @post   a token with a duplicate is left out and counted, but stays a neighbour
template <DistanceMatrix D>
NearestDistances nearest_distances(D const& d, int count) {
  if (count < 1) {
    throw std::invalid_argument("nearest_distances: at least one neighbour expected, got " +
                                std::to_string(count));
  }
  NearestDistances result{.count = count};
  int const n = d.size();
  std::vector<double> row;
  for (int i = 0; i < n && n > count; ++i) {
    row.clear();
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      double const distance = d(i, j);
      if (!(distance >= 0) || std::isinf(distance)) {
        throw std::invalid_argument(
            "nearest_distances: finite distances of at least 0 expected, "
            "got " +
            std::to_string(distance) + " between tokens " + std::to_string(i) + " and " +
            std::to_string(j));
      }
      row.push_back(distance);
    }
    std::partial_sort(row.begin(), row.begin() + count, row.end());
    if (row.front() == 0) continue;
    result.tokens.push_back(i);
    result.distances.insert(result.distances.end(), row.begin(), row.begin() + count);
  }
  Outcome& outcome = result.outcome;
  outcome.n_used = result.size();
  outcome.n_undefined = n - result.size();
  if (result.size() == 0) outcome.status = Status::undefined;
  if (n <= count) {
    outcome.reason = "fewer than " + std::to_string(count + 1) + " tokens";
  } else if (result.size() == 0) {
    outcome.reason = "every token has a duplicate";
  } else if (outcome.n_undefined > 0) {
    outcome.reason = std::to_string(outcome.n_undefined) + " tokens have a duplicate";
  }
  return result;
}

}  // namespace tailor
