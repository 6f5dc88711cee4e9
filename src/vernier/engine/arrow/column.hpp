#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "vernier/engine/arrow/abi.hpp"
#include "vernier/engine/arrow/table.hpp"

namespace vernier::engine {

// How values lie in an array of Arrow; `other` is what no column of a catalog can hold.
enum class ArrowKind : std::uint8_t {
  null,  // no buffer: all values are NULL
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  text,        // 32-bit offsets
  large_text,  // 64-bit offsets
  text_view,
  date,  // days since 1970, in 32 bits
  other
};

// Of a format string of the specification, such as "l".
ArrowKind arrow_kind(std::string_view format);

bool is_index(ArrowKind kind);  // whether it may point into a dictionary: integers
bool is_text(ArrowKind kind);

// Whether an array has the buffers of its kind, and, where it points into a dictionary, that has those of its own.
bool has_buffers(const ArrowArray& array, ArrowKind kind);
Result<void> check_dictionary(const ArrowArray* dictionary, ArrowKind kind);

// The type of a column as sentences name it: "boolean", "integer", "real", "string" and "date" are those of a catalog;
// "null" goes with all of these. Of a dictionary it is that of its values.
std::string arrow_type_name(const ArrowSchema& schema);

// Where the values of some rows stand in the array that holds them; `no_value` where they are NULL.
using Positions = std::span<std::int64_t>;
inline constexpr std::int64_t no_value = -1;

// The values of one column of a table, which outlives it. Whatever the buffers say, nothing is read beyond the lengths
// that the structures state.
class ArrowColumn {
 public:
  // Refused: values that no column of a catalog can hold, and arrays without the buffers of their type.
  static Result<ArrowColumn> of(const ArrowTable& table, std::size_t place);

  ArrowKind kind() const { return kind_; }                          // of its values
  bool is_indexed() const { return index_.has_value(); }            // whether rows point into a dictionary
  ArrowKind stored_kind() const { return index_.value_or(kind_); }  // of its rows: of their values, or places of these

  // The positions of the rows from `first` on in a batch, as many as there is place for.
  void find(std::size_t batch, std::int64_t first, Positions positions) const;

  // The array into which they point: that of the batch, or its dictionary.
  const ArrowArray& values(std::size_t batch) const;

 private:
  ArrowColumn(const ArrowTable& table, std::size_t place);
  const ArrowArray& array(std::size_t batch) const { return *table_->batches()[batch].children[place_]; }
  Result<void> check() const;
  void find_indexed(const ArrowArray& array, Positions positions) const;

  const ArrowTable* table_;
  std::size_t place_;
  ArrowKind kind_;                  // of the values
  std::optional<ArrowKind> index_;  // into a dictionary
};

// The values at the positions, of an array of any kind, in the type that is asked for; a position becomes `no_value`
// where the value is nothing in that type, and what is written there is 0. No kind and no value is refused: libraries
// infer the kind of a column from all of its values, so that one of them may change it (arrow.md has the rules).
void read_booleans(const ArrowArray& values, ArrowKind kind, Positions positions, bool* out);
void read_integers(const ArrowArray& values, ArrowKind kind, Positions positions, std::int64_t* out);
void read_reals(const ArrowArray& values, ArrowKind kind, Positions positions, double* out);
void read_days(const ArrowArray& values, ArrowKind kind, Positions positions, std::int32_t* out);
void read_texts(const ArrowArray& values, ArrowKind kind, Positions positions, std::string* out);

// The bytes of a text, whatever they are; none where the array does not have them. The position is not `no_value`.
std::optional<std::string_view> text_at(const ArrowArray& values, ArrowKind kind, std::int64_t position);

// Single values in the buffers of an array whose layout was checked.
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
