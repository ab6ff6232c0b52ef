#pragma once
// Clouds for the tests of geometry.

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

/// A cloud like those inside a language model: a common mean direction, a decaying spectrum, the
/// last token massive (`massive` times the others).
template <class T>
std::vector<T> model_cloud(int tokens, int d, double massive, unsigned seed, double noise = 1) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> mean;
  for (int j = 0; j < d; ++j) mean.push_back(normal(engine));
  std::vector<T> x;
  for (int i = 0; i < tokens; ++i) {
    double const factor = i == tokens - 1 ? massive : 1;
    for (int j = 0; j < d; ++j) {
      x.push_back(T(factor * (mean[std::size_t(j)] + noise * normal(engine) / std::sqrt(j + 1.0))));
    }
  }
  return x;
}

/// Points spread evenly in a cube of `dimension` dimensions, in a space of twice as many.
inline std::vector<double> cube_cloud(int tokens, int dimension, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> x;
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < dimension; ++j) x.push_back(uniform(engine));
    for (int j = 0; j < dimension; ++j) x.push_back(x[x.size() - std::size_t(dimension)]);
  }
  return x;
}

/// Points spread evenly on the unit sphere of `dimension` dimensions, in a space of one more.
inline std::vector<double> sphere_cloud(int tokens, int dimension, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x;
  for (int i = 0; i < tokens; ++i) {
    double squared = 0;
    for (int j = 0; j <= dimension; ++j) {
      x.push_back(normal(engine));
      squared += x.back() * x.back();
    }
    for (int j = 0; j <= dimension; ++j) x[x.size() - 1 - std::size_t(j)] /= std::sqrt(squared);
  }
  return x;
}
