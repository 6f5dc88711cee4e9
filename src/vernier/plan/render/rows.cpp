#include "vernier/plan/render/rows.hpp"

#include <set>

#include "vernier/plan/render/sql.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::plan {
namespace {

using query::Type;
using query::Value;

constexpr std::int64_t greatest_narrow_steps = std::int64_t{1} << 30;  // 2 * steps^2 and the steps fit in 63 bits

// -0 and 0 are one value, and have one form.
std::string one_form(Type type, const std::string& sql) { return type == Type::real ? "(" + sql + " + 0e0)" : sql; }

std::string rendered_key(const query::Key& key) {
  return one_form(key.expression.type(), query::rendered_output(key.expression));
}

// A column with declared keys has no others, among private keys too.
const query::Column* declared_column(const query::Key& key, const query::Table& table) {
  if (key.expression.operation() != query::Operation::column) return nullptr;
  const query::Column* const column = table.column(key.expression.column_name());
  return column == nullptr || column->keys.empty() ? nullptr : column;
}

std::string private_condition(const query::Key& key, const query::Table& table, const std::string& alias) {
  const query::Column* const column = declared_column(key, table);
  const bool is_text = key.expression.type() == Type::string;
  if (column == nullptr && is_text) return "strlen(" + alias + ") <= " + whole(longest_private_key);  // not of NULL
  if (column == nullptr) return alias + " IS NOT NULL";
  std::vector<std::string> values;
  for (const Value& value : column->keys) values.push_back(query::rendered(value));
  return alias + " IN (" + joined(values) + ")";
}

// Of what stands in the columns of a row, as aliases.
std::vector<std::string> conditions(const BoundStatistic& statistic) {
  std::vector<std::string> all;
  if (statistic.table.unit) all.emplace_back("u IS NOT NULL");
  const auto& keys = statistic.query.keys;
  for (std::size_t i = 0; !statistic.keys.are_public && i < keys.size(); ++i) {
    all.push_back(private_condition(keys[i], statistic.table, numbered("k", i)));
  }
  return all;
}

}  // namespace

std::string called_argument(const Argument& argument, bool functions) {
  if (argument.weight) return weighted_argument(argument, functions);
  const std::optional<StepsFunction> function = functions ? steps_function(argument) : std::nullopt;
  if (!function) return rendered_argument(argument);
  const std::string column = query::quoted_identifier(argument.expression.column_name());
  return query::quoted_identifier(function->name()) + query::bracketed(column);
}

namespace {

std::vector<std::string> row_columns(const BoundStatistic& statistic, bool functions) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& sql, const std::string& alias) { columns.push_back(sql + " AS " + alias); };
  // Units are not moved into declared bounds: two of them must not become one. A catalog has no real ones.
  if (statistic.table.unit) add(query::quoted_identifier(*statistic.table.unit), "u");
  const auto& keys = statistic.query.keys;
  for (std::size_t i = 0; i < keys.size(); ++i) add(rendered_key(keys[i]), numbered("k", i));
  const auto& arguments = statistic.arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) add(called_argument(arguments[i], functions), numbered("a", i));
  if (columns.empty()) columns.emplace_back("1 AS one");
  return columns;
}

std::string rendered_group(std::size_t cell, const std::vector<Value>& keys) {
  std::vector<std::string> values{whole(static_cast<std::int64_t>(cell))};
  for (const Value& key : keys) values.push_back(one_form(query::type_of(key), query::rendered(key)));
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
std::string rendered_square(const std::string& k, const Argument::Square& square) {
  const std::string j = square.is_from_above ? query::bracketed(whole(square.steps) + " - " + k) : k;
  if (square.fineness % square.steps == 0)
    return query::bracketed(joined({j, j, whole(square.fineness / square.steps)}, " * "));
  const bool is_wide = square.steps > greatest_narrow_steps;
  const std::string first = is_wide ? "CAST(" + j + " AS HUGEINT)" : j;
  const std::string parts = joined({first, j, whole(2 * square.fineness)}, " * ") + " + " + whole(square.steps);
  return "CAST((" + parts + ") // " + whole(2 * square.steps) + " AS BIGINT)";
}

std::string rendered_steps(const Argument& argument) {
  const std::string value = query::rendered(argument.expression);
  const bool is_real = argument.expression.type() == Type::real;
  const std::string scale = query::rendered(Value(1 / argument.granularity));
  const std::string steps = is_real ? "CAST(floor(" + value + " * " + scale + " + 5e-1) AS BIGINT)" : value;
  return argument.origin == 0 ? steps : query::bracketed(steps + " - " + whole(argument.origin));
}

}  // namespace

std::string rendered_argument(const Argument& argument) {
  const std::string value = query::rendered(argument.expression);
  if (argument.is_value) return one_form(argument.expression.type(), value);
  if (!argument.is_number) return "CASE WHEN " + value + " IS NOT NULL THEN " + whole(0) + " END";
  const std::string steps = rendered_steps(argument);
  return argument.square ? rendered_square(steps, *argument.square) : steps;
}

std::optional<StepsFunction> steps_function(const Argument& argument) {
  const query::Expression& x = argument.expression;
  const auto* const span = std::get_if<query::RealSpan>(&x.span());
  if (argument.weight || !argument.is_number || x.operation() != query::Operation::column || span == nullptr ||
      !x.bounded())
    return std::nullopt;
  return StepsFunction{span->lower, span->upper, 1 / argument.granularity, argument.origin, argument.square};
}

std::string counted_rows(const BoundStatistic& statistic, bool functions) {
  std::string rows = "SELECT " + joined(row_columns(statistic, functions)) + " FROM " + joined_rows(statistic);
  if (statistic.query.filter) rows += " WHERE " + query::rendered(*statistic.query.filter);
  const std::vector<std::string> rest = conditions(statistic);
  return rest.empty() ? rows : "SELECT * FROM (" + rows + ") WHERE " + joined(rest, " AND ");
}

std::string declared_groups(const Keys& keys) {
  std::vector<std::string> groups;
  std::set<std::vector<Value>> seen;  // a row may belong to one group only, whatever was declared
  for (std::size_t i = 0; i < keys.cells.size(); ++i) {
    if (seen.insert(keys.cells[i]).second) groups.push_back(rendered_group(i, keys.cells[i]));
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

using query::quoted_identifier;

// Names that no column of a catalog has.
std::string key_name(std::size_t i) { return quoted_identifier(numbered(" key ", i)); }
std::string value_name(std::size_t i) { return quoted_identifier(numbered(" value ", i)); }
constexpr const char* left_name = "\" left\"";
constexpr const char* right_name = "\" right\".";

// A key is its column as it counts everywhere: within its bounds, NULL where it has no value.
std::vector<std::string> keys_of(const std::vector<query::Column>& columns) {
  std::vector<std::string> keys;
  for (const query::Column& column : columns) keys.push_back(query::rendered_output(query::column(column)));
  return keys;
}

std::vector<std::string> named_keys(const BoundJoin& join) {
  std::vector<std::string> keys = keys_of(join.right);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i].append(" AS ").append(key_name(i));
  return keys;
}

std::string places(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t i = 1; i <= count; ++i) numbers.push_back(std::to_string(i));
  return joined(numbers);
}

std::string condition(const BoundJoin& join) {
  std::vector<std::string> pairs = keys_of(join.left);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].append(" = ").append(right_name).append(key_name(i));
  return joined(pairs, " AND ");
}

std::string with_join(const std::string& rows, const BoundJoin& join) {
  const std::vector<query::Column> brought = join.brought();
  std::vector<std::string> columns{std::string(left_name) + ".*"};
  for (std::size_t i = 0; i < brought.size(); ++i) {
    columns.push_back(right_name + value_name(i) + " AS " + quoted_identifier(brought[i].name));
  }
  return "(SELECT " + joined(columns) + " FROM " + rows + " AS " + left_name + (join.keeps_all ? " LEFT" : "") +
         " JOIN (" + public_rows(join) + ") AS \" right\" ON " + condition(join) + ")";
}

}  // namespace

std::string public_rows(const BoundJoin& join) {
  const std::vector<query::Column> brought = join.brought();
  std::vector<std::string> columns = named_keys(join);
  for (std::size_t i = 0; i < brought.size(); ++i) {
    columns.push_back("min(" + quoted_identifier(brought[i].name) + ") AS " + value_name(i));
  }
  return "SELECT " + joined(columns) + " FROM " + view_name(join.table) + " GROUP BY " + places(join.right.size());
}

std::string repeated_key(const BoundJoin& join) {
  std::vector<std::string> texts, present;
  for (std::size_t i = 0; i < join.right.size(); ++i) {
    texts.push_back("CAST(" + key_name(i) + " AS VARCHAR)");
    present.push_back(key_name(i) + " IS NOT NULL");
  }
  const std::string keys = places(join.right.size());
  return "SELECT " + joined(texts) + " FROM (SELECT " + joined(named_keys(join)) + ", count(*) AS \" rows\" FROM " +
         view_name(join.table) + " GROUP BY " + keys + ") WHERE \" rows\" > 1 AND " + joined(present, " AND ") +
         " ORDER BY " + keys + " LIMIT 1";
}

std::string joined_rows(const BoundStatistic& statistic) {
  std::string rows = view_name(statistic.table);
  for (const BoundJoin& join : statistic.joins) rows = with_join(rows, join);
  return rows;
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

std::string weighted_argument(const Argument& argument, bool functions) {
  const std::string weight = called_argument(weight_alone(*argument.weight), functions);
  if (argument.is_number) return called_argument(without_weight(argument), functions) + " * " + weight;
  return "CASE WHEN " + query::rendered(argument.expression) + " IS NOT NULL THEN " + whole(argument.weight->total) +
         " * " + weight + " END";
}

}  // namespace vernier::plan
