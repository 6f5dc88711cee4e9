#include "vernier/query/query.hpp"

#include <algorithm>

#include "vernier/core/names.hpp"
#include "vernier/query/translate/syntax.hpp"

namespace vernier::query {
namespace {

std::string named(std::string_view name) { return std::string("'").append(shown(name)).append("'"); }

bool has_name(const std::vector<std::string>& names, std::string_view name) {
  const std::string folded = fold_case(name);
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) { return fold_case(one) == folded; });
}

bool knows(const Table& table, std::string_view name) {
  std::vector<std::string> expressions;
  for (const NamedExpression& one : table.expressions) expressions.push_back(one.name);
  return table.column(name) != nullptr || has_name(expressions, name);
}

std::string fault_of_missing(const Table& table, const std::string& name) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return "the table " + named(table.name) + " has no column " + named(name) + suggestion(name, names) +
         "; USING names columns that both tables have";
}

std::string fault_of_column(const Table& left, const Table& right, const std::string& name) {
  const Column* const own = left.column(name);
  const Column* const other = right.column(name);
  if (own == nullptr || other == nullptr) return fault_of_missing(own == nullptr ? left : right, name);
  if (own->type != other->type) {
    return "the column " + named(name) + " is of type " + std::string(name_of(own->type)) + " in " + named(left.name) +
           " and of type " + std::string(name_of(other->type)) + " in " + named(right.name) +
           "; let the steward declare one type for both";
  }
  if (own->type != Type::real) return "";
  return "the column " + named(name) + " is real, and reals hardly ever meet; join by integers, texts, dates or " +
         "booleans";
}

}  // namespace

std::string fault_of_join(const Table& left, const Table& right, const std::vector<std::string>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::string fault = fault_of_column(left, right, columns[i]); !fault.empty()) return fault;
    if (has_name({columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i)}, columns[i]))
      return "USING names the column " + named(columns[i]) + " twice; name it once";
  }
  for (const Column& column : right.columns) {
    if (has_name(columns, column.name) || !knows(left, column.name)) continue;
    return "the column " + named(column.name) + " is in both tables, and nobody could tell which is meant; name it " +
           "in USING too, or let the steward rename it in one file and in the catalog, or not declare it";
  }
  return "";
}

Table joined(Table left, const Table& right, const std::vector<std::string>& columns) {
  for (const Column& column : right.columns) {
    if (!has_name(columns, column.name)) left.columns.push_back(column);
  }
  return left;
}

}  // namespace vernier::query
