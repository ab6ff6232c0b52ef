#include <tailor/geometry/sampled_profile.hpp>  // what is tested

#include <support/catch.hpp>  // Catch2

#include <cmath>
#include <vector>

namespace {

using namespace tailor;

/// Statistic i of layer l in sample s is a number of its own; layer 1 has no last statistic in
/// sample 2.
SampledProfile numbered(int layers, int samples) {
  Profile frame;
  frame.layers.resize(std::size_t(layers));
  SampledProfile sampled(frame);
  sampled.resize(samples);
  for (int l = 0; l < layers; ++l) {
    for (int s = 0; s < samples; ++s) {
      Work& work = sampled.at(l, s);
      for (std::size_t i = 0; i < 9; ++i) {
        work.statistics[i].value = 10 * l + double(i) + std::sin(7.0 * s + l);
      }
      work.dimension.value = 3 + s;
      if (l == 1 && s == 2) work.statistics[8].outcome.status = Status::undefined;
    }
  }
  return sampled;
}

}  // namespace

TEST_CASE("the mean is over the samples that have a value", "[geometry]") {
  SampledProfile const sampled = numbered(4, 5);
  CHECK(sampled.layers() == 4);
  CHECK(sampled.samples() == 5);
  Profile const mean = sampled.mean();
  CHECK(mean.samples == 5);
  double sum = 0;
  for (int s = 0; s < 5; ++s) sum += sampled.at(2, s).statistics[4].value;
  CHECK(mean.layers[2].statistics[4].mean == Approx(sum / 5));
  CHECK(mean.layers[2].statistics[4].samples == 5);
  CHECK(mean.layers[1].statistics[8].samples == 4);
  CHECK(mean.layers[3].dimension.mean == Approx(5));
  // Layers are 10 apart and samples 2: all agree on the order.
  CHECK(mean.rank_correlation[0].value() == 1);
  CHECK(mean.reliability[0].value() == 1);
}

TEST_CASE("the mean of all means without one sample is the mean", "[geometry]") {
  SampledProfile const sampled = numbered(3, 4);
  Profile const mean = sampled.mean();
  for (std::size_t l = 0; l < 3; ++l) {
    double sum = 0;
    for (int s = 0; s < 4; ++s) {
      Profile const others = sampled.mean_without(s);
      CHECK(others.samples == 3);
      CHECK(others.layers[l].statistics[0].samples == 3);
      sum += others.layers[l].statistics[0].mean / 4;
    }
    CHECK(mean.layers[l].statistics[0].mean == Approx(sum));
  }
}

TEST_CASE("a profile grows and keeps the samples it has", "[geometry]") {
  SampledProfile sampled = numbered(3, 2);
  double const before = sampled.at(1, 1).statistics[3].value;
  sampled.resize(6);
  CHECK(sampled.samples() == 6);
  CHECK(sampled.at(1, 1).statistics[3].value == before);
}
