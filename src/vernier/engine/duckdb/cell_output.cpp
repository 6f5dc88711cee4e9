#include "vernier/engine/duckdb/cell_output.hpp"

#include "vernier/core/utf8.hpp"
#include "vernier/engine/cells.hpp"
#include "vernier/engine/duckdb/types.hpp"

namespace vernier::engine {

using query::Type;

template <class Value>
void CellOutput::put_value(idx_t row, const std::optional<Value>& value) {
  static_cast<Value*>(data_)[row] = value.value_or(Value{});
  if (!value) put_null(row);
}

void CellOutput::put_text(idx_t row, std::string_view text) {
  if (text.empty() || !is_utf8(text)) return put_value(row, std::optional<duckdb_string_t>());
  if (is_inlined(text)) return put_value(row, std::optional(string_of(text)));
  duckdb_unsafe_vector_assign_string_element_len(vector_, row, text.data(), text.size());
}

void CellOutput::put_null(idx_t row) {
  if (valid_ == nullptr) {
    duckdb_vector_ensure_validity_writable(vector_);
    valid_ = duckdb_vector_get_validity(vector_);
  }
  duckdb_validity_set_row_invalid(valid_, row);
}

namespace {

std::optional<std::int32_t> number_of(const std::optional<query::Day>& day) {
  return day ? std::optional(day->number) : std::nullopt;
}

}  // namespace

void CellOutput::put(std::string_view text, Type type, idx_t row) {
  switch (type) {
    case Type::boolean:
      return put_value(row, boolean_cell(text));
    case Type::integer:
      return put_value(row, integer_cell(text));
    case Type::real:
      return put_value(row, real_cell(text));
    case Type::string:
      return put_text(row, text);
    case Type::date:
      return put_value(row, number_of(date_cell(text)));
  }
}

void CellOutput::put(std::string_view text, Type type, const query::CellFormat& format, std::string& room, idx_t row) {
  switch (type) {
    case Type::boolean:
      return put_value(row, boolean_cell(text, format));
    case Type::integer:
      return put_value(row, integer_cell(text, format, room));
    case Type::real:
      return put_value(row, real_cell(text, format, room));
    case Type::string:
      return put_text(row, text_cell(text, format));
    case Type::date:
      return put_value(row, number_of(date_cell(text, format)));
  }
}

}  // namespace vernier::engine
