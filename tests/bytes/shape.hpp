#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bytes/odd_bytes.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/query/catalog.hpp"

// Tables in which one record holds arbitrary bytes, beside the same table without it.
namespace vernier::bytes {

// What is read: one file or several, or rows in memory.
struct Content {
  std::string file;
  std::shared_ptr<const engine::ArrowTable> rows;
  std::vector<std::string> more = {};  // further files
};

struct OddTable {
  std::string oddity;  // what is odd about the record
  Content content;
};

// A declared table, its rows but for one, and what the record of that one unit may look like. By the declared relation
// the record is not in `base`, or a harmless one stands in its place.
struct Shape {
  query::Table table;                   // columns id, n, k, x, y, under names that a file may spell otherwise
  std::vector<std::string> modes = {};  // what was drawn, to be counted: "quoted", "INT96", "dictionary"
  std::vector<std::string> units = {};  // of all rows but the record, as constants of SQL
  std::string odd_unit = {};            // of the record where it can be read
  Content base = {};
  std::vector<OddTable> odd = {};
};

inline constexpr std::size_t odd_tables = 9;  // of each shape

// The same number, the same shape. Oddities and stored types take turns by the number, so that all are met.
Shape csv_shape(std::uint64_t number);
Shape json_shape(std::uint64_t number);
Shape parquet_shape(std::uint64_t number);
Shape arrow_shape(std::uint64_t number);

// What a run must have met.
std::vector<std::string> csv_modes();
std::vector<std::string> json_modes();
std::vector<std::string> parquet_modes();
std::vector<std::string> arrow_modes();

// The declared columns id, n and k, the unit and the relation; x and y of these types.
query::Table declared_table(Draw& draw, query::Type x, query::Type y);

inline constexpr std::int64_t first_unit = 10'000'001;
inline constexpr std::int64_t odd_unit_number = 77;

// As a constant of SQL: of a column of integers, or of texts.
std::string unit_constant(const query::Table& table, std::int64_t number);
std::string unit_text(const query::Table& table, std::int64_t number);  // as a file writes it

// Whether the record is replaced by a harmless one, or left out.
inline bool is_replaced(const query::Table& table) { return table.neighbours == privacy::Neighbours::replace; }

}  // namespace vernier::bytes
