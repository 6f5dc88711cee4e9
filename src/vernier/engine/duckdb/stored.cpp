#include <initializer_list>
#include <string_view>

#include "vernier/engine/cells.hpp"
#include "vernier/engine/duckdb/sources.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::engine {
namespace {

using query::bracketed;
using query::Type;
using Physical = ParquetPhysical;

// A column of a chunk, as the engine hands it over: flat.
template <class Stored>
class Cells {
 public:
  Cells(duckdb_data_chunk chunk, idx_t place) : Cells(duckdb_data_chunk_get_vector(chunk, place)) {}
  explicit Cells(duckdb_vector vector)
      : values_(static_cast<Stored*>(duckdb_vector_get_data(vector))), present_(duckdb_vector_get_validity(vector)) {}

  bool is_null(idx_t row) const { return present_ != nullptr && !duckdb_validity_row_is_valid(present_, row); }
  Stored& operator[](idx_t row) const { return values_[row]; }

 private:
  Stored* values_;
  std::uint64_t* present_;
};

std::string_view bytes_at(const Cells<duckdb_string_t>& cells, idx_t row) {
  return {duckdb_string_t_data(&cells[row]), duckdb_string_t_length(cells[row])};
}

void put(duckdb_vector output, idx_t row, std::string_view text) {
  duckdb_unsafe_vector_assign_string_element_len(output, row, text.data(), text.size());
}
void put(duckdb_vector output, idx_t row, const UuidText& text) { put(output, row, text.view()); }
void put(duckdb_vector output, idx_t row, double value) {
  static_cast<double*>(duckdb_vector_get_data(output))[row] = value;
}
void put(duckdb_vector output, idx_t row, query::Day day) {
  static_cast<std::int32_t*>(duckdb_vector_get_data(output))[row] = day.number;
}

// Of every row what `read` makes of it, which is NULL where that is nothing.
template <class Read>
void fill(duckdb_data_chunk chunk, duckdb_vector output, const Read& read) {
  duckdb_vector_ensure_validity_writable(output);
  std::uint64_t* const valid = duckdb_vector_get_validity(output);
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    const auto value = read(row);
    if (value)
      put(output, row, *value);
    else
      duckdb_validity_set_row_invalid(valid, row);
  }
}

template <auto read>
void read_bytes(duckdb_function_info /*info*/, duckdb_data_chunk chunk, duckdb_vector output) {
  const Cells<duckdb_string_t> cells(chunk, 0);
  fill(chunk, output, [&](idx_t row) {
    return cells.is_null(row) ? decltype(read(std::string_view()))() : read(bytes_at(cells, row));
  });
}

void read_decimals(duckdb_function_info /*info*/, duckdb_data_chunk chunk, duckdb_vector output) {
  const Cells<duckdb_string_t> cells(chunk, 0);
  const Cells<std::int32_t> scales(chunk, 1);
  fill(chunk, output, [&](idx_t row) {
    return cells.is_null(row) ? std::nullopt : real_of_decimal(bytes_at(cells, row), scales[row]);
  });
}

void read_days(duckdb_function_info /*info*/, duckdb_data_chunk chunk, duckdb_vector output) {
  const Cells<std::int32_t> cells(chunk, 0);
  fill(chunk, output, [&](idx_t row) { return cells.is_null(row) ? std::nullopt : day_of_number(cells[row]); });
}

bool register_function(duckdb_connection connection, const char* name, std::initializer_list<duckdb_type> parameters,
                       duckdb_type result, duckdb_scalar_function_t function) {
  duckdb_scalar_function made = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(made, name);
  for (const duckdb_type parameter : parameters) {
    duckdb_logical_type type = duckdb_create_logical_type(parameter);
    duckdb_scalar_function_add_parameter(made, type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_logical_type value = duckdb_create_logical_type(result);
  duckdb_scalar_function_set_return_type(made, value);
  duckdb_destroy_logical_type(&value);
  duckdb_scalar_function_set_special_handling(made);
  duckdb_scalar_function_set_function(made, function);
  const bool done = duckdb_register_scalar_function(connection, made) == DuckDBSuccess;
  duckdb_destroy_scalar_function(&made);
  return done;
}

// The integer that 32 or 64 bits mean, within 64 bits.
std::string whole(const std::string& x, const ParquetStorage& storage) {
  const auto within = [&](const std::string& least, const std::string& greatest) {
    return "CASE WHEN " + x + " BETWEEN " + least + " AND " + greatest + " THEN CAST(" + x + " AS BIGINT) END";
  };
  switch (storage.bits) {
    case 8:
      return storage.is_signed ? within("-128", "127") : within("0", "255");
    case 16:
      return storage.is_signed ? within("-32768", "32767") : within("0", "65535");
    case 32:
      return storage.is_signed ? "CAST(" + x + " AS BIGINT)" : "(CAST(" + x + " AS BIGINT) & 4294967295)";
    default:
      return storage.is_signed ? x : "CASE WHEN " + x + " >= 0 THEN " + x + " END";
  }
}

std::string as_double(const std::string& x) { return "CAST(" + x + " AS DOUBLE)"; }

// 64 bits without a sign are 2^64 more than with one.
std::string whole_as_real(const std::string& x, const ParquetStorage& storage) {
  if (storage.bits != 64 || storage.is_signed) return as_double(whole(x, storage));
  return "CASE WHEN " + x + " >= 0 THEN " + as_double(x) + " ELSE " + as_double(x) + " + 1.8446744073709552e19 END";
}

std::string real(const std::string& x, const ParquetColumn& column) {
  const ParquetStorage& storage = column.storage;
  const std::string scale = std::to_string(storage.scale);
  if (column.type == "integer") return whole_as_real(x, storage);
  if (storage.is_float16) return "stored_half(" + x + ")";
  if (column.type != "decimal") return storage.physical == Physical::float64 ? x : as_double(x);
  const bool is_whole = storage.physical == Physical::int32 || storage.physical == Physical::int64;
  return is_whole ? as_double(x) + " / 1e" + scale : "stored_decimal(" + x + ", " + scale + ")";
}

// Integers are stored as reals where one of them was missing when they were written. NaN is above all numbers here.
std::string whole_of_real(const std::string& x) {
  return "CASE WHEN " + x + " >= -9223372036854775808e0 AND " + x + " < 9223372036854775808e0 AND " + x + " = trunc(" +
         x + ") THEN TRY_CAST(" + x + " AS BIGINT) END";
}

}  // namespace

bool register_stored(duckdb_connection connection) {
  constexpr duckdb_type bytes = DUCKDB_TYPE_BLOB;
  constexpr duckdb_type text = DUCKDB_TYPE_VARCHAR;
  constexpr duckdb_type integer = DUCKDB_TYPE_INTEGER;
  constexpr duckdb_type real = DUCKDB_TYPE_DOUBLE;
  return register_function(connection, "stored_text", {bytes}, text, read_bytes<text_of_bytes>) &&
         register_function(connection, "stored_uuid", {bytes}, text, read_bytes<text_of_uuid>) &&
         register_function(connection, "stored_half", {bytes}, real, read_bytes<real_of_half>) &&
         register_function(connection, "stored_decimal", {bytes, integer}, real, read_decimals) &&
         register_function(connection, "stored_day", {integer}, DUCKDB_TYPE_DATE, read_days);
}

std::string stored_value(Type declared, const ParquetColumn& column) {
  const std::string x = query::quoted_identifier(column.name);
  switch (declared) {
    case Type::boolean:
      return x;
    case Type::integer:
      return column.type == "integer" ? whole(x, column.storage) : whole_of_real(bracketed(real(x, column)));
    case Type::real:
      return real(x, column);
    case Type::string:
      return (column.type == "uuid" ? "stored_uuid(" : "stored_text(") + x + ")";
    case Type::date:
      break;
  }
  return "stored_day(" + x + ")";
}

}  // namespace vernier::engine
