#include "vernier/query/made.hpp"

#include <algorithm>

#include "vernier/query/expression/moment.hpp"
#include "vernier/query/per_unit.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::query {
namespace {

bool is_null(const Key& key) { return key.expression.operation() == Operation::null; }

// ---- columns of one type

Result<Key> as_real(Key key) {
  VERNIER_TRY(key.expression, cast(key.expression, Type::real));
  return key;
}

Result<void> make_alike(Key& first, Key& other) {
  if (is_null(first) && !is_null(other) && !is_instant(other.expression))
    first.expression = null_of(other.expression.type());
  if (is_null(other) && !is_instant(first.expression)) other.expression = null_of(first.expression.type());
  const Type one = first.expression.type(), two = other.expression.type();
  const bool are_alike = one == two && is_instant(first.expression) == is_instant(other.expression);
  if (are_alike) return {};
  const auto is_number = [](Type type) { return type == Type::integer || type == Type::real; };
  const bool is_mixed = is_number(one) && is_number(two) && one != two;
  if (!is_mixed) {
    return invalid("the column \"" + first.name + "\" is of type " + std::string(name_of(one)) +
                       " in one part of a UNION and of type " + std::string(name_of(two)) + " in another",
                   "write CAST, so that both have one type");
  }
  VERNIER_TRY(Key made, as_real(one == Type::integer ? first : other));
  (one == Type::integer ? first : other) = std::move(made);
  return {};
}

Result<void> make_all_alike(std::vector<MadePart>& parts) {
  for (int round = 0; round < 2; ++round) {  // the first part may change with a later one
    for (MadePart& part : parts) {
      if (part.columns.size() != parts.front().columns.size()) {
        return invalid("the parts of a UNION have different numbers of columns", "select as many in each of them");
      }
      for (std::size_t i = 0; i < part.columns.size(); ++i) {
        VERNIER_TRY(make_alike(parts.front().columns[i], part.columns[i]));
        part.columns[i].name = parts.front().columns[i].name;
      }
    }
  }
  return {};
}

// ---- columns of the table

// Of both parts.
void widen(Column& column, const Column& other) {
  const bool has_both = column.range && other.range;
  if (!has_both) column.range.reset();
  if (has_both)
    column.range =
        Range{std::min(column.range->lower, other.range->lower), std::max(column.range->upper, other.range->upper)};
  column.granularity = std::min(column.granularity, other.granularity);
  column.has_granularity = column.has_granularity && other.has_granularity;
  column.never_null = column.never_null && other.never_null;
  if (other.rest != column.rest) column.rest.reset();
  if (column.keys.empty() || other.keys.empty()) return column.keys.clear();
  for (const Value& key : other.keys) {
    if (std::find(column.keys.begin(), column.keys.end(), key) == column.keys.end()) column.keys.push_back(key);
  }
}

// Of a literal: the one key that there is.
Column column_of(const Key& key, const Table& rows) {
  if (is_instant(key.expression)) return made_column({ticks_of(key.expression), key.name}, rows);
  Column made = made_column(key, rows);
  const bool is_key = key.expression.operation() == Operation::literal && key.expression.type() != Type::real;
  if (is_key) made.keys = {key.expression.value()};
  return made;
}

std::vector<Column> columns_of(const MadeRows& rows) {
  std::vector<Column> made;
  for (const Key& key : rows.parts.front().columns) made.push_back(column_of(key, rows_of(rows.parts.front())));
  for (std::size_t part = 1; part < rows.parts.size(); ++part) {
    const Table own = rows_of(rows.parts[part]);
    for (std::size_t i = 0; i < made.size(); ++i) widen(made[i], column_of(rows.parts[part].columns[i], own));
  }
  return made;
}

// Without a group of its own, what a unit has in all is one row.
bool has_one_row(const MadePart& part) { return part.per_unit && part.per_unit->keys.size() == 1; }

// Of one unit each part may have what its table may, so that parts count as they would alone.
std::optional<std::int64_t> limit_of(const MadeRows& rows, std::optional<std::int64_t> Table::*limit) {
  const MadePart& first = rows.parts.front();
  if (rows.parts.size() == 1 && !has_one_row(first)) return first.table.*limit;
  std::int64_t all = 0;
  for (const MadePart& part : rows.parts) all += has_one_row(part) ? 1 : (part.table.*limit).value_or(1);
  return std::min(all, greatest_max_groups);
}

std::int64_t row_limit_of(const MadeRows& rows) {
  std::int64_t most = 0;
  for (const MadePart& part : rows.parts) most = std::min(most + part.table.row_limit, greatest_row_limit);
  return most;
}

Result<void> check_units(const std::vector<MadePart>& parts) {
  for (const MadePart& part : parts) {
    const Table rows = rows_of(part);
    const bool is_of_units = rows.unit && !part.columns.empty() &&
                             part.columns.front().expression.operation() == Operation::column &&
                             part.columns.front().expression.column_name() == *rows.unit;
    if (!is_of_units) return invalid("rows that a statement makes name their unit first");
  }
  return {};
}

}  // namespace

Result<Table> made_table(const std::string& name, MadeRows rows) {
  if (rows.parts.empty()) return invalid("rows that a statement makes are made of none");
  VERNIER_TRY(check_units(rows.parts));
  VERNIER_TRY(make_all_alike(rows.parts));
  VERNIER_TRY(check_units(rows.parts));  // a unit that had to be cast is none
  Table made;
  made.name = name;
  made.neighbours = rows.parts.front().table.neighbours;
  made.unit = rows.parts.front().columns.front().name;
  made.row_limit = row_limit_of(rows);
  made.columns = columns_of(rows);
  made.max_groups = limit_of(rows, &Table::max_groups);
  made.max_rows = limit_of(rows, &Table::max_rows);
  for (const Key& key : rows.parts.front().columns) {
    if (is_instant(key.expression))
      made.expressions.push_back({key.name, "MAKE_TIMESTAMP(" + quoted_identifier(key.name) + ")", {}, {}, {}});
  }
  made.made = std::make_shared<const MadeRows>(std::move(rows));
  return made;
}

Table rows_of(const MadePart& part) {
  Table rows = seen(part.table);
  for (std::size_t i = 0; i < part.joins.size(); ++i) {
    const Table right = part.others[i].is_public ? part.others[i] : seen(part.others[i]);
    rows = joined(std::move(rows), right, part.joins[i]);
  }
  return part.per_unit ? per_unit_table(*part.per_unit, rows) : rows;
}

Catalog with_made(const Catalog& catalog, const std::vector<MadeTable>& made) {
  Catalog all = catalog;
  for (const MadeTable& one : made) all.tables.push_back(one.table);
  return all;
}

std::vector<Table> sources_of(const Table& table) {
  if (!table.made) return {table};
  std::vector<Table> all;
  for (const MadePart& part : table.made->parts) {
    for (Table& one : sources_of(part.table)) all.push_back(std::move(one));
    for (const Table& other : part.others) {
      for (Table& one : sources_of(other)) all.push_back(std::move(one));
    }
  }
  return all;
}

std::optional<Origin> origin_of(const Table& table, const std::string& column) {
  if (!table.made) return Origin{&table, column};
  if (table.made->parts.size() != 1) return std::nullopt;
  const MadePart& part = table.made->parts.front();
  const auto key =
      std::find_if(part.columns.begin(), part.columns.end(), [&](const Key& one) { return one.name == column; });
  if (key == part.columns.end() || key->expression.operation() != Operation::column) return std::nullopt;
  std::string name = key->expression.column_name();
  if (part.per_unit) {
    const auto& keys = part.per_unit->keys;
    const auto grouped = std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return one.name == name; });
    if (grouped == keys.end() || grouped->expression.operation() != Operation::column) return std::nullopt;
    name = grouped->expression.column_name();
  }
  return seen(part.table).column(name) == nullptr ? std::nullopt : origin_of(part.table, name);
}

bool operator==(const MadeTable& a, const MadeTable& b) {
  return a.table.name == b.table.name && canonical(*a.table.made) == canonical(*b.table.made);
}

}  // namespace vernier::query
