#include <algorithm>

#include "vernier/plan/bind/bind.hpp"
#include "vernier/query/made.hpp"
#include "vernier/query/per_unit.hpp"

// What a statement sees of the tables that it joins.
namespace vernier::plan {

std::vector<query::Column> BoundJoin::brought() const {
  std::vector<query::Column> columns;
  if (kind == query::JoinKind::having || kind == query::JoinKind::lacking) return columns;
  const auto last = is_lookup() ? right.end() : right.begin() + 1;
  std::copy_if(table.columns.begin(), table.columns.end(), std::back_inserter(columns), [&](const query::Column& one) {
    return std::none_of(right.begin(), last, [&](const query::Column& key) { return key.name == one.name; });
  });
  return columns;
}

namespace {

bool meets_units(const BoundJoin& join) { return join.kind == query::JoinKind::by_unit; }

bool has_units_met(const JoinedTables& joined) {
  return std::any_of(joined.joins.begin(), joined.joins.end(), meets_units);
}

// Of a catalog, as statements see it.
Result<query::Table> right_of(const query::Join& join, const query::Catalog& catalog) {
  const bool may_be_protected = join.kind != query::JoinKind::lookup;
  const query::Table* const other = may_be_protected ? catalog.table(join.table) : nullptr;
  if (other != nullptr) return query::seen(*other);
  const query::Table* const open = join.kind == query::JoinKind::by_unit ? nullptr : catalog.public_table(join.table);
  if (open != nullptr) return *open;
  return invalid("the catalog has no " + std::string(may_be_protected ? "" : "public ") + "table '" + join.table + "'");
}

// Rows of protected tables meet by their units.
Result<void> check_units(const query::Table& left, const query::Table& right, const query::Join& join) {
  if (right.is_public) return {};
  const bool is_by_unit =
      left.unit && right.unit && join.columns.front() == *left.unit && join.right_columns().front() == *right.unit;
  if (is_by_unit) return {};
  return invalid("rows of the tables '" + left.name + "' and '" + right.name + "' can meet by their units alone",
                 "join them by equality of their units");
}

Result<BoundJoin> bound_join(const query::Table& left, const query::Table& right, const query::Join& join) {
  if (join.columns.empty()) return invalid("a join needs the columns of USING");
  if (std::string fault = query::fault_of_join(left, right, join); !fault.empty()) return invalid(std::move(fault));
  VERNIER_TRY(check_units(left, right, join));
  BoundJoin bound{right, {}, {}, join.keeps_all, join.kind, {}, join.filter};
  for (const std::string& name : join.columns) bound.left.push_back(*left.column(name));
  for (const std::string& name : join.right_columns()) bound.right.push_back(*right.column(name));
  for (const query::Column& one : query::brought_by(left, right, join)) bound.names.push_back(one.name);
  return bound;
}

}  // namespace

namespace {

// `rights` are what the joins name, as statements see it.
Result<JoinedTables> joined_with(const query::Table& table, const std::vector<query::Join>& joins,
                                 const std::vector<query::Table>& rights) {
  JoinedTables made{query::seen(table), {}};
  for (std::size_t i = 0; i < joins.size(); ++i) {
    const query::Join& join = joins[i];
    const query::Table& right = rights[i];
    VERNIER_TRY(BoundJoin bound, bound_join(made.table, right, join));
    made.table = query::joined(std::move(made.table), right, join);
    made.joins.push_back(std::move(bound));
  }
  // What is declared of the rows of one table is not so of those that several make.
  if (has_units_met(made)) made.table.weight.reset(), made.table.sampled.reset();
  return made;
}

}  // namespace

Result<JoinedTables> join_tables(const query::Table& table, const std::vector<query::Join>& joins,
                                 const query::Catalog& catalog) {
  std::vector<query::Table> rights;
  for (const query::Join& join : joins) {
    VERNIER_TRY(query::Table right, right_of(join, catalog));
    rights.push_back(std::move(right));
  }
  return joined_with(table, joins, rights);
}

Result<JoinedTables> rows_of_part(const query::MadePart& part) {
  std::vector<query::Table> rights;
  for (const query::Table& other : part.others) rights.push_back(other.is_public ? other : query::seen(other));
  VERNIER_TRY(JoinedTables made, joined_with(part.table, part.joins, rights));
  if (!part.per_unit) return made;
  VERNIER_TRY(made.per_unit, bind_per_unit(*part.per_unit, made.table));
  return made;
}

namespace {

// That each row is of one unit, and names it.
Result<void> check_made(const query::Table& table) {
  if (!table.made) return {};
  for (const query::MadePart& part : table.made->parts) {
    VERNIER_TRY(check_made(part.table));
    for (const query::Table& other : part.others) {
      VERNIER_TRY(check_made(other));
    }
    VERNIER_TRY(const JoinedTables rows, rows_of_part(part));
    const query::Expression& first = part.columns.front().expression;
    const bool is_of_unit =
        rows.table.unit && first.operation() == query::Operation::column && first.column_name() == *rows.table.unit;
    if (!is_of_unit) return invalid("the rows of '" + table.name + "' do not name their unit first");
  }
  return {};
}

// Whether rows of several tables meet in it, so that it may have more of them than these have.
bool has_units_met_inside(const query::Table& table) {
  if (!table.made) return false;
  return std::any_of(table.made->parts.begin(), table.made->parts.end(), [](const query::MadePart& part) {
    return has_units_met_inside(part.table) ||
           std::any_of(part.joins.begin(), part.joins.end(),
                       [](const query::Join& join) { return join.kind == query::JoinKind::by_unit; });
  });
}

}  // namespace

Result<JoinedTables> tables_of(const query::Query& query, const query::Table& table, const query::Catalog& catalog) {
  for (const query::MadeTable& one : query.made) {
    VERNIER_TRY(check_made(one.table));
  }
  VERNIER_TRY(JoinedTables made, join_tables(table, query.joins, catalog));
  if (!query.per_unit) return made;
  VERNIER_TRY(made.per_unit, bind_per_unit(*query.per_unit, made.table));
  made.table = query::per_unit_table(*query.per_unit, made.table);
  return made;
}

query::Table limited(const JoinedTables& joined, std::int64_t max_rows) {
  query::Table table = joined.table;
  if (!has_units_met(joined) && !has_units_met_inside(joined.table)) return table;
  const Int128 most = Int128{table.row_limit} * max_rows;
  table.row_limit = static_cast<std::int64_t>(std::min(most, Int128{query::greatest_row_limit}));
  return table;
}

Result<void> check_population(const query::Inference& inference, const query::Table& table,
                              const JoinedTables& joined) {
  const bool has_own_rows = !has_units_met(joined) && !joined.per_unit && !table.made;
  if (!inference.of_population || has_own_rows || !(table.weight || table.sampled)) return {};
  return invalid("asks for a population by rows that are made of others, and the " +
                     std::string(table.weight ? "weight" : "sampled") + " of '" + table.name +
                     "' is declared of its own rows alone",
                 "ask for it of one table, or leave out the population");
}

namespace {

// Without the column that statements see in addition.
query::Table declared(query::Table table) {
  if (table.via && table.columns.back().name == table.via->is) table.columns.pop_back();
  return table;
}

void add(std::vector<query::Table>& tables, query::Table table) {
  if (table.made) {
    for (query::Table& one : query::sources_of(table)) {
      if (!one.is_public) add(tables, std::move(one));
    }
    return;
  }
  for (const query::Table& owner : query::owners_of(table)) add(tables, owner);
  const auto is_it = [&](const query::Table& one) { return one.name == table.name; };
  if (std::none_of(tables.begin(), tables.end(), is_it)) tables.push_back(std::move(table));
}

}  // namespace

query::Table own_table(const BoundStatistic& statistic) {
  query::Table own = statistic.per_unit ? statistic.per_unit->table : statistic.table;
  for (const BoundJoin& join : statistic.joins) own.columns.resize(own.columns.size() - join.brought().size());
  return declared(std::move(own));
}

std::vector<query::Table> protected_tables(const BoundStatistic& statistic) {
  std::vector<query::Table> tables;
  const query::Table own = own_table(statistic);
  if (own.made) add(tables, own);
  if (!own.made) tables.push_back(own);
  for (const query::Table& owner : query::owners_of(own)) add(tables, owner);
  for (const BoundJoin& join : statistic.joins) {
    if (!join.table.is_public) add(tables, declared(join.table));
  }
  return tables;
}

namespace {

void add_joins_of(std::vector<BoundJoin>& all, const query::Table& table) {
  if (!table.made) return;
  for (const query::MadePart& part : table.made->parts) {
    add_joins_of(all, part.table);
    const Result<JoinedTables> rows = rows_of_part(part);
    if (!rows) continue;  // none that was bound
    for (const BoundJoin& join : rows->joins) {
      add_joins_of(all, join.table);
      all.push_back(join);
    }
  }
}

}  // namespace

std::vector<BoundJoin> all_joins(const BoundStatistic& statistic) {
  std::vector<BoundJoin> all;
  add_joins_of(all, own_table(statistic));
  for (const BoundJoin& join : statistic.joins) {
    add_joins_of(all, join.table);
    all.push_back(join);
  }
  return all;
}

}  // namespace vernier::plan
