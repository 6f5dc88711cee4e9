#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <duckdb.h>

#include "vernier/query/cell_format.hpp"
#include "vernier/query/value.hpp"

namespace vernier::engine {

// A vector of the engine that is being filled with the cells of a column.
class CellOutput {
 public:
  explicit CellOutput(duckdb_vector vector) : vector_(vector), data_(duckdb_vector_get_data(vector)) {}

  // The text of a cell as a value of the type, written in the usual way; NULL where it is none.
  void put(std::string_view text, query::Type type, idx_t row);

  // The same, written in another way; `room` is for numbers that are spelled anew.
  void put(std::string_view text, query::Type type, const query::CellFormat& format, std::string& room, idx_t row);

  void put_null(idx_t row);

 private:
  template <class Value>
  void put_value(idx_t row, const std::optional<Value>& value);
  void put_text(idx_t row, std::string_view text);

  duckdb_vector vector_;
  void* data_;
  std::uint64_t* valid_ = nullptr;
};

}  // namespace vernier::engine
