#include "vernier/query/read_weight.hpp"

#include <algorithm>

#include "vernier/core/suggestion.hpp"

namespace vernier::query {
namespace {

bool is_number(const Column& column) { return column.type == Type::integer || column.type == Type::real; }

bool is_negative(const Value& bound) {
  const auto* const whole = std::get_if<std::int64_t>(&bound);
  return whole != nullptr ? *whole < 0 : std::get<double>(bound) < 0;
}

std::string not_a_column(const std::string& name, const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return " must be one of its columns, but it is " + in_quotes(name) + suggestion(name, names);
}

// Why the column has no weights, behind the name of the key; empty where it has.
std::string fault_of(const Column& column, const Table& table) {
  const std::string is = " is " + in_quotes(column.name);
  if (table.unit == column.name) {
    return is + ", which is also its unit; a weight says for how many members a row stands, and not whose row it is";
  }
  if (!is_number(column)) {
    return is + ", of type " + std::string(name_of(column.type)) +
           ", but weights are numbers; declare the column as integer or real";
  }
  if (!column.range) {
    return is + ", which has no bounds, so that one row could weigh anything; declare its lower and upper";
  }
  if (is_negative(column.range->lower)) {
    return is + ", whose lower bound is negative, but weights are 0 or more; write lower = 0";
  }
  if (table.sampled) {
    return " and its sampled exclude each other: sampled says that all members have the same chance to be in the "
           "table, and weights that they have not; leave one of them out";
  }
  return "";
}

}  // namespace

std::optional<std::string> read_weight(TableReader& reader, const Table& table) {
  const auto name = reader.text("weight", "survey_weight");
  if (!name) return std::nullopt;
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& one) { return one.name == *name; });
  const std::string fault = found == table.columns.end() ? not_a_column(*name, table.columns) : fault_of(*found, table);
  if (!fault.empty()) reader.refuse(reader.find("weight")->place, reader.subject("weight") + fault);
  return name;
}

}  // namespace vernier::query
