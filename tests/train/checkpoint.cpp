#include <tailor/train/checkpoint.hpp>

#include <tailor/train/trainer.hpp>

#include <support/catch.hpp>
#include <support/temporary_folder.hpp>
#include <support/thrown_message.hpp>
#include <train/support.hpp>

#include <cstring>
#include <fstream>
#include <iterator>

using namespace tailor;
namespace fs = std::filesystem;

namespace {

/// A trained model with its moments, and what a checkpoint says of it.
struct Trained {
  cpu::Device dev{{.threads = 1}};
  Model<float, cpu::Device> model = build<float, TinyModel>(dev, {.seed = 5});
  TrainOptions options = resolved({.steps = 8, .sequences = 2}, model.plan);
  Corpus corpus = tiny_corpus();
  Trainer<float, cpu::Device> trainer{dev, model, corpus.train, options};
  CheckpointInfo info;

  Trained() {
    for (int i = 0; i < 3; ++i) trainer.step(dev);
    info = {.plan = model.plan,
            .scalar = "float32",
            .options = options,
            .state = trainer.state(dev),
            .corpus_hash = corpus.hash_text(),
            .history = {.records = {{.step = 2, .tokens = 64, .loss = 1.0 / 3, .rate = 1e-3}},
                        .validation = {{.step = 2, .tokens = 64, .loss = 0.1}},
                        .step = 3,
                        .seconds = 0.7,
                        .arithmetic = "avx2",
                        .notes = {"a note"}}};
  }

  void save(fs::path const& path) {
    save_checkpoint<float>(dev, path, info, model.layout, model.parameters.view(),
                           trainer.first_moment(), trainer.second_moment());
  }
};

bool same_bits(VectorView<float const> a, VectorView<float const> b) {
  return a.size == b.size && std::memcmp(a.data, b.data, std::size_t(a.size) * sizeof(float)) == 0;
}

std::string content(fs::path const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(fs::path const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string fault(fs::path const& path) {
  cpu::Device dev{{.threads = 1}};
  return thrown_message<CheckpointError>([&] { load_model<float>(dev, path); });
}

/// The checkpoint with another header text and the checksum that suits it.
std::string with_header(std::string bytes, std::string const& from, std::string const& to) {
  std::uint64_t size;
  std::memcpy(&size, bytes.data() + 16, 8);
  std::string header = bytes.substr(32, size);
  REQUIRE(contains(header, from));
  header.replace(header.find(from), from.size(), to);
  header.resize((header.find_last_not_of(' ') + 64) / 64 * 64 + 32, ' ');
  std::uint64_t const start[] = {header.size(), detail::checksum_of(header)};
  std::string const rest = bytes.substr(32 + size);
  bytes.resize(16);
  bytes.append(reinterpret_cast<char const*>(start), sizeof start);
  return bytes + header + rest;
}

}  // namespace

TEST_CASE("a checkpoint gives back arrays, state, options and history bit for bit", "[train]") {
  Trained trained;
  TemporaryFolder folder;
  trained.save(folder / "run");
  cpu::Device dev{{.threads = 1}};
  auto model = blank_model<float>(dev, trained.model.plan);
  auto first = buffer<float>(dev, model.layout.size),
       second = buffer<float>(dev, model.layout.size);
  auto const info = load_checkpoint<float>(dev, folder / "run", model, first.view(), second.view());
  CHECK(same_bits(model.parameters.view(), trained.model.parameters.view()));
  CHECK(same_bits(first.view(), trained.trainer.first_moment()));
  CHECK(same_bits(second.view(), trained.trainer.second_moment()));
  CHECK(info.plan == trained.model.plan);
  CHECK(info.state.step == 3);
  CHECK(info.state.loss_sum == trained.info.state.loss_sum);
  CHECK(info.state.gradient_norm == trained.info.state.gradient_norm);
  CHECK(info.options.learning_rate == trained.options.learning_rate);
  CHECK(info.options.seed == trained.options.seed);
  CHECK(data_position(info) == 6);
  CHECK(info.corpus_hash == trained.corpus.hash_text());
  REQUIRE(info.history.records.size() == 1);
  CHECK(info.history.records[0].loss == 1.0 / 3);
  REQUIRE(info.history.validation.size() == 1);
  CHECK(info.history.validation[0].loss == 0.1);
  CHECK(info.history.notes == std::vector<std::string>{"a note"});
  CHECK(info.history.arithmetic == "avx2");
}

TEST_CASE("a checkpoint loads as a model alone", "[train]") {
  Trained trained;
  TemporaryFolder folder;
  trained.save(folder / "run");
  cpu::Device dev{{.threads = 1}};
  auto const model = load_model<float>(dev, folder / "run");
  CHECK(model.plan == trained.model.plan);
  CHECK(same_bits(model.parameters.view(), trained.model.parameters.view()));
}

TEST_CASE("parameters are counted the same at compile time, at run time and in the checkpoint",
          "[train]") {
  constexpr std::int64_t at_compile_time = parameters<TinyModel>(Count::all);
  Trained trained;
  TemporaryFolder folder;
  trained.save(folder / "run");
  cpu::Device dev{{.threads = 1}};
  auto const model = load_model<float>(dev, folder / "run");
  std::int64_t stored = 0;
  for (auto const& tensor : model.layout.tensors) stored += tensor.size();
  CHECK(stored == at_compile_time);
  CHECK(parameters(trained.model.plan, Count::all) == at_compile_time);
  CHECK(contains(content(folder / "run"), "\"parameters\":" + std::to_string(at_compile_time)));
}

TEST_CASE("the checkpoint before is kept and nothing else is left behind", "[train]") {
  Trained trained;
  TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) {
    trained.info.state = trained.trainer.state(trained.dev);
    trained.save(folder / "run");
    trained.trainer.step(trained.dev);
  }
  CHECK(read_checkpoint(folder / "run").state.step == 5);
  CHECK(read_checkpoint(previous_of(folder / "run")).state.step == 4);
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 2);
}

TEST_CASE("a damaged checkpoint is one message with file and place", "[train]") {
  Trained trained;
  TemporaryFolder folder;
  trained.save(folder / "run");
  std::string const good = content(folder / "run");
  auto const bad = folder / "bad";
  auto const fault_of = [&](std::string const& bytes) {
    write(bad, bytes);
    return fault(bad);
  };
  CHECK(fault(folder / "absent") ==
        "checkpoint " + (folder / "absent").string() + ": file: cannot be read");
  CHECK(contains(fault_of(""), "size: expected 32 bytes, got 0"));
  CHECK(contains(fault_of("GGUF" + good.substr(4)), "not a checkpoint of Tailor"));
  auto changed = good;
  changed[8] = 9;
  CHECK(contains(fault_of(changed), "format: expected 1, got 9"));
  changed = good;
  changed[23] = 127;  // a header of 2^62 bytes
  CHECK(contains(fault_of(changed), "header: expected"));
  changed = good;
  changed[40] ^= 1;
  CHECK(contains(fault_of(changed), "header: its checksum does not match"));
  for (std::size_t size : {good.size() - 1, good.size() / 2, std::size_t(100), std::size_t(33)}) {
    CHECK(contains(fault_of(good.substr(0, size)), "expected"));
  }
  CHECK(contains(fault_of(good + "x"), "size: expected"));
  for (std::size_t from_end : {std::size_t(1), std::size_t(100), good.size() / 2}) {
    changed = good;
    changed[good.size() - from_end] ^= 64;
    CHECK(contains(fault_of(changed), "arrays: their checksum does not match"));
  }
}

TEST_CASE("a header that contradicts its plan is refused by the field", "[train]") {
  Trained trained;
  TemporaryFolder folder;
  trained.save(folder / "run");
  std::string const good = content(folder / "run");
  auto const fault_of = [&](std::string const& from, std::string const& to) {
    write(folder / "bad", with_header(good, from, to));
    return fault(folder / "bad");
  };
  CHECK(fault_of("\"a note\"", "\"a note\"") == "nothing of this type was thrown");
  CHECK(contains(fault_of("\"d_model\":16", "\"d_model\":24"), "tensors[0]: expected"));
  CHECK(contains(fault_of("\"d_model\":16", "\"d_model\":-1"), "d_model"));
  CHECK(contains(fault_of("layers.1.ffn.0.up", "layers.1.ffn.0.xx"), "tensors["));
  CHECK(contains(fault_of("\"scalar\":\"float32\"", "\"scalar\":\"float16\""), "float16"));
  CHECK(contains(fault_of("\"scalar\":\"float32\"", "\"scalar\":\"float64\""), "size: expected"));
  CHECK(contains(fault_of("\"step\":3", "\"step\":4"), "data_position"));
  CHECK(contains(fault_of("\"sequences\":2", "\"sequences\":0"), "sequences"));
  CHECK(contains(fault_of("\"options\"", "\"opinions\""), "options"));
  CHECK(contains(fault_of("{", "["), "header: "));
}

TEST_CASE("a model of another scalar is refused", "[train]") {
  Trained trained;
  TemporaryFolder folder;
  trained.save(folder / "run");
  CHECK(contains(
      thrown_message<CheckpointError>([&] { load_model<double>(trained.dev, folder / "run"); }),
      "scalar: expected float64, got float32"));
}

TEST_CASE("a checkpoint that cannot be written leaves the old one", "[train]") {
  Trained trained;
  TemporaryFolder folder;
  trained.save(folder / "run");
  CHECK_THROWS_AS(trained.save(folder / "absent" / "run"), std::runtime_error);
  CHECK(read_checkpoint(folder / "run").state.step == 3);
}
