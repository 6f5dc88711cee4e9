#include <algorithm>

#include "vernier/core/text.hpp"
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

std::string select_list(const Query& query) {
  std::string text;
  for (const Output& output : query.outputs) {
    const bool is_key = output.is_key;
    const std::string item =
        is_key ? canonical(query.keys[output.place].expression) : canonical(query.aggregations[output.place]);
    const std::string& name = is_key ? query.keys[output.place].name : query.aggregations[output.place].name;
    text += (text.empty() ? "" : ", ") + item + " AS " + quoted_identifier(name);
  }
  return text;
}

// Its place in the SELECT list, counted from 1: a key is written once.
std::string place_of(const Query& query, std::size_t key) {
  const auto found = std::find(query.outputs.begin(), query.outputs.end(), Output{true, key});
  return std::to_string(found - query.outputs.begin() + 1);
}

std::string join_text(const Join& join) {
  std::string columns;
  for (const std::string& name : join.columns) columns += (columns.empty() ? "" : ", ") + quoted_identifier(name);
  return (join.keeps_all ? " LEFT JOIN " : " JOIN ") + quoted_identifier(join.table) + " USING " + bracketed(columns);
}

std::string from_text(const Query& query) {
  std::string text = " FROM " + quoted_identifier(query.table);
  for (const Join& join : query.joins) text += join_text(join);
  return text;
}

std::string group_by(const Query& query) {
  std::string text;
  for (std::size_t i = 0; i < query.keys.size(); ++i) text += (i == 0 ? " GROUP BY " : ", ") + place_of(query, i);
  return text;
}

std::string order_by(const Query& query) {
  std::string text;
  for (const KeyOrder& order : query.order) {
    text += (text.empty() ? " ORDER BY " : ", ") + place_of(query, order.key);
    if (order.descending) text += " DESC";
  }
  return text;
}

}  // namespace

std::string_view name_of(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::count_rows:
    case Aggregate::count:
    case Aggregate::count_units:
    case Aggregate::count_distinct:
      return "COUNT";
    case Aggregate::sum:
      return "SUM";
    case Aggregate::average:
      return "AVG";
    case Aggregate::variance_sample:
      return "VAR_SAMP";
    case Aggregate::variance_population:
      return "VAR_POP";
    case Aggregate::deviation_sample:
      return "STDDEV_SAMP";
    case Aggregate::deviation_population:
      return "STDDEV_POP";
    case Aggregate::quantile:
      return "QUANTILE";
    case Aggregate::least:
      return "MIN";
    case Aggregate::greatest:
      break;
  }
  return "MAX";
}

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
    case Operation::date_part:
      break;
  }
  return "date_part('" + std::string(name_of(x.part())) + "', " + canonical(x.operands().front()) + ")";
}

std::string canonical(const Query& query) {
  const std::string where = query.filter ? " WHERE " + canonical(*query.filter) : "";
  return "SELECT " + select_list(query) + from_text(query) + where + group_by(query) + order_by(query);
}

}  // namespace vernier::query
