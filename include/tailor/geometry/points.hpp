#pragma once
// The tokens of a cloud that a metric is defined on, in double, and what is wrong with the others.

#include <tailor/device/view.hpp>          // tailor::MatrixView
#include <tailor/geometry/metric.hpp>      // tailor::Measures
#include <tailor/geometry/pair_norms.hpp>  // tailor::inner_product
#include <tailor/geometry/status.hpp>      // tailor::Outcome

#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tailor {

/// A host cloud of tokens: float or double, one token a row.
template <class T>
concept Scalar = std::same_as < std::remove_const_t<T>,
float > || std::same_as<std::remove_const_t<T>, double>;

/// Why a token has no place in a metric. `too_long`: fourth powers of its norm, which squared
/// distances lead to, leave the range of double; `no_direction`: the zero vector, or a norm below
/// 1e-150.
enum class Fault : unsigned char { none, non_finite, too_long, no_direction };

inline char const* words(Fault fault) {
  switch (fault) {
    case Fault::non_finite:
      return "has a coordinate that is not finite";
    case Fault::too_long:
      return "has a norm above 1e139";
    case Fault::no_direction:
      return "is the zero vector and has no direction";
    case Fault::none:
      break;
  }
  return "is sound";
}

/// The fault of every token of x for what a metric measures.
/// Shapes: x [tokens, d].
/// Cost:   O(tokens d).
template <Scalar T>
std::vector<Fault> token_faults(MatrixView<T> x, Measures measures) {
  std::vector<Fault> result(std::size_t(x.rows), Fault::none);
  for (int i = 0; i < x.rows; ++i) {
    bool finite = true;
    double squared = 0;
    for (int j = 0; j < x.cols; ++j) {
      double const value = x(i, j);
      finite = finite && std::isfinite(value);
      squared += value * value;
    }
    Fault& fault = result[std::size_t(i)];
    if (!finite) {
      fault = Fault::non_finite;
    } else if (!(squared < 1e278)) {
      fault = Fault::too_long;
    } else if (measures == Measures::directions && squared < 1e-300) {
      fault = Fault::no_direction;
    }
  }
  return result;
}

/// The faults of tokens seen in two clouds: a token undefined in one leaves both.
inline std::vector<Fault> either_fault(std::vector<Fault> a, std::span<Fault const> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == Fault::none) a[i] = b[i];
  }
  return a;
}

/// The indices of the tokens without a fault, ascending.
inline std::vector<int> sound_tokens(std::span<Fault const> faults) {
  std::vector<int> tokens;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i] == Fault::none) tokens.push_back(int(i));
  }
  return tokens;
}

/// Counts of used and undefined tokens, with the first of the latter in words; undefined where
/// there were tokens and none is sound.
inline Outcome token_outcome(std::span<Fault const> faults) {
  Outcome result;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i] == Fault::none) {
      ++result.n_used;
    } else if (result.n_undefined++ == 0) {
      result.reason = "token " + std::to_string(i) + " " + words(faults[i]);
    }
  }
  if (result.n_undefined > 1) {
    result.reason += ", and " + std::to_string(result.n_undefined - 1) + " more are undefined";
  }
  if (result.n_used == 0 && result.n_undefined > 0) result.status = Status::undefined;
  return result;
}

/// The outcome of a result that needs a token: undefined where none is sound, also of no tokens.
inline Outcome defined_outcome(std::span<Fault const> faults) {
  Outcome result = token_outcome(faults);
  if (result.n_used == 0) result.status = Status::undefined;
  if (faults.empty()) result.reason = "the clouds have no tokens";
  return result;
}

/// Tokens in double, with their squared norms.
struct Points {
  int dimension = 0;
  std::vector<int> tokens;            ///< the row of the cloud that each point is
  std::vector<double> coordinates;    ///< [size, dimension]
  std::vector<double> squared_norms;  ///< [size]

  int size() const { return int(tokens.size()); }
  std::span<double const> operator[](int i) const {
    return std::span(coordinates)
        .subspan(std::size_t(i) * std::size_t(dimension), std::size_t(dimension));
  }
};

/// The given tokens of x, in double.
/// Shapes: x [tokens of the cloud, d].
/// Domain: tokens within x, without a fault.
template <Scalar T>
Points points_of(MatrixView<T> x, std::vector<int> tokens) {
  Points result{
      .dimension = x.cols, .tokens = std::move(tokens), .coordinates = {}, .squared_norms = {}};
  result.coordinates.reserve(result.tokens.size() * std::size_t(x.cols));
  for (int const token : result.tokens) {
    for (int j = 0; j < x.cols; ++j) result.coordinates.push_back(x(token, j));
  }
  for (int i = 0; i < result.size(); ++i) {
    result.squared_norms.push_back(inner_product(result[i], result[i]));
  }
  return result;
}

/// The same points at unit length.
inline Points at_unit_length(Points points) {
  for (int i = 0; i < points.size(); ++i) {
    double const norm = std::sqrt(points.squared_norms[std::size_t(i)]);
    double* row = points.coordinates.data() + std::size_t(i) * std::size_t(points.dimension);
    for (int j = 0; j < points.dimension; ++j) row[j] /= norm;
    points.squared_norms[std::size_t(i)] = 1;
  }
  return points;
}

/// Lets a metric that has a domain or parameters look at every point before any distance is taken.
template <Metric M>
void check_points(M const& metric, Points const& points) {
  if constexpr (CheckedMetric<M>) {
    for (int i = 0; i < points.size(); ++i) {
      metric.check(points.tokens[std::size_t(i)], std::sqrt(points.squared_norms[std::size_t(i)]));
    }
  }
}

}  // namespace tailor
