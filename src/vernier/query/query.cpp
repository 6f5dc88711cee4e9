#include "vernier/query/query.hpp"

#include <algorithm>

#include "vernier/core/names.hpp"
#include "vernier/query/translate/syntax.hpp"

namespace vernier::query {
namespace {

std::string named(std::string_view name) { return std::string("'").append(shown(name)).append("'"); }

bool same(std::string_view a, std::string_view b) { return fold_case(a) == fold_case(b); }

bool has_name(const std::vector<std::string>& names, std::string_view name) {
  const std::string folded = fold_case(name);
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) { return fold_case(one) == folded; });
}

bool knows(const Table& table, std::string_view name) {
  std::vector<std::string> expressions;
  for (const NamedExpression& one : table.expressions) expressions.push_back(one.name);
  return table.column(name) != nullptr || has_name(expressions, name);
}

std::string fault_of_missing(const Table& table, const std::string& name, bool is_on) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return "the table " + named(table.name) + " has no column " + named(name) + suggestion(name, names) +
         (is_on ? "; ON compares a column of each table" : "; USING names columns that both tables have");
}

std::string fault_of_columns(const Table& left, const std::string& name, const Table& right, const std::string& other,
                             bool is_on) {
  const Column* const own = left.column(name);
  const Column* const found = right.column(other);
  if (own == nullptr || found == nullptr) {
    return own == nullptr ? fault_of_missing(left, name, is_on) : fault_of_missing(right, other, is_on);
  }
  if (own->type != found->type) {
    return "the column " + named(name) + " is of type " + std::string(name_of(own->type)) + " in " + named(left.name) +
           " and " + (is_on ? named(other) + " " : "") + "of type " + std::string(name_of(found->type)) + " in " +
           named(right.name) + "; let the steward declare one type for both";
  }
  if (own->type != Type::real) return "";
  return "the column " + named(name) + " is real, and reals hardly ever meet; join by integers, texts, dates or " +
         "booleans";
}

}  // namespace

namespace {

// Of what is brought, under the names of brought_by.
std::string fault_of_names(const Table& left, const Table& right, const Join& join) {
  for (const Column& column : brought_by(left, right, join)) {
    if (knows(left, column.name))
      return "two columns would be called " + named(column.name) + "; write AS and another name behind the table";
  }
  return "";
}

}  // namespace

std::string fault_of_join(const Table& left, const Table& right, const Join& join) {
  const std::vector<std::string>& others = join.right_columns();
  const bool is_on = !join.right.empty();
  for (std::size_t i = 0; i < join.columns.size(); ++i) {
    if (std::string fault = fault_of_columns(left, join.columns[i], right, others[i], is_on); !fault.empty()) {
      return fault;
    }
    if (has_name({others.begin(), others.begin() + static_cast<std::ptrdiff_t>(i)}, others[i]))
      return std::string(is_on ? "ON" : "USING") + " names the column " + named(others[i]) + " twice; name it once";
  }
  return join.brings_columns() ? fault_of_names(left, right, join) : "";
}

std::vector<Column> brought_by(const Table& left, const Table& right, const Join& join) {
  std::vector<Column> brought;
  if (!join.brings_columns()) return brought;
  const bool is_lookup = join.kind == JoinKind::lookup;
  for (const Column& column : right.columns) {
    const bool is_same =
        is_lookup ? has_name(join.right_columns(), column.name) : same(column.name, join.right_columns().front());
    if (is_same) continue;
    brought.push_back(column);
    if (join.keeps_all) brought.back().never_null = false;  // a row that finds nothing lacks it
    if (knows(left, column.name)) brought.back().name = join.called() + "." + column.name;
  }
  return brought;
}

Table joined(Table left, const Table& right, const Join& join) {
  const std::vector<Column> brought = brought_by(left, right, join);
  left.columns.insert(left.columns.end(), brought.begin(), brought.end());
  return left;
}

bool Query::selects_by_numbers() const {
  if (having) return true;
  const bool is_by_numbers = std::any_of(order.begin(), order.end(), [](const KeyOrder& by) { return by.number; });
  return is_by_numbers && (limit || offset > 0);
}

bool Query::is_shown(std::size_t aggregation) const {
  return std::find(outputs.begin(), outputs.end(), Output{false, aggregation}) != outputs.end();
}

const std::string& Query::name_of(const Output& output) const {
  if (output.is_key) return keys[output.place].name;
  return output.is_formula ? formulas[output.place].name : aggregations[output.place].name;
}

std::vector<std::string> Query::statistic_names() const {
  std::vector<std::string> names;
  for (const Aggregation& one : aggregations) names.push_back(one.name);
  return names;
}

}  // namespace vernier::query
