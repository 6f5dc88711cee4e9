#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/tables/description.hpp"
#include "vernier/table/targets.hpp"

namespace vernier::plan {
namespace {

using query::Expression;
using query::Operation;
using query::TableSet;
using query::Value;
using table::Columns;

// Contrasts of a table are whole numbers of 64 bits, with room for noise.
constexpr double greatest_contrast = 0x1p61;

std::string in_marks(const std::string& name) { return "'" + name + "'"; }

// ---- which rows

// How many rows of a unit count, in the whole table: 1 where every row is one, or rows are made of all that a unit has.
std::int64_t rows_of_unit(const TableSet& asked, const query::Query& query, const query::Table& table) {
  if (!table.unit || (query.per_unit && query.per_unit->keys.size() == 1)) return 1;
  return asked.max_rows.value_or(1);
}

// ---- columns

// The place of a row's key among the column's: n, behind all of them, for what is none, or NULL for that.
Result<Expression> code_of(const Expression& key, const std::vector<Value>& values, bool has_rest) {
  std::vector<Expression> operands;
  for (std::size_t i = 0; i < values.size(); ++i) {
    VERNIER_TRY(Expression is_it, query::apply(Operation::equal, {key, query::literal(values[i])}));
    operands.push_back(std::move(is_it));
    operands.push_back(query::literal(Value(static_cast<std::int64_t>(i))));
  }
  operands.push_back(has_rest ? query::literal(Value(static_cast<std::int64_t>(values.size())))
                              : query::null_of(query::Type::integer));
  return query::apply(Operation::case_when, std::move(operands));
}

// Whether the condition says that the value, a column's, is one of its declared keys.
bool is_declared(const Expression& condition, const Expression& value, const query::Table& table) {
  if (value.operation() != Operation::column) return false;
  if (condition.operation() != Operation::in || !(condition.operands().front() == value)) return false;
  const std::vector<Value>& keys = table.column(value.column_name())->keys;
  return std::all_of(condition.operands().begin() + 1, condition.operands().end(), [&](const Expression& one) {
    return one.operation() == Operation::literal && std::ranges::find(keys, one.value()) != keys.end();
  });
}

// What a row can be, beside one of the public values of a key.
struct Beside {
  bool null = false, undeclared = false;
  Beside operator|(const Beside& other) const { return {null || other.null, undeclared || other.undeclared}; }
};

Beside beside(const Expression& key, const query::Table& table);

// A branch that is taken for some of the declared keys alone is one of them: what a catalog declares for the rest.
Beside beside_branches(const Expression& choice, const query::Table& table) {
  const auto& operands = choice.operands();
  Beside found = beside(operands.back(), table);
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    if (!is_declared(operands[i], operands[i + 1], table)) found = found | beside(operands[i + 1], table);
  }
  return found;
}

// The first that is not NULL.
Beside beside_first(const Expression& choice, const query::Table& table) {
  Beside found{.null = true};
  for (const Expression& one : choice.operands()) {
    const Beside here = beside(one, table);
    found = {found.null && here.null, found.undeclared || here.undeclared};
  }
  return found;
}

Beside beside_any(const Expression& key, const query::Table& table) {
  switch (key.operation()) {
    case Operation::case_when:
      return beside_branches(key, table);
    case Operation::coalesce:
      return beside_first(key, table);
    case Operation::null_if:
      return beside(key.operands().front(), table) | Beside{.null = true};
    case Operation::column:
      return {key.nullable(), !table.column(key.column_name())->keys.empty()};
    default:
      return {key.nullable(), false};
  }
}

// Both truth values are public where a column does not declare one of them alone.
Beside beside(const Expression& key, const query::Table& table) {
  Beside found = beside_any(key, table);
  if (key.type() == query::Type::boolean && key.operation() != Operation::column) found.undeclared = false;
  return found;
}

// Whether a row can have no key of the column.
bool can_be_none(const Expression& key, const query::Table& table) {
  const Beside found = beside(key, table);
  return found.null || found.undeclared;
}

Result<TableColumn> bind_column(query::Key& key, const query::Table& table, const std::optional<std::string>& rest) {
  VERNIER_TRY(const auto values, public_values(key.expression, table));
  if (!values || values->empty()) {
    return invalid("needs public keys for its columns, and " + in_marks(key.name) + " has none",
                   "declare its keys in the catalog, or write BUCKET(x, 10) of a column with bounds");
  }
  TableColumn column{key.name, {}};
  for (const Value& value : *values) column.keys.push_back(query::text_of(value));
  const bool has_rest = rest && can_be_none(key.expression, table);
  if (has_rest && std::ranges::find(column.keys, *rest) != column.keys.end()) {
    return invalid("calls what has no declared key " + in_marks(*rest) + ", which is a key of " + in_marks(key.name),
                   "write another name behind rest");
  }
  constexpr std::size_t many = 1000;  // that many are always told apart
  Result<Expression> code = code_of(key.expression, *values, has_rest);
  if (!code && values->size() > many) {
    return invalid("has " + std::to_string(values->size()) + " keys of " + in_marks(key.name) +
                       ", more than one statement can tell apart",
                   "take wider buckets, or declare fewer keys");
  }
  VERNIER_TRY(key.expression, std::move(code));
  if (has_rest) column.keys.push_back(*rest);
  return column;
}

Result<std::vector<TableColumn>> bind_columns(const TableSet& asked, query::Query& query, const query::Table& table) {
  if (query.keys.size() != asked.columns.size()) {
    return invalid("has columns that are no single column or expression each; write one in each place of the list");
  }
  std::vector<TableColumn> columns;
  std::set<std::string> names;
  for (query::Key& key : query.keys) {
    if (!names.insert(fold_case(key.name)).second) {
      return invalid("has two columns called " + in_marks(key.name) + "; write AS behind one of them");
    }
    VERNIER_TRY(TableColumn column, bind_column(key, table, asked.rest));
    columns.push_back(std::move(column));
  }
  return columns;
}

// ---- which tables

Result<Columns> places_of(const std::vector<std::string>& names, const std::vector<TableColumn>& columns) {
  Columns places;
  std::vector<std::string> known;
  for (const TableColumn& column : columns) known.push_back(column.name);
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(known, [&](const auto& one) { return fold_case(one) == fold_case(name); });
    if (found == known.end()) return invalid("has no column " + in_marks(name) + suggestion(name, known));
    places.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  std::ranges::sort(places);
  return places;
}

Result<table::Lattice> bind_lattice(const TableSet& asked, const std::vector<TableColumn>& columns) {
  std::vector<std::int64_t> keys;
  for (const TableColumn& column : columns) keys.push_back(static_cast<std::int64_t>(column.keys.size()));
  std::vector<Columns> tables;
  if (asked.up_to) {
    VERNIER_TRY(tables, table::all_up_to(columns.size(), static_cast<std::size_t>(*asked.up_to)));
  }
  for (const std::vector<std::string>& names : asked.tables) {
    VERNIER_TRY(Columns places, places_of(names, columns));
    tables.push_back(std::move(places));
  }
  Result<table::Lattice> lattice = table::Lattice::of(std::move(keys), std::move(tables));
  if (!lattice) return invalid(after("cannot be made: ", lattice.error()));
  return lattice;
}

Result<void> check_contrasts(const table::Lattice& lattice, std::int64_t row_limit) {
  for (const Columns& set : lattice.residuals()) {
    if (static_cast<double>(lattice.cells(set)) * static_cast<double>(row_limit) <= greatest_contrast) continue;
    return invalid("has tables of " + std::to_string(set.size()) +
                       " columns whose cells times the row limit of the catalog are more than 2^61",
                   "lower up_to, take wider buckets, or declare a smaller row_limit");
  }
  return {};
}

// ---- accuracies

bool applies(const query::TableTarget& target, const Columns& table, const std::optional<Columns>& named) {
  if (target.order) return static_cast<std::size_t>(*target.order) == table.size();
  return !named || *named == table;
}

// For each table the accuracy that is wanted, rounded down; all tables have one, or none has.
Result<std::vector<double>> bind_targets(const TableSet& asked, const std::vector<TableColumn>& columns,
                                         const table::Lattice& lattice) {
  if (asked.accuracy.empty()) return std::vector<double>();
  std::vector<double> wanted(lattice.tables().size(), 0);
  for (const query::TableTarget& target : asked.accuracy) {
    std::optional<Columns> named;
    if (target.table) {
      VERNIER_TRY(named, places_of(*target.table, columns));
    }
    bool is_used = false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!applies(target, lattice.tables()[i], named)) continue;
      wanted[i] = target.accuracy.round_down();
      is_used = true;
    }
    if (!is_used) return invalid("states the accuracy of a table that it has not; name one of its tables");
  }
  if (std::ranges::find(wanted, 0.0) == wanted.end()) return wanted;
  return invalid("states the accuracy of some of its tables, and not of all",
                 "write " + toml("accuracy = 50") + " for all, or name every order or table");
}

std::int64_t cells_of(const table::Lattice& lattice) {
  std::int64_t cells = 0;
  for (const Columns& set : lattice.tables()) cells += lattice.cells(set);
  return cells;
}

// All intervals hold at once where each misses with its part of alpha.
Result<Alpha> level_in(const BoundTables& tables, Alpha alpha) {
  if (!tables.is_simultaneous) return alpha;
  return Alpha::of(alpha.value() / static_cast<double>(cells_of(*tables.lattice)) * (1 - 0x1p-50));
}

table::Design even_design(query::Evenness even, const table::Lattice& lattice) {
  std::vector<double> ones(lattice.tables().size(), 1.0);
  if (even == query::Evenness::cells) return table::design_for(lattice, ones);
  for (std::size_t i = 0; i < ones.size() && even == query::Evenness::total; ++i) {
    ones[i] = static_cast<double>(lattice.cells(lattice.tables()[i]));
  }
  return table::design_of_least_sum(lattice, ones);
}

// Accuracies that reaches can have.
std::vector<double> reachable_targets(const BoundTables& tables) {
  std::vector<double> found = tables.targets;
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i] = table::whole_steps(found[i], tables.lattice->cells(tables.lattice->tables()[i]));
  return found;
}

// What the variances of cells may be without promising less: those that fill the accuracies; or the largest; or they
// themselves, where a weighted sum of them is least.
std::vector<double> bounds_of(const BoundTables& tables, const PlannedTables& planned,
                              const std::vector<double>& variances) {
  if (!tables.targets.empty()) return table::filled(variances, planned.accuracies, reachable_targets(tables));
  if (tables.even != query::Evenness::cells) return variances;
  return std::vector<double>(variances.size(), *std::ranges::max_element(variances));
}

}  // namespace

double gap_of(const BoundTables& tables, const PlannedTables& planned) {
  const std::vector<double> variances = table::squares_of(*tables.lattice, planned.laws);
  const std::vector<double> cells = table::table_variances(*tables.lattice, variances);
  const auto& multipliers = planned.multipliers;
  const bool is_dual = multipliers.size() == cells.size() &&
                       std::ranges::all_of(multipliers, [](double one) { return one >= 0 && std::isfinite(one); }) &&
                       std::ranges::any_of(multipliers, [](double one) { return one > 0; });
  if (!is_dual) return std::numeric_limits<double>::infinity();
  const double least = table::least_cost(*tables.lattice, multipliers, bounds_of(tables, planned, cells));
  return std::max(table::cost_of(*tables.lattice, variances) / least - 1, 0.0);
}

Result<void> design_tables(BoundTables& tables, Alpha alpha) {
  VERNIER_TRY(tables.level, level_in(tables, alpha));
  tables.scale.reset();
  tables.stated.reset();
  if (tables.targets.empty()) {
    const table::Design design = even_design(tables.even, *tables.lattice);
    tables.design = table::scaled(design, design.cost);
    return {};
  }
  const Result<table::Design> found = table::design_within(*tables.lattice, tables.targets, tables.level);
  if (!found) return invalid(after("cannot be so accurate: ", found.error()));
  tables.scale = 1 / std::sqrt(found->cost);
  tables.design = table::scaled(*found, found->cost);
  return {};
}

Result<BoundTables> bind_tables(const TableSet& asked, const query::Query& query, const JoinedTables& joined,
                                Alpha alpha) {
  const std::int64_t rows = rows_of_unit(asked, query, joined.table);
  const query::Table table = limited(joined, rows);
  query::Query coded = query;
  VERNIER_TRY(auto columns, bind_columns(asked, coded, table));
  VERNIER_TRY(table::Lattice lattice, bind_lattice(asked, columns));
  VERNIER_TRY(check_contrasts(lattice, table.row_limit));
  VERNIER_TRY(auto targets, bind_targets(asked, columns, lattice));
  BoundStatistic counted{.name = asked.name,
                         .query = std::move(coded),
                         .table = table,
                         .contribution = {rows, rows},
                         .weight = asked.weight,
                         .typical_rows = query::usual_typical_rows,
                         .keys = {false, {}},
                         .arguments = {},
                         .tallies = {{TallyKind::rows}},
                         .measurements = {},
                         .joins = joined.joins,
                         .per_unit = joined.per_unit};
  BoundTables made{.name = asked.name,
                   .counted = std::move(counted),
                   .sql = query::canonical(query),
                   .columns = std::move(columns),
                   .rest = asked.rest,
                   .lattice = std::make_shared<const table::Lattice>(std::move(lattice)),
                   .targets = std::move(targets),
                   .even = asked.even,
                   .weight = asked.weight,
                   .is_simultaneous = asked.is_simultaneous,
                   .level = alpha,
                   .design = {},
                   .scale = {}};
  VERNIER_TRY(design_tables(made, alpha));
  return made;
}

}  // namespace vernier::plan
