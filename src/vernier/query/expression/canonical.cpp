#include <algorithm>

#include "vernier/core/text.hpp"
#include "vernier/query/component.hpp"
#include "vernier/query/expression/moment.hpp"
#include "vernier/query/made.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

std::string joined(const std::vector<Expression>& operands, std::string_view mark, std::size_t from = 0) {
  std::string text;
  for (std::size_t i = from; i < operands.size(); ++i) {
    text += (i == from ? "" : std::string(mark)) + canonical(operands[i]);
  }
  return text;
}

// An exponent makes it a real for every reader.
std::string real_text(double value) {
  const std::string digits = shortest(value);
  return digits.find('e') == std::string::npos ? digits + "e0" : digits;
}

std::string value_text(const Value& value) {
  switch (type_of(value)) {
    case Type::boolean:
      return std::get<bool>(value) ? "TRUE" : "FALSE";
    case Type::integer:
      return std::to_string(std::get<std::int64_t>(value));
    case Type::real:
      return real_text(std::get<double>(value));
    case Type::string:
      return quoted_text(std::get<std::string>(value));
    case Type::date:
      break;
  }
  return "DATE '" + text_of(std::get<Day>(value)) + "'";
}

std::string infix(const Expression& x, std::string_view mark) { return bracketed(joined(x.operands(), mark)); }

std::string call(std::string_view name, const Expression& x) {
  return std::string(name) + bracketed(joined(x.operands(), ", "));
}

std::string read_text(const Expression& x) { return "CAST(" + canonical(x.operands().front()) + " AS TIMESTAMP)"; }

std::string instant_text(const Expression& ticks) {
  if (ticks.operation() == Operation::read_instant) return read_text(ticks);
  const std::int64_t first = first_day.number * ticks_of_day, last = (last_day.number + 1) * ticks_of_day - 1;
  const auto* const span = std::get_if<IntegerSpan>(&ticks.span());
  if (ticks.operation() == Operation::literal && span->lower >= first && span->lower <= last) {
    return "TIMESTAMP " + quoted_text(text_of_instant(std::get<std::int64_t>(ticks.value())));
  }
  return "MAKE_TIMESTAMP(" + canonical(ticks) + ")";
}

std::string case_text(const std::vector<Expression>& operands) {
  std::string text = "CASE";
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    text += " WHEN " + canonical(operands[i]) + " THEN " + canonical(operands[i + 1]);
  }
  return text + " ELSE " + canonical(operands.back()) + " END";
}

std::string between_text(const std::vector<Expression>& operands) {
  return bracketed(canonical(operands[0]) + " BETWEEN " + canonical(operands[1]) + " AND " + canonical(operands[2]));
}

bool is_distinct(Aggregate aggregate) {
  return aggregate == Aggregate::count_units || aggregate == Aggregate::count_distinct;
}

std::string formula_text(const Query& query, const Formula& formula) {
  std::vector<std::string> statistics;
  for (const Aggregation& one : query.aggregations) statistics.push_back(canonical(one));
  return text_of(formula.steps, statistics);
}

std::string item_text(const Query& query, const Output& output) {
  if (output.is_key) return canonical(query.keys[output.place].expression);
  if (output.is_formula) return formula_text(query, query.formulas[output.place]);
  return canonical(query.aggregations[output.place]);
}

std::string select_list(const Query& query) {
  std::string text;
  for (const Output& output : query.outputs) {
    text += (text.empty() ? "" : ", ") + item_text(query, output) + " AS " + quoted_identifier(query.name_of(output));
  }
  return text;
}

// Its place in the SELECT list, counted from 1: a key is written once.
std::string place_of(const Query& query, std::size_t key) {
  const auto found = std::find(query.outputs.begin(), query.outputs.end(), Output{true, key});
  return std::to_string(found - query.outputs.begin() + 1);
}

std::string_view join_words(const Join& join) {
  if (join.kind == JoinKind::having) return " SEMI JOIN ";
  if (join.kind == JoinKind::lacking) return " ANTI JOIN ";
  return join.keeps_all ? " LEFT JOIN " : " JOIN ";
}

std::string joined_table(const Join& join) {
  const std::string alias = join.alias.empty() ? "" : " AS " + quoted_identifier(join.alias);
  return std::string(join_words(join)) + quoted_identifier(join.table) + alias;
}

// A column of ON belongs to what stands on the left.
std::string on_text(const Join& join) {
  std::string text = joined_table(join) + " ON ";
  for (std::size_t i = 0; i < join.columns.size(); ++i) {
    text += (i == 0 ? "" : " AND ") + quoted_identifier(join.columns[i]) + " = " + quoted_identifier(join.called()) +
            "." + quoted_identifier(join.right_columns()[i]);
  }
  return join.filter ? text + " AND " + canonical(*join.filter) : text;
}

std::string join_text(const Join& join) {
  if (!join.right.empty() || join.filter) return on_text(join);
  std::string columns;
  for (const std::string& name : join.columns) columns += (columns.empty() ? "" : ", ") + quoted_identifier(name);
  return joined_table(join) + " USING " + bracketed(columns);
}

std::string rows_text(const std::string& table, const std::vector<Join>& joins) {
  std::string text = " FROM " + quoted_identifier(table);
  for (const Join& join : joins) text += join_text(join);
  return text;
}

std::string where_text(const std::optional<Expression>& filter) { return filter ? " WHERE " + canonical(*filter) : ""; }

// The keys come first.
std::string per_unit_text(const std::string& rows, const PerUnit& asked) {
  std::string columns, places;
  for (std::size_t i = 0; i < asked.keys.size(); ++i) {
    const std::string mark = i == 0 ? "" : ", ";
    columns += mark + canonical(asked.keys[i].expression) + " AS " + quoted_identifier(asked.keys[i].name);
    places += mark + std::to_string(i + 1);
  }
  for (const Aggregation& total : asked.totals) {
    columns += ", " + canonical(total) + " AS " + quoted_identifier(total.name);
  }
  return " FROM (SELECT " + columns + rows + where_text(asked.filter) + " GROUP BY " + places + ") AS \"per unit\"";
}

std::string from_text(const std::string& table, const std::vector<Join>& joins, const std::optional<PerUnit>& asked) {
  const std::string rows = rows_text(table, joins);
  return asked ? per_unit_text(rows, *asked) : rows;
}

std::string part_text(const MadePart& part) {
  std::string columns;
  for (const Key& key : part.columns) {
    columns += (columns.empty() ? "SELECT " : ", ") + canonical(key.expression) + " AS " + quoted_identifier(key.name);
  }
  return columns + from_text(part.table.name, part.joins, part.per_unit) + where_text(part.filter);
}

std::string with_text(const std::vector<MadeTable>& made) {
  std::string text;
  for (const MadeTable& one : made) {
    text += (text.empty() ? "WITH " : ", ") + quoted_identifier(one.table.name) + " AS " +
            bracketed(canonical(*one.table.made));
  }
  return text.empty() ? "" : text + " ";
}

std::string group_by(const Query& query) {
  std::string text;
  for (std::size_t i = 0; i < query.keys.size(); ++i) text += (i == 0 ? " GROUP BY " : ", ") + place_of(query, i);
  return text;
}

std::string order_by(const Query& query) {
  std::string text;
  for (const KeyOrder& order : query.order) {
    const std::string by = order.number ? item_text(query, *order.number) : place_of(query, order.key);
    text += (text.empty() ? " ORDER BY " : ", ") + by;
    if (order.descending) text += " DESC";
  }
  return text;
}

std::string selection_text(const Query& query) {
  std::string text = order_by(query);
  if (query.limit) text += " LIMIT " + std::to_string(*query.limit);
  if (query.offset > 0) text += " OFFSET " + std::to_string(query.offset);
  return text;
}

}  // namespace

// Its denominator divides a power of ten.
std::string text_of(Fraction fraction) {
  std::string digits = "0.";
  for (std::int64_t rest = 10 * fraction.parts; rest > 0; rest = 10 * (rest % fraction.whole)) {
    digits += static_cast<char>('0' + rest / fraction.whole);
  }
  return digits;
}

std::string canonical(const Aggregation& aggregation) {
  std::string argument = aggregation.argument ? canonical(*aggregation.argument) : "*";
  if (is_distinct(aggregation.aggregate)) argument = "DISTINCT " + argument;
  if (aggregation.aggregate == Aggregate::quantile) argument += ", " + text_of(aggregation.fraction);
  if (aggregation.other) argument += ", " + canonical(*aggregation.other);
  for (const Expression& x : aggregation.more) argument += ", " + canonical(x);
  if (is_component(aggregation)) {
    return std::string(name_of_component(aggregation.aggregate)) +
           bracketed(std::to_string(aggregation.fraction.parts) + ", " + argument);
  }
  return std::string(name_of(aggregation.aggregate)) + bracketed(argument);
}

std::string canonical(const Expression& x) {
  using enum Operation;
  switch (x.operation()) {
    case Operation::column:
      return quoted_identifier(x.column_name());
    case Operation::literal:
      return value_text(x.value());
    case Operation::null:
      return "NULL";
    case add:
      return infix(x, " + ");
    case subtract:
      return infix(x, " - ");
    case multiply:
      return infix(x, " * ");
    case divide:
      return infix(x, " / ");
    case divide_truncated:
      return infix(x, " // ");
    case Operation::remainder:
      return infix(x, " % ");
    case negate:
      return "(- " + canonical(x.operands().front()) + ")";
    case absolute:
      return call("ABS", x);
    case floor:
      return call("FLOOR", x);
    case ceil:
      return call("CEIL", x);
    case round:
      return call("ROUND", x);
    case equal:
      return infix(x, " = ");
    case not_equal:
      return infix(x, " <> ");
    case less:
      return infix(x, " < ");
    case less_equal:
      return infix(x, " <= ");
    case greater:
      return infix(x, " > ");
    case greater_equal:
      return infix(x, " >= ");
    case between:
      return between_text(x.operands());
    case in:
      return bracketed(canonical(x.operands().front()) + " IN " + bracketed(joined(x.operands(), ", ", 1)));
    case is_null:
      return bracketed(canonical(x.operands().front()) + " IS NULL");
    case is_clamped:
      return call("IS_CLAMPED", x);
    case logical_and:
      return infix(x, " AND ");
    case logical_or:
      return infix(x, " OR ");
    case logical_not:
      return "(NOT " + canonical(x.operands().front()) + ")";
    case case_when:
      return case_text(x.operands());
    case coalesce:
      return call("COALESCE", x);
    case null_if:
      return call("NULLIF", x);
    case Operation::cast:
      return "CAST(" + canonical(x.operands().front()) + " AS " + std::string(column_type(x.type())) + ")";
    case clamp:
      return call("CLAMP", x);
    case bucket:
      return call("BUCKET", x);
    case lower_case:
      return call("LOWER", x);
    case upper_case:
      return call("UPPER", x);
    case trim:
      return call("TRIM", x);
    case trim_left:
      return call("LTRIM", x);
    case trim_right:
      return call("RTRIM", x);
    case length:
      return call("LENGTH", x);
    case text_part:
      return call("SUBSTRING", x);
    case concatenate:
      return infix(x, " || ");
    case like:
      return infix(x, " LIKE ");
    case days_between:
      return "DATE_DIFF('day', " + joined(x.operands(), ", ") + ")";
    case add_days:
      return infix(x, " + ");
    case square_root:
      return call("SQRT", x);
    case logarithm:
      return call("LN", x);
    case logarithm_ten:
      return call("LOG10", x);
    case exponential:
      return call("EXP", x);
    case sine:
      return call("SIN", x);
    case cosine:
      return call("COS", x);
    case place_in_text:
      return call("STRPOS", x);
    case replaced:
      return call("REPLACE", x);
    case read_instant:
      return "EPOCH_US(" + read_text(x) + ")";
    case instant:
      return instant_text(x.operands().front());
    case elapsed:
      return call("TO_MICROSECONDS", x);
    case Operation::date_part:
      break;
  }
  return "date_part('" + std::string(name_of(x.part())) + "', " + canonical(x.operands().front()) + ")";
}

std::string canonical(const MadeRows& rows) {
  std::string text;
  for (const MadePart& part : rows.parts) text += (text.empty() ? "" : " UNION ALL ") + part_text(part);
  return text;
}

std::string canonical(const Query& query) {
  const std::string having = query.having ? " HAVING " + formula_text(query, *query.having) : "";
  return with_text(query.made) + "SELECT " + select_list(query) + from_text(query.table, query.joins, query.per_unit) +
         where_text(query.filter) + group_by(query) + having + selection_text(query);
}

}  // namespace vernier::query
