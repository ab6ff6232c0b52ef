#pragma once
// Host memory that a CPU device owns.

#include <tailor/device/view.hpp>  // tailor::VectorView

#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace tailor::cpu {

/// `size` elements, zero at first, at an address that every vector width divides.
/// Error: std::invalid_argument for a negative or absurd size, std::bad_alloc where memory ends.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "Buffer: elements must be trivially copyable");

 public:
  Buffer() = default;
  explicit Buffer(std::int64_t size) : size_(size) {
    if (size < 0 || size > std::numeric_limits<std::int64_t>::max() / std::int64_t(sizeof(T))) {
      throw std::invalid_argument("Buffer: " + std::to_string(size) + " elements cannot be held");
    }
    if (size == 0) return;
    data_.reset(static_cast<T*>(::operator new(std::size_t(size) * sizeof(T), alignment)));
    std::uninitialized_value_construct_n(data_.get(), size);
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  std::int64_t size() const { return size_; }
  VectorView<T> view() { return {data_.get(), size_}; }
  VectorView<T const> view() const { return {data_.get(), size_}; }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(T* p) const { ::operator delete(p, alignment); }
  };
  std::unique_ptr<T, Free> data_;
  std::int64_t size_ = 0;
};

}  // namespace tailor::cpu
