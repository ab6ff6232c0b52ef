#pragma once
// Arrays in NumPy's .npy files.

#include <tailor/io/atomic_file.hpp>  // tailor::AtomicFile
#include <tailor/io/npy_file.hpp>     // tailor::NpyFile
#include <tailor/io/npy_header.hpp>   // tailor::NpyHeader

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tailor {

/// What may stand in a .npy file here: float, double and all integers of 1 to 8 bytes.
template <class T>
concept NpyItem = (std::floating_point<T> && sizeof(T) <= 8) ||
                  (std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>);

/// An array in C order: the last index runs fastest.
template <NpyItem T>
struct NpyArray {
  std::vector<std::int64_t> shape;
  std::vector<T> values;
};

struct NpyOptions {
  std::int64_t limit_bytes = std::int64_t(16) << 30;  ///< of the values; more is refused
};

/// The value of an IEEE half.
inline float half_to_float(std::uint16_t half) {
  int const exponent = half >> 10 & 31;
  int const fraction = half & 1023;
  float const magnitude = exponent == 31  ? (fraction == 0 ? std::numeric_limits<float>::infinity()
                                                           : std::numeric_limits<float>::quiet_NaN())
                          : exponent == 0 ? std::ldexp(float(fraction), -24)
                                          : std::ldexp(float(1024 + fraction), exponent - 25);
  return half >> 15 ? -magnitude : magnitude;
}

/// One stored element as a T, and the place of the next stored element in C order.
template <NpyItem T>
class NpyReader {
 public:
  explicit NpyReader(NpyFile& file) : file_(file), index_(file.header().shape.size(), 0) {}

  NpyArray<T> read() {
    NpyHeader const& header = file_.header();
    NpyArray<T> array{.shape = header.shape, .values = {}};
    array.values.resize(std::size_t(header.items));
    std::vector<std::byte> block(std::size_t(header.item_bytes) << 16);
    for (std::int64_t first = 0; first < header.items; first += 1 << 16) {
      std::int64_t const count = std::min<std::int64_t>(1 << 16, header.items - first);
      auto const bytes = std::span(block).first(std::size_t(count * header.item_bytes));
      file_.read(bytes);
      for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t const place = header.fortran_order ? next_place() : first + i;
        array.values[std::size_t(place)] =
            item(bytes.subspan(std::size_t(i * header.item_bytes), std::size_t(header.item_bytes)),
                 first + i);
      }
    }
    return array;
  }

 private:
  /// The place of index_ in C order; then index_ moves on, its first part fastest.
  std::int64_t next_place() {
    auto const& shape = file_.header().shape;
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      place = place * shape[axis] + index_[axis];
    }
    for (std::size_t axis = 0; axis < shape.size() && ++index_[axis] == shape[axis]; ++axis) {
      index_[axis] = 0;
    }
    return place;
  }

  T item(std::span<std::byte const> bytes, std::int64_t position) const {
    NpyHeader const& header = file_.header();
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::size_t const from = header.big_endian ? i : bytes.size() - 1 - i;
      bits = bits << 8 | std::to_integer<std::uint64_t>(bytes[from]);
    }
    if constexpr (std::floating_point<T>) {
      if (header.kind == NpyKind::floating) {
        return header.item_bytes == 8   ? T(std::bit_cast<double>(bits))
               : header.item_bytes == 4 ? T(std::bit_cast<float>(std::uint32_t(bits)))
                                        : T(half_to_float(std::uint16_t(bits)));
      }
      return header.kind == NpyKind::signed_integer ? T(with_sign(bits)) : T(bits);
    } else {
      bool const fits = header.kind == NpyKind::signed_integer ? std::in_range<T>(with_sign(bits))
                                                               : std::in_range<T>(bits);
      if (!fits) {
        throw NpyError(file_.name(), "data[" + std::to_string(position) + "]",
                       "a value of " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                           std::to_string(std::numeric_limits<T>::max()),
                       header.kind == NpyKind::signed_integer ? std::to_string(with_sign(bits))
                                                              : std::to_string(bits));
      }
      return T(bits);
    }
  }

  std::int64_t with_sign(std::uint64_t bits) const {
    int const unused = 64 - 8 * file_.header().item_bytes;
    return std::int64_t(bits << unused) >> unused;
  }

  NpyFile& file_;
  std::vector<std::int64_t> index_;
};

/// The array of a .npy file, in C order whatever the file's. Floats are rounded to T; integers for
/// an integer T must fit it, and floats are refused there.
/// Error:  std::runtime_error where the file cannot be read; NpyError, "FILE: npy FIELD: expected
///         ..., got ...", for every fault in it. No size is believed before it agrees with the
///         file's.
template <NpyItem T>
NpyArray<T> read_npy(std::filesystem::path const& path, NpyOptions options = {}) {
  NpyFile file(path);
  NpyHeader const& header = file.header();
  if (std::integral<T> && header.kind == NpyKind::floating) {
    throw NpyError(file.name(), "descr", "an integer type", header.descr());
  }
  if (header.items > options.limit_bytes / std::int64_t(sizeof(T))) {
    throw NpyError(file.name(), "shape",
                   "at most " + std::to_string(options.limit_bytes) + " bytes of values",
                   std::to_string(header.items) + " values of " + std::to_string(sizeof(T)));
  }
  return NpyReader<T>(file).read();
}

/// Writes values in C order as version 1.0, atomically.
/// Error: std::invalid_argument where the shape does not hold the values, std::runtime_error where
///        the file cannot be written.
/// @post what write_npy writes read_npy gives back bit for bit
template <NpyItem T>
void write_npy(std::filesystem::path const& path, std::vector<std::int64_t> const& shape,
               std::span<T const> values) {
  static_assert(std::endian::native == std::endian::little,
                "write_npy: a big-endian machine would need the values turned");
  std::string sizes;
  std::int64_t items = 1;
  for (std::int64_t const size : shape) {
    if (size < 0 || (size > 0 && items > std::numeric_limits<std::int64_t>::max() / size)) {
      throw std::invalid_argument("write_npy: no shape has the size " + std::to_string(size));
    }
    items *= size;
    sizes += std::to_string(size) + ", ";
  }
  if (items != std::int64_t(values.size())) {
    throw std::invalid_argument("write_npy: the shape (" + sizes + ") does not hold " +
                                std::to_string(values.size()) + " values");
  }
  NpyHeader const type{.kind = std::floating_point<T>    ? NpyKind::floating
                               : std::signed_integral<T> ? NpyKind::signed_integer
                                                         : NpyKind::unsigned_integer,
                       .item_bytes = int(sizeof(T))};
  std::string header =
      "{'descr': '" + type.descr() + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  if (header.size() > 65535) throw std::invalid_argument("write_npy: too many dimensions");
  AtomicFile file(path);
  file.write(std::string_view("\x93NUMPY\x01\x00", 8));
  file.write(std::string{char(header.size() & 255), char(header.size() >> 8)});
  file.write(header);
  file.write(std::as_bytes(values));
  file.commit();
}

}  // namespace tailor
