// Tailor's side of bench/peers/geometry.py: makes the clouds, and times one task on files, in this
// process, so that neither side is charged for starting up. Prints one JSON object.
//   bench_geometry_peer clouds sphere|activations TOKENS LAYER BEFORE.npy AFTER.npy
//   bench_geometry_peer describe TOKENS LAYER
//   bench_geometry_peer distances REPEATS CLOUD.npy raw|angles OUT.npy
//   bench_geometry_peer h1 REPEATS D.npy OUT.csv
//   bench_geometry_peer w2 REPEATS A.csv B.csv
//   bench_geometry_peer gw REPEATS A.npy B.npy identity|product|default
//   bench_geometry_peer work REPEATS BEFORE.npy AFTER.npy
//   bench_geometry_peer profile LAYERS SAMPLES TOKENS THREADS EVERY FOLDER

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tailor/cpu.hpp>                   // tailor::cpu::Device
#include <tailor/geometry.hpp>              // everything that is timed
#include <tailor/geometry/diagram_csv.hpp>  // tailor::diagram_csv
#include <tailor/io/npy.hpp>                // tailor::read_npy

#include "../clouds.hpp"

namespace {

using nlohmann::json;

/// Peak resident memory of this process since it was last forgotten, in MB (Linux).
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// Runs a task some times. `seconds` is the least time, `megabytes` what the memory grew by at most.
template <class Task>
json timed(int repeats, Task const& task) {
  forget_peak();
  double const before = peak_megabytes();
  double least = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repeats; ++r) {
    auto const start = std::chrono::steady_clock::now();
    task();
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count());
  }
  return {{"seconds", least}, {"megabytes", peak_megabytes() - before}};
}

template <class T>
struct Matrix {
  std::vector<T> values;
  int rows, cols;
  tailor::MatrixView<T const> view() const { return tailor::matrix(values.data(), rows, cols); }
};

template <class T>
Matrix<T> read_matrix(std::string const& file) {
  auto array = tailor::read_npy<T>(file);
  if (array.shape.size() != 2) throw std::invalid_argument(file + ": a matrix expected");
  return {std::move(array.values), int(array.shape[0]), int(array.shape[1])};
}

tailor::DenseDistances read_distances(std::string const& file) {
  auto const matrix = read_matrix<double>(file);
  tailor::DenseDistances distances(matrix.rows);
  std::copy(matrix.values.begin(), matrix.values.end(), distances.data());
  return distances;
}

std::vector<tailor::Bar> read_bars(std::string const& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return tailor::parse_diagram_csv(text.str(), file);
}

void write_cloud(std::string const& file, tailor::HostMatrix const& x) {
  tailor::write_npy<float>(file, {x.rows(), x.cols()},
                           std::span(x.view().data, std::size_t(x.rows()) * x.cols()));
}

/// Rounded to float, in which some peers compute, so that all can be held to the same bars.
void write_rounded(std::string const& file, tailor::DenseDistances const& distances) {
  std::size_t const n = std::size_t(distances.size());
  std::vector<double> rounded(n * n);
  std::transform(distances.data(), distances.data() + n * n, rounded.begin(),
                 [](double d) { return double(float(d)); });
  tailor::write_npy<double>(file, {std::int64_t(n), std::int64_t(n)},
                            std::span<double const>(rounded));
}

tailor::Cloud cloud_of(std::string const& kind, int tokens, int layer) {
  if (kind == "sphere") return tailor_bench::sphere_pair(tokens, std::uint64_t(layer) + 1);
  return tailor_bench::activations({.tokens = tokens, .layer = layer});
}

/// The figures that bench/clouds.hpp promises.
json describe(tailor::cpu::Device& device, int tokens, int layer) {
  auto const cloud = tailor_bench::activations({.tokens = tokens, .layer = layer});
  auto const ids = tailor_bench::token_ids(tokens, 1);
  auto const angles = tailor::distances<tailor::Spherical>(device, cloud.before.view());
  double cosines = 0;
  int repeated = 0, same_nearest = 0;
  for (int i = 0; i < tokens; ++i) {
    int nearest = i == 0 ? 1 : 0;
    for (int j = 0; j < tokens; ++j) {
      if (j == i) continue;
      cosines += std::cos(angles(i, j)) / tokens / (tokens - 1);
      if (angles(i, j) < angles(i, nearest)) nearest = j;
    }
    bool const repeats = std::count(ids.begin(), ids.end(), ids[std::size_t(i)]) > 1;
    repeated += repeats;
    same_nearest += repeats && ids[std::size_t(i)] == ids[std::size_t(nearest)];
  }
  tailor::DenseDistances chords = angles.matrix;
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < tokens; ++j) chords.at(i, j) = 2 * std::sin(angles(i, j) / 2);
  }
  return {{"mean_cosine", cosines},
          {"participation_ratio", tailor::participation_ratio(chords).value},
          {"twonn", tailor::two_nn_mle(angles).value},
          {"repeat_an_id", double(repeated) / tokens},
          {"nearest_has_the_id", double(same_nearest) / std::max(1, repeated)}};
}

struct Profiled {
  int layers, samples, tokens, threads;
  int every;           ///< of how many pairs one is written, for the peer
  std::string folder;  ///< where to
};

/// A whole profile, and the files of the pairs of clouds of which it consists.
json profile(Profiled const& profiled) {
  int const layers = profiled.layers;
  std::vector<tailor::Cloud> clouds;
  for (int layer = 0; layer < layers; ++layer) {
    clouds.push_back(tailor_bench::activations({.tokens = 4096, .layer = layer, .layers = layers}));
  }
  tailor::MeasureOptions const options{.samples = profiled.samples, .tokens = profiled.tokens};
  tailor::cpu::Device device({.threads = profiled.threads});
  json result = timed(1, [&] { tailor::measure(device, clouds, options); });
  result["pairs"] = json::array();
  auto const tokens =
      tailor::draw_samples(tailor::empty_profile(clouds, options), profiled.samples);
  for (int pair = 0; pair < layers * profiled.samples; pair += profiled.every) {
    auto const& cloud = clouds[std::size_t(pair % layers)];
    auto const& sample = tokens[std::size_t(pair / layers)];
    std::string const name = profiled.folder + "/pair-" + std::to_string(pair);
    write_cloud(name + "-before.npy", tailor::rows_at(cloud.before.view(), sample));
    write_cloud(name + "-after.npy", tailor::rows_at(cloud.after.view(), sample));
    result["pairs"].push_back({name + "-before.npy", name + "-after.npy"});
  }
  return result;
}

json run(std::vector<std::string> const& arguments) {
  auto const text = [&](std::size_t i) {
    if (i >= arguments.size()) throw std::invalid_argument("too few arguments");
    return arguments[i];
  };
  auto const number = [&](std::size_t i) { return std::stoi(text(i)); };
  tailor::cpu::Device device({.threads = 1});
  std::string const task = text(0);
  if (task == "clouds") {
    auto const cloud = cloud_of(text(1), number(2), number(3));
    write_cloud(text(4), cloud.before);
    write_cloud(text(5), cloud.after);
    return json::object();
  }
  if (task == "describe") return describe(device, number(1), number(2));
  if (task == "distances") {
    auto const cloud = read_matrix<float>(text(2));
    tailor::DenseDistances distances;
    json const result = timed(number(1), [&] {
      distances = text(3) == "raw"
                      ? tailor::distances<tailor::Euclidean>(device, cloud.view()).matrix
                      : tailor::distances<tailor::Spherical>(device, cloud.view()).matrix;
    });
    write_rounded(text(4), distances);
    return result;
  }
  if (task == "h1") {
    auto const distances = read_distances(text(2));
    tailor::H1Diagram diagram;
    json result = timed(number(1), [&] { diagram = tailor::rips_h1(distances); });
    std::ofstream(text(3)) << tailor::diagram_csv(diagram.bars);
    return result;
  }
  if (task == "w2") {
    auto const a = read_bars(text(2));
    auto const b = read_bars(text(3));
    double value = 0;
    json result = timed(number(1), [&] {
      value = tailor::wasserstein2(std::span<tailor::Bar const>(a), std::span<tailor::Bar const>(b))
                  .value;
    });
    result["value"] = value;
    return result;
  }
  if (task == "gw") {
    auto const a = read_distances(text(2));
    auto const b = read_distances(text(3));
    tailor::GromovWassersteinOptions options;
    if (text(4) != "default") {
      options = {.identity = text(4) == "identity",
                 .product = text(4) == "product",
                 .best_anchor = false,
                 .exchanges = false};
    }
    double value = 0;
    json result =
        timed(number(1), [&] { value = tailor::gromov_wasserstein(device, a, b, options).gw_sq; });
    result["value"] = value;
    return result;
  }
  if (task == "work") {
    auto const before = read_matrix<float>(text(2));
    auto const after = read_matrix<float>(text(3));
    tailor::Work work;
    json result =
        timed(number(1), [&] { work = tailor::work(device, before.view(), after.view()); });
    for (auto const name : tailor::all_statistics)
      result["values"][name.key()] = work.at(name).value;
    return result;
  }
  if (task == "profile") {
    return profile({.layers = number(1),
                    .samples = number(2),
                    .tokens = number(3),
                    .threads = number(4),
                    .every = number(5),
                    .folder = text(6)});
  }
  throw std::invalid_argument("no task " + task);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::cout << run({argv + 1, argv + argc}) << "\n";
    return 0;
  } catch (std::exception const& error) {
    std::cerr << "bench_geometry_peer: " << error.what() << "\n";
    return 2;
  }
}
