#include <tailor/geometry/measure.hpp>  // what is tested

#include <tailor/cpu/device.hpp>      // tailor::cpu::Device
#include <tailor/cpu/gemm.hpp>        // its matrix product
#include <tailor/cpu/primitives.hpp>  // its other primitives

#include <support/catch.hpp>           // Catch2
#include <support/clouds.hpp>          // model_cloud
#include <support/thrown_message.hpp>  // thrown_message

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tailor;

/// Layers whose tokens move further the deeper they are.
std::vector<Cloud> layers(int count, int tokens, double massive = 1) {
  int const d = 6;
  std::vector<Cloud> clouds;
  for (int l = 0; l < count; ++l) {
    auto before = model_cloud<float>(tokens, d, massive, unsigned(l));
    auto after = before;
    auto const step = model_cloud<float>(tokens, d, 1, unsigned(100 + l));
    for (std::size_t i = 0; i < after.size(); ++i) after[i] += float(0.2 * (l + 1)) * step[i];
    clouds.push_back({"layers." + std::to_string(l), HostMatrix(tokens, d, std::move(before)),
                      HostMatrix(tokens, d, std::move(after))});
  }
  return clouds;
}

bool same(Estimate const& a, Estimate const& b) {
  return a.mean == b.mean && a.standard_error == b.standard_error && a.samples == b.samples &&
         a.status == b.status;
}

}  // namespace

TEST_CASE("a profile has the mean and the standard error of its samples", "[geometry]") {
  cpu::Device device{{.threads = 2}};
  auto const clouds = layers(4, 80);
  MeasureOptions const options{.samples = 5, .tokens = 24, .seed = 9};
  Profile const profile = measure(device, clouds, options);
  REQUIRE(profile.layers.size() == 4);
  CHECK(profile.samples == 5);
  CHECK(profile.tokens == 24);
  CHECK(profile.cloud_tokens == 80);
  for (std::size_t l = 0; l < 4; ++l) {
    LayerProfile const& layer = profile.layers[l];
    CHECK(layer.name == clouds[l].layer);
    CHECK(layer.tokens == 24);
    CHECK(layer.undefined == 0);
    CHECK(layer.massive == 0);
    std::vector<Work> works;
    for (std::uint64_t s = 0; s < 5; ++s) {
      auto const tokens = sample_without_replacement(24, 80, 9, s);
      works.push_back(work(device, rows_at(clouds[l].before.view(), tokens).view(),
                           rows_at(clouds[l].after.view(), tokens).view()));
    }
    for (StatisticName const name : all_statistics) {
      double sum = 0;
      double squares = 0;
      for (Work const& w : works) sum += w.at(name).value;
      for (Work const& w : works) squares += std::pow(w.at(name).value - sum / 5, 2);
      CHECK(layer.at(name).mean == Approx(sum / 5));
      CHECK(layer.at(name).standard_error.value() == Approx(std::sqrt(squares / 4 / 5)));
      CHECK(layer.at(name).samples == 5);
    }
    CHECK(layer.dimension.mean > 1);
    CHECK(layer.participation_ratio.standard_error.value() > 0);
    for (auto const& counts : layer.starts) CHECK(counts[0] + counts[1] + counts[2] == 5);
  }
  // Deeper layers shift further.
  CHECK(profile.rank_correlation[StatisticName{}.index()].value() == 1);
  CHECK(profile.reliability[StatisticName{}.index()].value() == 1);
}

TEST_CASE("the profile is the same bits for every number of threads", "[geometry]") {
  cpu::Device one{{.threads = 1}};
  cpu::Device three{{.threads = 3}};
  auto const clouds = layers(3, 60);
  MeasureOptions const options{.samples = 4, .tokens = 20};
  Profile const a = measure(one, clouds, options);
  Profile const b = measure(three, clouds, options);
  for (std::size_t l = 0; l < 3; ++l) {
    for (StatisticName const name : all_statistics) {
      CHECK(same(a.layers[l].at(name), b.layers[l].at(name)));
    }
    CHECK(same(a.layers[l].dimension, b.layers[l].dimension));
  }
  CHECK(a.reliability == b.reliability);
}

TEST_CASE("a profile with added samples is the one that had them from the start", "[geometry]") {
  cpu::Device device{{.threads = 2}};
  auto const clouds = layers(3, 60);
  std::vector<int> asked;
  auto const until = [&](int enough) {
    return [&asked, enough](SampledProfile const& sampled) {
      asked.push_back(sampled.samples());
      Profile const now = sampled.mean();
      CHECK(now.samples == sampled.samples());
      return Stability{.criterion = "enough",
                       .wanted = double(enough),
                       .reached = sampled.samples(),
                       .stable = sampled.samples() >= enough};
    };
  };
  Profile const whole = measure(device, clouds, {.samples = 12, .tokens = 20});
  Profile const grown = measure(device, clouds, {.samples = 2, .tokens = 20, .until = until(12)});
  CHECK(asked == std::vector<int>{2, 7, 12});
  CHECK(grown.samples == 12);
  CHECK(grown.options.samples == 2);
  CHECK_FALSE(grown.options.until);
  for (std::size_t l = 0; l < 3; ++l) {
    for (StatisticName const name : all_statistics) {
      CHECK(same(whole.layers[l].at(name), grown.layers[l].at(name)));
    }
  }
  CHECK(grown.reliability == whole.reliability);
  CHECK(grown.rank_correlation == whole.rank_correlation);
  CHECK_FALSE(whole.stability);
  REQUIRE(grown.stability);
  CHECK(grown.stability->stable);
  CHECK(grown.stability->criterion == "enough");

  asked.clear();
  Profile const unstable =
      measure(device, clouds, {.samples = 2, .most_samples = 8, .tokens = 20, .until = until(99)});
  CHECK(asked == std::vector<int>{2, 7, 8});
  CHECK(unstable.samples == 8);
  CHECK_FALSE(unstable.stability.value().stable);
}

TEST_CASE("clouds not larger than a sample cannot give more, whatever the rule says",
          "[geometry]") {
  cpu::Device device{{.threads = 1}};
  int asked = 0;
  Profile const profile = measure(device, layers(3, 20), {.until = [&](SampledProfile const&) {
                                    ++asked;
                                    return Stability{.criterion = "never"};
                                  }});
  CHECK(asked == 1);
  CHECK(profile.samples == 1);
  CHECK_FALSE(profile.stability.value().stable);
}

TEST_CASE("another seed draws other tokens", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  auto const clouds = layers(1, 60);
  Profile const a = measure(device, clouds, {.samples = 1, .tokens = 20, .seed = 1});
  Profile const b = measure(device, clouds, {.samples = 1, .tokens = 20, .seed = 2});
  CHECK(a.layers[0].at({}).mean != b.layers[0].at({}).mean);
}

TEST_CASE("tokens massive in one layer are left out of all, counted and named", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  auto clouds = layers(2, 30, 1e4);
  clouds[0] = layers(1, 30)[0];
  for (int j = 0; j < 6; ++j) clouds[1].after.view()(29, j) *= 1.5f;
  Profile const without = measure(device, clouds, {.samples = 2, .tokens = 29});
  CHECK(without.left_out == std::vector<int>{29});
  CHECK(without.layers[0].massive == 0);
  CHECK(without.layers[1].massive == 1);
  CHECK(without.layers[1].massive_tokens == std::vector<int>{29});
  CHECK(without.tokens == 29);
  Profile const kept = measure(device, clouds, {.samples = 2, .tokens = 30, .keep_massive = true});
  CHECK(kept.left_out.empty());
  CHECK(kept.layers[1].massive == 1);
  CHECK(kept.tokens == 30);
  auto const raw = parse_statistic("distortion/raw");
  CHECK(kept.layers[1].at(raw).mean > 100 * without.layers[1].at(raw).mean);
}

TEST_CASE("clouds not larger than a sample are used whole, once, without a standard error",
          "[geometry]") {
  cpu::Device device{{.threads = 1}};
  auto const clouds = layers(3, 20);
  Profile const profile = measure(device, clouds, {.samples = 10, .tokens = 256});
  CHECK(profile.samples == 1);
  CHECK(profile.tokens == 20);
  CHECK(profile.options.samples == 10);
  Work const whole = work(device, clouds[1].before.view(), clouds[1].after.view());
  for (StatisticName const name : all_statistics) {
    CHECK(profile.layers[1].at(name).mean == whole.at(name).value);
    CHECK_FALSE(profile.layers[1].at(name).standard_error);
    CHECK_FALSE(profile.reliability[name.index()]);
    CHECK_FALSE(profile.rank_correlation[name.index()]);
  }
}

TEST_CASE("reliability needs three layers and two samples", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  CHECK_FALSE(measure(device, layers(2, 40), {.samples = 3, .tokens = 20}).reliability[0]);
  CHECK(measure(device, layers(3, 40), {.samples = 2, .tokens = 20}).reliability[0]);
}

TEST_CASE("one bad token never kills a profile, and a layer without any is undefined there alone",
          "[geometry]") {
  cpu::Device device{{.threads = 2}};
  auto clouds = layers(3, 30);
  clouds[0].after.view()(4, 2) = std::numeric_limits<float>::quiet_NaN();
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 6; ++j) clouds[2].after.view()(i, j) = 0;
  }
  Profile const profile = measure(device, clouds, {.samples = 3, .tokens = 29});
  CHECK(profile.layers[0].undefined == 1);
  CHECK(contains(profile.layers[0].reason, "token 4 has a coordinate that is not finite"));
  for (auto const& estimate : profile.layers[0].statistics) {
    CHECK(estimate.samples == 3);
    CHECK(std::isfinite(estimate.mean));
  }
  auto const angle = parse_statistic("shift/spherical");
  CHECK(profile.layers[2].undefined == 30);
  CHECK(profile.layers[2].at(angle).status == Status::undefined);
  CHECK(profile.layers[2].at(angle).samples == 0);
  CHECK(profile.layers[2].at(parse_statistic("shift/raw")).status == Status::ok);
  CHECK(contains(thrown_message<std::invalid_argument>([&] { (void)values(profile, angle); }),
                 "the statistic shift/spherical is undefined in layers.2"));
  auto const raw = values(profile, parse_statistic("shift/raw"));
  REQUIRE(raw.size() == 3);
  CHECK(raw[1] == profile.layers[1].at(parse_statistic("shift/raw")).mean);
  CHECK(dimensions(profile).size() == 3);
}

TEST_CASE("progress counts every layer of every sample once", "[geometry]") {
  cpu::Device device{{.threads = 3}};
  std::vector<int> seen;
  MeasureOptions options{.samples = 4, .tokens = 10};
  options.progress = [&](int done, int total) {
    CHECK(total == 12);
    seen.push_back(done);
  };
  Profile const profile = measure(device, layers(3, 40), options);
  REQUIRE(seen.size() == 12);
  for (int i = 0; i < 12; ++i) CHECK(seen[std::size_t(i)] == i + 1);
  CHECK_FALSE(profile.options.progress);
}

TEST_CASE("clouds that do not fit together are an error that names the layer", "[geometry]") {
  cpu::Device device{{.threads = 1}};
  auto const said = [&](std::vector<Cloud> const& clouds, MeasureOptions const& options = {}) {
    return thrown_message<std::invalid_argument>([&] { (void)measure(device, clouds, options); });
  };
  auto clouds = layers(2, 10);
  clouds[1].after = HostMatrix(9, 6);
  CHECK(contains(said(clouds), "cloud of layer layers.1: before and after of one shape"));
  clouds[1] = layers(1, 11)[0];
  CHECK(contains(said(clouds), "layer layers.0 has 10 and layer layers.0 has 11"));
  CHECK(contains(said({}), "at least one layer"));
  CHECK(contains(said(layers(1, 10), {.samples = 0}), "got 0 of 256"));
  CHECK(contains(said(layers(1, 10), {.rho = 0}), "rho between 0 and 1"));
}
