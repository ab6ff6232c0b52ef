#pragma once
// Checkpoints: one file with the model, the optimizer and everything needed to go on.
//
//   offset 0   "TAILORCP", the format number, the size of the header and its checksum (8 bytes
//   each) offset 32  the header (checkpoint_header.hpp), padded with spaces so that what follows
//   starts at
//              a multiple of 64
//   then       parameters, first moment, second moment: `elements` little-endian scalars each
//   last       8 bytes: the checksum (WordChecksum) of the arrays

#include <tailor/device/device.hpp>            // tailor::Device
#include <tailor/io/atomic_file.hpp>           // tailor::AtomicFile
#include <tailor/nn/model.hpp>                 // tailor::Model, tailor::blank_model
#include <tailor/train/checkpoint_header.hpp>  // tailor::CheckpointInfo, tailor::CheckpointError
#include <tailor/train/fnv.hpp>                // tailor::WordChecksum

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tailor {

/// The format number of checkpoints. A reader knows this one only.
inline constexpr std::uint64_t checkpoint_format = 1;

/// Where the checkpoint before this one is kept.
inline std::filesystem::path previous_of(std::filesystem::path path) {
  return path += ".previous";
}

namespace detail {

struct CheckpointStart {
  std::array<char, 8> magic{'T', 'A', 'I', 'L', 'O', 'R', 'C', 'P'};
  std::uint64_t format = checkpoint_format;
  std::uint64_t header_bytes = 0;
  std::uint64_t header_checksum = 0;
};
static_assert(sizeof(CheckpointStart) == 32);

inline std::uint64_t checksum_of(std::string const& text) {
  WordChecksum checksum;
  checksum.add(std::as_bytes(std::span(text)));
  return checksum.value();
}

/// Elements of an array that pass through host memory at a time.
inline constexpr std::int64_t checkpoint_piece = 1 << 18;

/// Gives the file at `path` the second name `path`.previous; at no time is one of them missing.
inline void keep_previous(std::filesystem::path const& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(path, error)) return;
  fs::path const previous = previous_of(path);
  fs::path fresh = previous;
  fresh += ".partial";
  fs::remove(fresh, error);
  fs::create_hard_link(path, fresh, error);
  if (error) {  // a file system without hard links
    error.clear();
    fs::copy_file(path, fresh, fs::copy_options::overwrite_existing, error);
  }
  if (!error) fs::rename(fresh, previous, error);
  if (error) file_error("cannot keep the previous checkpoint as", previous, error.value());
}

/// A checkpoint open for reading, its header checked; arrays are read in order.
class CheckpointReader {
 public:
  explicit CheckpointReader(std::filesystem::path const& path)
      : name_(path.string()), stream_(path, std::ios::binary) {
    std::error_code error;
    auto const bytes = std::filesystem::file_size(path, error);
    if (!stream_ || error) throw CheckpointError(name_, "file", "cannot be read");
    CheckpointStart start;
    if (bytes < sizeof start) fail_size(sizeof start, bytes);
    stream_.read(reinterpret_cast<char*>(&start), sizeof start);
    if (start.magic != CheckpointStart{}.magic) {
      throw CheckpointError(name_, "offset 0", "this is not a checkpoint of Tailor");
    }
    if (start.format != checkpoint_format) {
      throw CheckpointError(name_, "format",
                            "expected " + std::to_string(checkpoint_format) + ", got " +
                                std::to_string(start.format));
    }
    if (start.header_bytes > bytes - sizeof start) {
      throw CheckpointError(name_, "header",
                            "expected " + std::to_string(start.header_bytes) + " bytes, got " +
                                std::to_string(bytes - sizeof start));
    }
    std::string header(std::size_t(start.header_bytes), ' ');
    stream_.read(header.data(), std::streamsize(header.size()));
    if (!stream_ || checksum_of(header) != start.header_checksum) {
      throw CheckpointError(name_, "header", "its checksum does not match: the file is damaged");
    }
    info_ = parse_header(name_, header);
    std::uint64_t const scalar_bytes = info_.scalar == "float32" ? 4 : 8;
    std::uint64_t const expected = sizeof start + start.header_bytes +
                                   3 * scalar_bytes * std::uint64_t(layout_of(info_.plan).size) + 8;
    if (bytes != expected) fail_size(expected, bytes);
  }

  CheckpointInfo const& info() const { return info_; }

  template <class T>
  void require_scalar() const {
    if (info_.scalar != scalar_name<T>()) {
      throw CheckpointError(name_, "scalar",
                            std::string("expected ") + scalar_name<T>() + ", got " + info_.scalar);
    }
  }

  /// The next array of `size` elements, each piece given to f(first, piece).
  template <class T, class F>
  void read_array(std::int64_t size, F const& f) {
    std::vector<T> piece(std::size_t(std::min(size, checkpoint_piece)));
    for (std::int64_t first = 0; first < size; first += checkpoint_piece) {
      auto const part = std::span(piece).first(
          std::size_t(std::min<std::int64_t>(checkpoint_piece, size - first)));
      read(std::as_writable_bytes(part));
      checksum_.add(std::as_bytes(part));
      f(first, std::span<T const>(part));
    }
  }

  /// Holds the arrays read against the checksum at the end.
  void finish() {
    std::uint64_t stored = 0;
    read(std::as_writable_bytes(std::span(&stored, 1)));
    if (stored != checksum_.value()) {
      throw CheckpointError(name_, "arrays", "their checksum does not match: the file is damaged");
    }
  }

 private:
  [[noreturn]] void fail_size(std::uint64_t expected, std::uint64_t got) const {
    throw CheckpointError(
        name_, "size",
        "expected " + std::to_string(expected) + " bytes, got " + std::to_string(got));
  }

  void read(std::span<std::byte> bytes) {
    stream_.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
    if (!stream_) throw CheckpointError(name_, "arrays", "the file ended while it was read");
  }

  std::string name_;
  std::ifstream stream_;
  CheckpointInfo info_;
  WordChecksum checksum_;
};

}  // namespace detail

/// Writes a checkpoint and keeps the one before as `path`.previous.
/// Error: std::runtime_error where the file cannot be written; what was at `path` stays.
/// @post a reader of `path` sees the old checkpoint or the whole new one
template <class T, Device D>
void save_checkpoint(D& dev, std::filesystem::path const& path, CheckpointInfo const& info,
                     Layout const& layout, VectorView<T const, typename D::Space> parameters,
                     VectorView<T const, typename D::Space> first_moment,
                     VectorView<T const, typename D::Space> second_moment) {
  std::string header = header_text(info, layout);
  header.append(63 - (sizeof(detail::CheckpointStart) + header.size() + 63) % 64, ' ');
  detail::CheckpointStart const start{.header_bytes = header.size(),
                                      .header_checksum = detail::checksum_of(header)};
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&start, 1)));
  file.write(header);
  WordChecksum checksum;
  std::vector<T> piece(std::size_t(std::min(layout.size, detail::checkpoint_piece)));
  for (auto const& array : {parameters, first_moment, second_moment}) {
    for (std::int64_t first = 0; first < layout.size; first += detail::checkpoint_piece) {
      std::int64_t const count = std::min(detail::checkpoint_piece, layout.size - first);
      auto const part = std::span(piece).first(std::size_t(count));
      download(dev, VectorView<T const, typename D::Space>{array.data + first, count}, part);
      checksum.add(std::as_bytes(part));
      file.write(std::as_bytes(part));
    }
  }
  std::uint64_t const sum = checksum.value();
  file.write(std::as_bytes(std::span(&sum, 1)));
  detail::keep_previous(path);
  file.commit();
}

/// What a checkpoint says about itself; its arrays are not read.
/// Error: CheckpointError, one message with file and place, for every fault.
inline CheckpointInfo read_checkpoint(std::filesystem::path const& path) {
  return detail::CheckpointReader(path).info();
}

/// Fills parameters and both moments from a checkpoint of the same plan.
/// Error: CheckpointError; where the arrays turn out damaged, what was read of them stays in place.
template <class T, Device D>
CheckpointInfo load_checkpoint(D& dev, std::filesystem::path const& path, Model<T, D>& model,
                               VectorView<T, typename D::Space> first_moment,
                               VectorView<T, typename D::Space> second_moment) {
  detail::CheckpointReader reader(path);
  reader.require_scalar<T>();
  if (!(reader.info().plan == model.plan)) {
    throw CheckpointError(path.string(), "plan", "it is another one than the model's");
  }
  for (auto const& array : {model.parameters.view(), first_moment, second_moment}) {
    reader.template read_array<T>(model.layout.size, [&](std::int64_t first, std::span<T const> p) {
      upload(dev, p, VectorView<T, typename D::Space>{array.data + first, std::int64_t(p.size())});
    });
  }
  reader.finish();
  return reader.info();
}

/// The model of a checkpoint, without what only training needs.
/// Error: CheckpointError, one message with file and place, for every fault.
template <class T, Device D>
Model<T, D> load_model(D& dev, std::filesystem::path const& path) {
  detail::CheckpointReader reader(path);
  reader.require_scalar<T>();
  auto model = blank_model<T>(dev, reader.info().plan);
  std::int64_t const size = model.layout.size;
  reader.read_array<T>(size, [&](std::int64_t first, std::span<T const> p) {
    upload(dev, p,
           VectorView<T, typename D::Space>{model.parameters.view().data + first,
                                            std::int64_t(p.size())});
  });
  for (int moment = 0; moment < 2; ++moment) {
    reader.read_array<T>(size, [](std::int64_t, std::span<T const>) {});  // for the checksum
  }
  reader.finish();
  return model;
}

}  // namespace tailor
