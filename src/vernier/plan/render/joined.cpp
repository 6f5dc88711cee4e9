#include "vernier/plan/render/joined.hpp"

#include "vernier/plan/render/rows.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/expression/text_sql.hpp"

namespace vernier::plan {

using query::Dialect;
using query::Type;

// A day that no date of a catalog is, infinite ones among them, has no number on some engines: it is nobody.
std::string identity(const query::Column& column, const Dialect& in) {
  query::Column plain = column;
  plain.range.reset();
  if (plain.type == Type::date) return query::rendered(query::column(plain), in);
  const std::string name = in.identifier(column.name);
  return plain.type == Type::string ? query::text_column(name, in) : name;
}

std::vector<std::string> keys_of(const std::vector<query::Column>& columns, const Dialect& in) {
  std::vector<std::string> keys;
  for (const query::Column& column : columns) keys.push_back(query::rendered_output(query::column(column), in));
  return keys;
}

std::string key_name(std::size_t i, const Dialect& in) { return in.identifier(numbered(" key ", i)); }
std::string value_name(std::size_t i, const Dialect& in) { return in.identifier(numbered(" value ", i)); }

std::string source_rows(const query::Table& table, const Dialect& in) {
  if (table.made) return made_rows(table, in);
  if (table.source.kind != query::SourceKind::table) return in.identifier("table " + table.name);
  std::vector<std::string> columns, parts;
  for (const query::Column& column : table.columns) {
    const std::string name = in.identifier(column.name);
    columns.push_back(query::cast_to(in.type(column.type), name) + " AS " + name);
  }
  for (const std::string& part : table.source.table) parts.push_back(in.identifier(part));
  return "(SELECT " + joined(columns) + " FROM " + joined(parts, ".") + ")";
}

namespace {

// Which units own which keys, each pair once.
std::string owners_of_keys(const query::Via& via, const Dialect& in) {
  const query::Table owner = query::seen(*via.owner);
  const std::string key = identity(*owner.column(via.key), in), unit = identity(*owner.column(via.is), in);
  return "(SELECT DISTINCT " + key + " AS " + in.identifier(" key") + ", " + unit + " AS " + in.identifier(" unit") +
         " FROM " + owned_rows(*via.owner, in) + " AS " + in.identifier(" owned") + " WHERE " + key +
         " IS NOT NULL AND " + unit + " IS NOT NULL)";
}

std::string in_table(const char* table, const std::string& column, const Dialect& in) {
  return in.identifier(table) + "." + column;
}

}  // namespace

std::string owned_rows(const query::Table& declared, const Dialect& in) {
  const std::string rows = source_rows(declared, in);
  if (!declared.via) return rows;
  const query::Via& via = *declared.via;
  return "(SELECT " + in_table(" row", "*", in) + ", " + in_table(" owner", in.identifier(" unit"), in) + " AS " +
         in.identifier(via.is) + " FROM " + rows + " AS " + in.identifier(" row") + " JOIN " + owners_of_keys(via, in) +
         " AS " + in.identifier(" owner") + " ON " + identity(*declared.column(via.by), in) + " = " +
         in_table(" owner", in.identifier(" key"), in) + ")";
}

namespace {

query::Table declared(query::Table table) {
  if (table.via && table.columns.back().name == table.via->is) table.columns.pop_back();
  return table;
}

// What must be equal in two protected tables names something: a unit, an order.
std::vector<std::string> identities(const std::vector<query::Column>& columns, const Dialect& in) {
  std::vector<std::string> keys;
  for (const query::Column& column : columns) keys.push_back(identity(column, in));
  return keys;
}

std::vector<std::string> named_as(std::vector<std::string> values, std::string (*name)(std::size_t, const Dialect&),
                                  const Dialect& in) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i].append(" AS ").append(name(i, in));
  return values;
}

std::vector<std::string> brought_columns(const BoundJoin& join, const Dialect& in) {
  std::vector<std::string> columns;
  for (const query::Column& one : join.brought()) columns.push_back(in.identifier(one.name));
  return columns;
}

// Which keys are there, each once.
std::string found_rows(const BoundJoin& join, const Dialect& in) {
  const std::vector<std::string> keys = join.table.is_public ? keys_of(join.right, in) : identities(join.right, in);
  const std::string filter = join.filter ? " WHERE " + query::rendered(*join.filter, in) : "";
  return "SELECT DISTINCT " + joined(named_as(keys, key_name, in)) + " FROM " + owned_rows(declared(join.table), in) +
         " AS " + in.identifier(" found") + filter;
}

bool brings_nothing(const BoundJoin& join) {
  return join.kind == query::JoinKind::having || join.kind == query::JoinKind::lacking;
}

std::string right_rows(const BoundJoin& join, const Dialect& in) {
  if (brings_nothing(join)) return found_rows(join, in);
  return join.is_lookup() ? public_rows(join, in) : unit_rows(join, in);
}

std::string condition(const BoundJoin& join, const Dialect& in) {
  std::vector<std::string> pairs = join.table.is_public ? keys_of(join.left, in) : identities(join.left, in);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].append(" = ").append(in_table(" right", key_name(i, in), in));
  return joined(pairs, " AND ");
}

}  // namespace

std::string with_join(const std::string& rows, const BoundJoin& join, const Dialect& in) {
  const std::string left = in.identifier(" left"), right = in.identifier(" right");
  std::vector<std::string> columns{left + ".*"};
  const std::vector<query::Column> brought = join.brought();
  for (std::size_t i = 0; i < brought.size(); ++i) {
    const std::string& name = join.names.empty() ? brought[i].name : join.names[i];
    columns.push_back(right + "." + value_name(i, in) + " AS " + in.identifier(name));
  }
  const bool is_lacking = join.kind == query::JoinKind::lacking;
  const std::string none = is_lacking ? " WHERE " + in_table(" right", key_name(0, in), in) + " IS NULL" : "";
  return "(SELECT " + joined(columns) + " FROM " + rows + " AS " + left +
         (join.keeps_all || is_lacking ? " LEFT" : "") + " JOIN (" + right_rows(join, in) + ") AS " + right + " ON " +
         condition(join, in) + none + ")";
}

std::string unit_rows(const BoundJoin& join, const Dialect& in) {
  std::vector<std::string> columns = named_as(identities(join.right, in), key_name, in);
  for (const std::string& one : named_as(brought_columns(join, in), value_name, in)) columns.push_back(one);
  const std::string filter = join.filter ? " WHERE " + query::rendered(*join.filter, in) : "";
  return "SELECT " + joined(columns) + " FROM " + owned_rows(declared(join.table), in) + " AS " +
         in.identifier(" met") + filter;
}

std::string joined_rows(const BoundStatistic& statistic, const Dialect& in) {
  std::string rows = owned_rows(own_table(statistic), in);
  for (const BoundJoin& join : statistic.joins) rows = with_join(rows, join, in);
  if (statistic.per_unit) rows = per_unit_rows(rows, *statistic.query.per_unit, *statistic.per_unit, in);
  return rows + " AS s";
}

}  // namespace vernier::plan
