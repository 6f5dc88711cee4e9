#include "vernier/plan/render/rows.hpp"

#include <set>

#include "vernier/plan/render/fine_sums.hpp"
#include "vernier/plan/render/joined.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/plan/render/values.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/expression/text_sql.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::plan {
namespace {

using query::Dialect;
using query::Type;
using query::Value;

constexpr std::int64_t greatest_narrow_steps = std::int64_t{1} << 30;  // 2 * steps^2 and the steps fit in 63 bits

// -0 and 0 are one value, and have one form.
std::string one_form(Type type, const std::string& sql, const Dialect& in) {
  return type == Type::real ? "(" + sql + " + " + in.constant(0.0) + ")" : sql;
}

std::string rendered_key(const query::Key& key, const Dialect& in) {
  return one_form(key.expression.type(), query::rendered_output(key.expression, in), in);
}

// A column with declared keys has no others, among private keys too.
const query::Column* declared_column(const query::Key& key, const query::Table& table) {
  if (key.expression.operation() != query::Operation::column) return nullptr;
  const query::Column* const column = table.column(key.expression.column_name());
  return column == nullptr || column->keys.empty() ? nullptr : column;
}

std::string private_condition(const query::Key& key, const query::Table& table, const std::string& alias,
                              const Dialect& in) {
  const query::Column* const column = declared_column(key, table);
  const bool is_text = key.expression.type() == Type::string;
  if (column == nullptr && is_text) return in.bytes_of(alias) + " <= " + whole(longest_private_key);  // not of NULL
  if (column == nullptr) return alias + " IS NOT NULL";
  std::vector<std::string> values;
  for (const Value& value : column->keys) values.push_back(in.constant(value));
  return alias + " IN (" + joined(values) + ")";
}

// Of what stands in the columns of a row, as aliases.
std::vector<std::string> conditions(const BoundStatistic& statistic, const Style& style) {
  std::vector<std::string> all;
  if (statistic.table.unit) all.emplace_back("u IS NOT NULL");
  if (statistic.table.unit && style.portable && !has_distinct(statistic)) all.emplace_back(1, pass_place);
  const auto& keys = statistic.query.keys;
  for (std::size_t i = 0; !statistic.keys.are_public && i < keys.size(); ++i) {
    all.push_back(private_condition(keys[i], statistic.table, numbered("k", i), style.in));
  }
  return all;
}

}  // namespace

std::string called_argument(const Argument& argument, const Style& style) {
  if (argument.weight) return weighted_argument(argument, style);
  const std::optional<StepsFunction> function = style.functions ? steps_function(argument) : std::nullopt;
  if (!function) return rendered_argument(argument, style.in);
  const std::string column = query::quoted_identifier(argument.expression.column_name());
  return query::quoted_identifier(function->name()) + query::bracketed(column);
}

namespace {

std::vector<std::string> row_columns(const BoundStatistic& statistic, const Style& style) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& sql, const std::string& alias) { columns.push_back(sql + " AS " + alias); };
  // Units are not moved into declared bounds: two of them must not become one. A catalog has no real ones.
  if (statistic.table.unit) add(identity(*statistic.table.column(*statistic.table.unit), style.in), "u");
  const auto& keys = statistic.query.keys;
  for (std::size_t i = 0; i < keys.size(); ++i) add(rendered_key(keys[i], style.in), numbered("k", i));
  const auto& arguments = statistic.arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) add(called_argument(arguments[i], style), numbered("a", i));
  for (const std::size_t i : fine_arguments(statistic)) {
    add(residual(arguments[i], halvings_of(statistic, i), style), residual_column(i));
  }
  if (columns.empty()) columns.emplace_back("1 AS one");
  return columns;
}

std::string rendered_group(std::size_t cell, const std::vector<Value>& keys, const Dialect& in) {
  std::vector<std::string> values{whole(static_cast<std::int64_t>(cell))};
  for (const Value& key : keys) values.push_back(one_form(query::type_of(key), in.constant(key), in));
  return query::bracketed(joined(values));
}

}  // namespace

std::string whole(std::int64_t value) { return query::rendered(Value(value)); }

std::string numbered(std::string_view stem, std::size_t i) { return std::string(stem) + std::to_string(i); }

std::vector<std::string> numbered_list(std::string_view stem, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(numbered(stem, i));
  return names;
}

std::string joined(const std::vector<std::string>& parts, std::string_view mark) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : mark).append(part);
  return text;
}

namespace {

// About k^2 * fineness / steps, to the nearest whole number: the numerator has 64 bits unless the fineness is 1 and the
// steps are many (moments.hpp).
std::string rendered_square(const std::string& k, const Argument::Square& square, const Dialect& in) {
  const std::string j = square.is_from_above ? query::bracketed(whole(square.steps) + " - " + k) : k;
  if (square.fineness % square.steps == 0)
    return query::bracketed(joined({j, j, whole(square.fineness / square.steps)}, " * "));
  const bool is_wide = square.steps > greatest_narrow_steps;
  const std::string first = is_wide ? query::cast_to(in.wide_type(), j) : j;
  const std::string parts =
      query::bracketed(joined({first, j, whole(2 * square.fineness)}, " * ") + " + " + whole(square.steps));
  const std::string by = whole(2 * square.steps);
  return query::cast_to("BIGINT", is_wide ? in.wide_quotient(parts, by) : in.quotient(parts, by));
}

// A value that a scale below 1 could let underflow counts as 0, which is the step that it has.
std::string real_steps(const Argument& argument, const Dialect& in) {
  const double scale = 1 / argument.granularity;
  const std::string value =
      scale < 1 ? query::rendered_factor(argument.expression, in) : query::rendered(argument.expression, in);
  return query::cast_to("BIGINT", in.floor(value + " * " + in.constant(scale) + " + " + in.constant(0.5)));
}

std::string rendered_steps(const Argument& argument, const Dialect& in) {
  const bool is_real = argument.expression.type() == Type::real;
  const auto times = static_cast<std::int64_t>(1 / argument.granularity);  // 1 of integers that are their own steps
  const std::string whole_value = is_real ? "" : query::rendered(argument.expression, in);
  const std::string finer = times == 1 ? whole_value : query::bracketed(whole_value + " * " + whole(times));
  const std::string steps = is_real ? real_steps(argument, in) : finer;
  return argument.origin == 0 ? steps : query::bracketed(steps + " - " + whole(argument.origin));
}

}  // namespace

std::string rendered_argument(const Argument& argument, const Dialect& in) {
  const std::string value = query::rendered(argument.expression, in);
  if (argument.is_value) return one_form(argument.expression.type(), value, in);
  if (!argument.is_number) return "CASE WHEN " + value + " IS NOT NULL THEN " + whole(0) + " END";
  const std::string steps = rendered_steps(argument, in);
  return argument.square ? rendered_square(steps, *argument.square, in) : steps;
}

std::optional<StepsFunction> steps_function(const Argument& argument) {
  const query::Expression& x = argument.expression;
  const auto* const span = std::get_if<query::RealSpan>(&x.span());
  if (argument.weight || !argument.is_number || x.operation() != query::Operation::column || span == nullptr ||
      !x.bounded())
    return std::nullopt;
  return StepsFunction{span->lower, span->upper, 1 / argument.granularity, argument.origin, argument.square};
}

std::string counted_rows(const BoundStatistic& statistic, const Style& style) {
  std::string rows = "SELECT " + joined(row_columns(statistic, style)) + " FROM " + joined_rows(statistic, style.in);
  if (statistic.query.filter) rows += " WHERE " + query::rendered(*statistic.query.filter, style.in);
  const std::vector<std::string> rest = conditions(statistic, style);
  return rest.empty() ? rows : "SELECT * FROM (" + rows + ") AS q WHERE " + joined(rest, " AND ");
}

std::vector<std::string> group_columns(const BoundStatistic& statistic) {
  return statistic.keys.are_public ? std::vector<std::string>{"cell"} : numbered_list("k", statistic.query.keys.size());
}

namespace {

// One text for equal values, the same on every engine. Reals have none, and are refused (is_portable).
std::string portable_text(const std::string& sql, Type type, const Dialect& in) {
  switch (type) {
    case Type::string:
      return sql;
    case Type::boolean:
      return "CASE WHEN " + sql + " THEN '1' WHEN NOT " + sql + " THEN '0' END";
    case Type::date:
      return query::cast_to(in.type(Type::string), in.day_number(sql));
    default:
      return query::cast_to(in.type(Type::string), sql);
  }
}

// The secret comes first and is drawn last: texts that collide behind it were not chosen to.
std::string portable_priority(const BoundStatistic& statistic, const Dialect& in, const HashedValue* value) {
  std::string text = std::string("'").append(1, secret_place).append(":' || ") +
                     portable_text("u", statistic.table.column(*statistic.table.unit)->type, in);
  const std::vector<std::string> groups = group_columns(statistic);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Type type = statistic.keys.are_public ? Type::integer : statistic.query.keys[i].expression.type();
    text += " || ':' || " + portable_text(groups[i], type, in);
  }
  if (value != nullptr) text += " || ':' || " + portable_text(value->sql, value->type, in);
  if (value != nullptr && !value->number.empty()) {
    text += " || ':' || " + portable_text(value->number, Type::integer, in);
  }
  return in.digest(text);
}

}  // namespace

// The engine's own is hashed twice: it mixes only what came before its last argument.
std::string priority(const BoundStatistic& statistic, const Style& style, const HashedValue* value) {
  if (style.portable) return portable_priority(statistic, style.in, value);
  std::string parts = "u, " + joined(group_columns(statistic));
  if (value != nullptr) parts += ", " + value->sql;
  if (value != nullptr && !value->number.empty()) parts += ", " + value->number;
  return "hash(hash(" + parts + ", CAST($1 AS BIGINT), CAST($2 AS BIGINT)))";
}

std::string declared_groups(const Keys& keys, const Dialect& in) {
  std::vector<std::string> groups;
  std::set<std::vector<Value>> seen;  // a row may belong to one group only, whatever was declared
  for (std::size_t i = 0; i < keys.cells.size(); ++i) {
    if (seen.insert(keys.cells[i]).second) groups.push_back(rendered_group(i, keys.cells[i], in));
  }
  std::vector<std::string> names = numbered_list("k", keys.cells.empty() ? 0 : keys.cells.front().size());
  names.insert(names.begin(), "cell");
  return "(VALUES " + joined(groups) + ") AS d(" + joined(names) + ")";
}

std::string same_keys(std::string_view rows, std::size_t count) {
  std::vector<std::string> pairs;
  for (const std::string& key : numbered_list("k", count)) {
    pairs.push_back(std::string(rows).append(".").append(key).append(" = d.").append(key));
  }
  return joined(pairs, " AND ");
}

namespace {

std::vector<std::string> named_keys(const BoundJoin& join, const Dialect& in) {
  std::vector<std::string> keys = keys_of(join.right, in);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i].append(" AS ").append(key_name(i, in));
  return keys;
}

std::string places(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 1; i <= count; ++i) numbers.push_back(std::to_string(i));
  return joined(numbers);
}

// Engines without a least truth value have a least number.
std::string least_of(const query::Column& column, const Dialect& in) {
  const std::string name = in.identifier(column.name);
  if (column.type == Type::string) return "min(" + in.bytewise(name) + ")";
  if (column.type != Type::boolean) return "min(" + name + ")";
  return "(min(CASE WHEN " + name + " THEN 1 WHEN NOT " + name + " THEN 0 END) = 1)";
}

}  // namespace

std::string public_rows(const BoundJoin& join, const Dialect& in) {
  const std::vector<query::Column> brought = join.brought();
  std::vector<std::string> columns = named_keys(join, in);
  for (std::size_t i = 0; i < brought.size(); ++i) {
    columns.push_back(least_of(brought[i], in) + " AS " + value_name(i, in));
  }
  const std::string filter = join.filter ? " WHERE " + query::rendered(*join.filter, in) : "";
  return "SELECT " + joined(columns) + " FROM " + source_rows(join.table, in) + " AS p" + filter + " GROUP BY " +
         places(join.right.size());
}

std::string repeated_key(const BoundJoin& join, const Dialect& in) {
  std::vector<std::string> texts, present;
  for (std::size_t i = 0; i < join.right.size(); ++i) {
    texts.push_back(query::cast_to(in.type(Type::string), key_name(i, in)));
    present.push_back(key_name(i, in) + " IS NOT NULL");
  }
  const std::string keys = places(join.right.size()), rows = in.identifier(" rows");
  return "SELECT " + joined(texts) + " FROM (SELECT " + joined(named_keys(join, in)) + ", count(*) AS " + rows +
         " FROM " + source_rows(join.table, in) + " AS p GROUP BY " + keys + ") AS q WHERE " + rows + " > 1 AND " +
         joined(present, " AND ") + " ORDER BY " + keys + " LIMIT 1";
}

namespace {

Argument without_weight(const Argument& x) {
  return {x.expression, x.granularity, x.origin, x.steps, x.is_number, x.is_value, x.square};
}

Argument weight_alone(const Argument::Weight& weight) { return {weight.column, weight.granularity}; }

}  // namespace

std::vector<Argument> parts_of(const Argument& argument) {
  std::vector<Argument> parts;
  parts.push_back(without_weight(argument));
  if (argument.weight) parts.push_back(weight_alone(*argument.weight));
  return parts;
}

std::string weighted_argument(const Argument& argument, const Style& style) {
  const std::string weight = called_argument(weight_alone(*argument.weight), style);
  if (argument.is_number) return called_argument(without_weight(argument), style) + " * " + weight;
  return "CASE WHEN " + query::rendered(argument.expression, style.in) + " IS NOT NULL THEN " +
         whole(argument.weight->total) + " * " + weight + " END";
}

}  // namespace vernier::plan
