#include "vernier/query/read_public_count.hpp"

namespace vernier::query {
namespace {

// Why the number of rows is not the same in neighbouring tables; empty where it is.
std::string fault_of_count(const Table& table) {
  if (table.neighbours != privacy::Neighbours::replace) {
    return "neighbours = \"replace\", since add-remove protects whether a row is there, and with it how many there are";
  }
  if (table.unit) return "unit = \"row\", since a unit that is replaced may have another number of rows";
  if (table.source.line_breaks) {
    return "a file without line_breaks, with which the quotes in one row decide how many lines it has, and so how many "
           "rows there are";
  }
  return "";
}

}  // namespace

bool read_public_count(TableReader& reader, const Table& table) {
  if (!reader.boolean("public_count").value_or(false)) return false;
  const std::string fault = fault_of_count(table);
  if (fault.empty()) return true;
  reader.refuse(reader.find("public_count")->place,
                reader.subject("public_count") + " needs " + fault + "; write that, or leave public_count out");
  return false;
}

bool read_never_null(TableReader& reader, const Column& column) {
  if (!reader.boolean("never_null").value_or(false)) return false;
  const bool is_number = column.type == Type::integer || column.type == Type::real;
  if (is_number && column.range) return true;
  reader.refuse(reader.find("never_null")->place,
                reader.subject("never_null") +
                    " is for numbers with bounds, since a value that is missing in spite of it counts as the lower "
                    "one; give the column bounds, or leave never_null out");
  return false;
}

}  // namespace vernier::query
