#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "vernier/engine/arrow_abi.hpp"
#include "vernier/engine/arrow_type.hpp"

// Single values in the buffers of an array whose layout was checked.
namespace vernier::engine {

// Buffers need not be aligned.
template <class Stored>
Stored stored_at(const void* buffer, std::int64_t position) {
  Stored value;
  std::memcpy(&value, static_cast<const char*>(buffer) + position * static_cast<std::int64_t>(sizeof value),
              sizeof value);
  return value;
}

template <class Stored>
Stored stored_at(const ArrowArray& array, std::int64_t position) {
  return stored_at<Stored>(array.buffers[1], position);
}

inline bool bit_at(const void* buffer, std::int64_t position) {
  return (static_cast<const unsigned char*>(buffer)[position / 8] >> (position % 8) & 1) != 0;
}

// Which values of an array there are.
class Validity {
 public:
  explicit Validity(const ArrowArray& array)
      : bits_(array.null_count == 0 || array.n_buffers == 0 ? nullptr : array.buffers[0]) {}
  bool all() const { return bits_ == nullptr; }
  bool at(std::int64_t position) const { return all() || bit_at(bits_, position); }

 private:
  const void* bits_;
};

// What `visit` makes of a value of the C++ type that numbers of this kind are stored in; half floats are not among
// them.
template <class Visit>
auto with_number(ArrowKind kind, const Visit& visit) {
  switch (kind) {
    case ArrowKind::int8:
      return visit(std::int8_t{});
    case ArrowKind::uint8:
      return visit(std::uint8_t{});
    case ArrowKind::int16:
      return visit(std::int16_t{});
    case ArrowKind::uint16:
      return visit(std::uint16_t{});
    case ArrowKind::int32:
      return visit(std::int32_t{});
    case ArrowKind::uint32:
      return visit(std::uint32_t{});
    case ArrowKind::uint64:
      return visit(std::uint64_t{});
    default:
      return visit(std::int64_t{});
  }
}

}  // namespace vernier::engine
