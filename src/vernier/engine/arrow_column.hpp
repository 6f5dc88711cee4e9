#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vernier/engine/arrow_table.hpp"
#include "vernier/engine/arrow_type.hpp"

namespace vernier::engine {

// Where the values of some rows stand in the array that holds them; `no_value` where they are NULL.
using Positions = std::span<std::int64_t>;
inline constexpr std::int64_t no_value = -1;

// The values of one column of a table, which outlives it. Whatever the buffers say, nothing is read beyond the lengths
// that the structures state.
class ArrowColumn {
 public:
  // Refused: values that no column of a catalog can hold, and arrays without the buffers of their type.
  static Result<ArrowColumn> of(const ArrowTable& table, std::size_t place);

  ArrowKind kind() const { return kind_; }  // of its values

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

}  // namespace vernier::engine
