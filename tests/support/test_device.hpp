#pragma once
// The devices that laws are tested on, and how far a scalar type may be from the truth.

#include <tailor/cpu.hpp>  // tailor::cpu::Device

#include "support/naive_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

/// The device that stands for all: a bench of another device changes this line.
using TestDevice = tailor::cpu::Device;

/// Relative error allowed where a result of ordinary length is compared with a reference in double.
template <class T>
inline constexpr double tolerance = 0;
template <>
inline constexpr double tolerance<float> = 2e-5;
template <>
inline constexpr double tolerance<double> = 1e-12;

/// Relative error allowed between a gradient in double and central differences of it.
inline constexpr double gradient_tolerance = 1e-6;

/// `size` draws from a standard normal distribution.
template <class T>
std::vector<T> normal_values(std::int64_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> values(static_cast<std::size_t>(size));
  for (T& value : values) value = static_cast<T>(normal(random));
  return values;
}

/// What errors are relative to where a result is smaller than this, zero for instance.
inline constexpr double smallest_scale = 1e-3;

/// The largest distance between two equally long lists, relative to `scale` or, where that is
/// smaller, to the largest value of `right`.
template <class Left, class Right>
double relative_distance(Left const& left, Right const& right, double scale = smallest_scale) {
  double distance = 0;
  if (left.size() != right.size()) return INFINITY;
  for (std::size_t i = 0; i < left.size(); ++i) {
    double const difference = std::abs(double(left[i]) - double(right[i]));
    if (std::isnan(difference)) return INFINITY;
    distance = std::max(distance, difference);
    scale = std::max(scale, std::abs(double(right[i])));
  }
  return distance / scale;
}

/// How far `gradient` is from central differences of `value()` in up to `samples` elements of x,
/// evenly spread, relative to the largest element of the gradient.
template <class F>
double gradient_error(std::vector<double>& x, std::vector<double> const& gradient, F const& value,
                      std::size_t samples = 60, double step = 1e-5) {
  if (x.size() != gradient.size()) return INFINITY;
  std::size_t const count = std::min(samples, x.size());
  std::vector<double> ours, differences;
  for (std::size_t sample = 0; sample < count; ++sample) {
    std::size_t const i = sample * x.size() / count;
    double const middle = x[i];
    x[i] = middle + step;
    double const above = value();
    x[i] = middle - step;
    double const below = value();
    x[i] = middle;
    differences.push_back((above - below) / (2 * step));
    ours.push_back(gradient[i]);
  }
  double largest = smallest_scale;
  for (double element : gradient) largest = std::max(largest, std::abs(element));
  return relative_distance(ours, differences, largest);
}

/// sum_i left[i] right[i].
inline double dot(std::vector<double> const& left, std::vector<double> const& right) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
  return sum;
}
