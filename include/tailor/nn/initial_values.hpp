#pragma once
// The initial value of any element of any tensor, by itself.

#include <tailor/arch/philox.hpp>    // tailor::philox
#include <tailor/nn/layout.hpp>      // tailor::TensorSpec
#include <tailor/nn/normal.hpp>      // tailor::normal_pair
#include <tailor/nn/random_key.hpp>  // tailor::random_key

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace tailor {

/// Matrices and embeddings start as N(0, deviation^2), output projections included.
struct InitOptions {
  std::uint64_t seed = 1;
  double deviation = 0.02;  ///< that of arXiv 2602.06471
};

/// 64-bit FNV-1a of a name.
constexpr std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325ull;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return hash;
}

/// Draws initial values. Gains are one (zero where they are stored as differences from one).
/// Everything else is normal, keyed by the seed and counted by the tensor's name and the element;
/// in a sub-MLP the element is (unit, coordinate of the model), whichever of the two is the row.
/// @post models of one seed and one d_model share embedding, attention and norms bit for bit
/// @post a narrower FFN is a subset of a wider one
class InitialValues {
 public:
  /// Throws std::invalid_argument unless the deviation is finite and not negative.
  explicit InitialValues(InitOptions options, bool unit_offset_gains = false)
      : key_(random_key(options.seed, RandomPurpose::initial_values)),
        deviation_(options.deviation),
        gain_(unit_offset_gains ? 0 : 1) {
    if (!std::isfinite(deviation_) || deviation_ < 0) {
      throw std::invalid_argument("InitOptions: deviation must be finite and not negative");
    }
  }

  /// Row `row` of the tensor into out[0 .. cols).
  template <class T>
  void fill_row(TensorSpec const& tensor, int row, T* out) const {
    if (tensor.role == Role::gain) {
      for (int j = 0; j < tensor.cols; ++j) out[j] = T(gain_);
      return;
    }
    std::uint64_t const hash = name_hash(tensor.name);
    if (tensor.sub_block < 0) {
      std::int64_t const first = std::int64_t{row} * tensor.cols;
      for (int j = 0; j < tensor.cols; ++j) {
        auto const at = static_cast<std::uint64_t>(first + j);
        out[j] = value<T>(hash, static_cast<std::uint32_t>(at >> 32), at);
      }
    } else {
      bool const units_are_rows = !tensor.name.ends_with(".down");
      for (int j = 0; j < tensor.cols; ++j) {
        int const unit = units_are_rows ? row : j;
        int const coordinate = units_are_rows ? j : row;
        out[j] = value<T>(hash, static_cast<std::uint32_t>(unit), coordinate);
      }
    }
  }

 private:
  /// Element (major, minor); neighbours in the low word share one draw of two values.
  template <class T>
  T value(std::uint64_t hash, std::uint32_t major, std::uint64_t minor) const {
    auto const low = static_cast<std::uint32_t>(minor);
    NormalPair const pair = normal_pair(philox(
        {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32), major, low / 2},
        key_));
    return T(deviation_ * (low % 2 == 0 ? pair.first : pair.second));
  }

  PhiloxKey key_;
  double deviation_;
  double gain_;
};

}  // namespace tailor
