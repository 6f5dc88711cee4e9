#include <algorithm>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/plan/render/values.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::plan {

std::string StepsFunction::name() const {
  const std::string steps =
      joined({"steps", shortest(lower), shortest(upper), shortest(scale), std::to_string(origin)}, " ");
  if (!square) return steps;
  return joined({steps, square->is_from_above ? "squared above" : "squared below", std::to_string(square->steps),
                 std::to_string(square->fineness)},
                " ");
}

std::string BottomM::name() const {
  const std::string shape = numbered(numbered("bottom_m_", static_cast<std::size_t>(groups)) + "_", arguments);
  return numbered(shape + "_", static_cast<std::size_t>(most_rows));
}

std::vector<std::string> BottomM::fields() const {
  std::vector<std::string> names{"cell", "c"};
  for (std::size_t i = 0; i < arguments; ++i) {
    names.push_back(numbered("n", i));
    names.push_back(numbered("s", i));
  }
  return names;
}

std::string BottomValues::name() const { return numbered("bottom_values_", static_cast<std::size_t>(values)); }

std::string CellOf::name() const {
  std::string content;
  for (const std::vector<query::Value>& cell : cells) {
    for (const query::Value& key : cell) {
      const std::string text = query::text_of(key);
      content += numbered(query::name_of(query::type_of(key)), text.size()) + ":" + text;
    }
    content += ";";
  }
  return "cell_of_" + sha256(content).value_or(hex(content));
}

bool must_choose(const BoundStatistic& statistic) {
  return !statistic.keys.are_public || statistic.keys.groups().count > statistic.contribution.max_groups;
}

std::int64_t most_groups(const BoundStatistic& statistic) {
  const std::int64_t groups = statistic.contribution.max_groups;
  return statistic.keys.are_public ? std::min(groups, statistic.keys.groups().count) : groups;
}

bool can_use_bottom_m(const BoundStatistic& statistic) {
  if (has_distinct(statistic) || !statistic.histograms.empty()) return false;  // it has no place for a unit's values
  const auto& keys = statistic.query.keys;
  const bool is_integer = keys.size() == 1 && keys.front().expression.type() == query::Type::integer;
  const bool has_number = statistic.keys.are_public ? statistic.keys.cells.size() > 1 : is_integer;
  return has_number && most_groups(statistic) <= greatest_bottom_m;
}

BoundingForm fastest_form(const BoundStatistic& statistic) {
  return statistic.table.unit ? BoundingForm::bottom_m : BoundingForm::rows;
}

namespace {

bool is_grouped(const BoundStatistic& statistic) { return !statistic.query.keys.empty(); }

// The columns that say which group a row of a unit belongs to.
std::vector<std::string> group_columns(const BoundStatistic& statistic) {
  return statistic.keys.are_public ? std::vector<std::string>{"cell"} : numbered_list("k", statistic.query.keys.size());
}

// A tally is a BIGINT within ±2^62; moving it there brings no two numbers further apart.
std::string held(const std::string& tally) {
  const std::string end = whole(std::int64_t{1} << 62);
  const std::string other = whole(-(std::int64_t{1} << 62));
  return "CAST(CASE WHEN " + tally + " > " + end + " THEN " + end + " WHEN " + tally + " < " + other + " THEN " +
         other + " ELSE " + tally + " END AS BIGINT) AS " + tally;
}

std::vector<std::string> held_tallies(const BoundStatistic& statistic) {
  std::vector<std::string> columns;
  for (const std::string& tally : numbered_list("t", statistic.tallies.size())) columns.push_back(held(tally));
  return columns;
}

std::vector<std::string> behind(std::vector<std::string> front, const std::vector<std::string>& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

std::string grouped_by(const std::vector<std::string>& columns) {
  return columns.empty() ? "" : " GROUP BY " + joined(columns);
}

// ---- every row is a unit

std::string tally_of_rows(const Tally& tally) {
  switch (tally.kind) {
    case TallyKind::units:
    case TallyKind::rows:
      return "count(*)";
    case TallyKind::values:
      return "count(" + numbered("a", tally.argument) + ")";
    case TallyKind::distinct:
      return "count(DISTINCT " + numbered("a", tally.argument) + ")";
    case TallyKind::sum:
      break;
  }
  return "COALESCE(sum(" + numbered("a", tally.argument) + "), 0)";
}

// Keys are looked up after the rows were added up: there are few groups and many rows.
std::string render_rows(const BoundStatistic& statistic, bool functions) {
  const std::vector<std::string> keys = numbered_list("k", statistic.query.keys.size());
  std::vector<std::string> columns = keys;
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) {
    columns.push_back(tally_of_rows(statistic.tallies[i]) + " AS " + numbered("t", i));
  }
  columns = behind(columns, histograms_of_rows(statistic, functions));
  const std::string sums = "(SELECT " + joined(columns) + " FROM (" + counted_rows(statistic, functions) + ") AS r" +
                           grouped_by(keys) + ") AS g";
  const std::vector<std::string> tallies = behind(held_tallies(statistic), histogram_names(statistic));
  if (!statistic.keys.are_public) return "SELECT " + joined(behind(keys, tallies)) + " FROM " + sums;
  if (!is_grouped(statistic)) return "SELECT " + joined(behind({whole(0) + " AS cell"}, tallies)) + " FROM " + sums;
  return "SELECT " + joined(behind({"d.cell"}, tallies)) + " FROM " + sums + " JOIN " +
         declared_groups(statistic.keys) + " ON " + same_keys("g", keys.size());
}

// ---- units with many rows

// The rows with the number of their group; those of undeclared keys are gone.
std::string coded_rows(const BoundStatistic& statistic, bool functions) {
  const std::string rows = query::bracketed(counted_rows(statistic, functions)) + " AS r";
  if (!statistic.keys.are_public) return "SELECT * FROM " + rows;
  if (!is_grouped(statistic)) return "SELECT r.*, " + whole(0) + " AS cell FROM " + rows;
  return "SELECT r.*, d.cell FROM " + rows + " JOIN " + declared_groups(statistic.keys) + " ON " +
         same_keys("r", statistic.query.keys.size());
}

// Hashed twice: the engine's hash mixes only what came before its last argument.
std::string priority(const BoundStatistic& statistic) {
  const std::vector<std::string> secret{"CAST($1 AS BIGINT)", "CAST($2 AS BIGINT)"};
  return "hash(hash(" + joined(behind(behind({"u"}, group_columns(statistic)), secret)) + "))";
}

bool has_argument(TallyKind kind) { return kind == TallyKind::values || kind == TallyKind::sum; }

bool is_tallied(const BoundStatistic& statistic, std::size_t argument) {
  return std::any_of(statistic.tallies.begin(), statistic.tallies.end(),
                     [&](const Tally& tally) { return tally.argument == argument && has_argument(tally.kind); });
}

// What a unit has in a group: c rows, and of each argument n values with sum s.
std::vector<std::string> sums_of_unit(const BoundStatistic& statistic) {
  std::vector<std::string> columns{"count(*) AS c"};
  for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
    if (!is_tallied(statistic, i)) continue;
    const std::string argument = numbered("a", i);
    columns.push_back("count(" + argument + ") AS " + numbered("n", i));
    columns.push_back("sum(" + argument + ") AS " + numbered("s", i));
  }
  return columns;
}

std::string grouped_units(const BoundStatistic& statistic, bool functions) {
  const std::vector<std::string> groups = behind({"u"}, group_columns(statistic));
  const std::vector<std::string> values = behind(values_on_the_way(statistic, group_columns(statistic)),
                                                 values_of_unit(statistic, group_columns(statistic), functions));
  return "SELECT " + joined(behind(behind(groups, sums_of_unit(statistic)), values)) + " FROM c" + grouped_by(groups);
}

// With the group as second key of the order no two are equal, and the engine keeps to its fast way.
std::string numbered_units(const BoundStatistic& statistic) {
  return "SELECT g.*, row_number() OVER (PARTITION BY u ORDER BY " +
         joined(behind({priority(statistic)}, group_columns(statistic))) + ") AS place FROM g";
}

std::string window_form(const BoundStatistic& statistic, bool functions) {
  const std::vector<std::string> distinct = distinct_tables(statistic, group_columns(statistic));
  const std::string as = distinct.empty() ? " AS (" : " AS MATERIALIZED (";  // what is read twice is made once
  const std::string front =
      "WITH c" + as + coded_rows(statistic, functions) + "), g AS (" + grouped_units(statistic, functions) + "), ";
  std::string back = ")";
  for (const std::string& table : distinct) back.append(", ").append(table);
  if (!must_choose(statistic)) return front + "b AS (SELECT * FROM g" + back;
  return front + "w AS (" + numbered_units(statistic) + "), b" + as +
         "SELECT * FROM w WHERE place <= " + whole(statistic.contribution.max_groups) + back;
}

// The same without a join: the number of the group is NULL for undeclared keys, whose rows the aggregate leaves out.
std::string numbered_rows(const BoundStatistic& statistic, const CellOf& cell_of) {
  const std::string cell = cell_of.name() + "(" + joined(numbered_list("k", cell_of.types.size())) + ") AS cell";
  return "SELECT r.*, " + cell + " FROM (" + counted_rows(statistic, true) + ") AS r";
}

std::string bottom_m_form(const BoundStatistic& statistic, const Sql& sql) {
  const std::string rows = sql.cell_of ? numbered_rows(statistic, *sql.cell_of) : coded_rows(statistic, true);
  const std::string group = group_columns(statistic).front();
  const std::vector<std::string> arguments =
      behind({priority(statistic), group}, numbered_list("a", statistic.arguments.size()));
  const std::string z = sql.aggregate->name() + "(" + joined(arguments) + ") AS z";
  std::vector<std::string> fields = sql.aggregate->fields();
  fields.front() += " AS " + group;
  return "WITH c AS (" + rows + "), z AS (SELECT u, " + z +
         " FROM c GROUP BY u), e AS (SELECT unnest(z, recursive := true) FROM z), b AS (SELECT " + joined(fields) +
         " FROM e WHERE c > 0)";
}

std::string at_most(const std::string& count, std::int64_t rows) {
  return "COALESCE(sum(least(" + count + ", " + whole(rows) + ")), 0)";
}

// The unit's sum, or the part of it that as many values as count would have; s * rows has at most 93 bits.
std::string scaled_sum(const std::string& s, const std::string& n, std::int64_t rows) {
  const std::string part = "CAST(" + s + " AS HUGEINT) * " + whole(rows) + " // " + n;
  return "COALESCE(sum(CASE WHEN " + n + " <= " + whole(rows) + " THEN " + s + " ELSE " + part + " END), 0)";
}

// Of a distinct tally: where its value was found on the way.
std::string tally_of_units(const Tally& tally, std::int64_t rows) {
  const std::string values = numbered("n", tally.argument);
  switch (tally.kind) {
    case TallyKind::units:
      return "count(*)";
    case TallyKind::rows:
      return at_most("c", rows);
    case TallyKind::values:
      return at_most(values, rows);
    case TallyKind::distinct:
      return "count(DISTINCT " + numbered("value", tally.argument) + ")";
    case TallyKind::sum:
      break;
  }
  return scaled_sum(numbered("s", tally.argument), values, rows);
}

// `bounded` ends with a table b of what counts of each unit in each group.
std::string render_units(const BoundStatistic& statistic, const std::string& bounded, bool functions) {
  const std::vector<std::string> groups = group_columns(statistic);
  std::vector<std::string> columns = groups;
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) {
    const Tally& tally = statistic.tallies[i];
    if (tally.kind == TallyKind::distinct && !is_on_the_way(statistic)) continue;
    columns.push_back(tally_of_units(tally, statistic.contribution.max_rows) + " AS " + numbered("t", i));
  }
  columns = behind(columns, histograms_of_units(statistic, functions));
  const std::string sums = "(SELECT " + joined(columns) + " FROM b" + grouped_by(groups) + ")";
  const std::vector<std::string> held = behind(held_tallies(statistic), histogram_names(statistic));
  return bounded + " SELECT " + joined(behind(groups, held)) + " FROM " + with_distinct(statistic, groups, sums) +
         " AS f";
}

std::vector<query::Type> key_types(const BoundStatistic& statistic) {
  std::vector<query::Type> types;
  for (const query::Key& key : statistic.query.keys) types.push_back(key.expression.type());
  return types;
}

// Rows of which no sum leaves 62 bits; at least 2^8 times max_rows, by the limit on what a unit can move.
std::int64_t most_rows(const BoundStatistic& statistic) {
  std::int64_t size = 1;
  for (const Argument& one : statistic.arguments) size = std::max({size, -one.steps.lower, one.steps.upper});
  return (std::int64_t{1} << 62) / size;
}

std::vector<StepsFunction> steps_functions(const BoundStatistic& statistic) {
  std::vector<StepsFunction> functions;
  for (const Argument& argument : statistic.arguments) {
    for (const Argument& part : parts_of(argument)) {
      if (const auto function = steps_function(part)) functions.push_back(*function);
    }
  }
  return functions;
}

}  // namespace

std::string view_name(const query::Table& table) { return query::quoted_identifier("table " + table.name); }

Sql render(const BoundStatistic& statistic, BoundingForm form) {
  const bool has_cells = statistic.keys.are_public;
  const bool has_units = statistic.table.unit.has_value();
  const bool functions = form != BoundingForm::window;
  const bool has_histograms = !statistic.histograms.empty();
  const bool are_lists = has_units && statistic.contribution.max_rows > 1;
  const bool is_one_pass = has_units && form == BoundingForm::bottom_m && can_use_bottom_m(statistic);
  Sql sql{
      .text = "",
      .has_secret = is_one_pass || (has_units && (must_choose(statistic) || has_distinct(statistic) || has_histograms)),
      .has_cells = has_cells,
      .key_types = has_cells ? std::vector<query::Type>() : key_types(statistic),
      .tallies = statistic.tallies.size(),
      .aggregate = {},
      .cell_of = {},
      .functions = functions ? steps_functions(statistic) : std::vector<StepsFunction>(),
      .histograms = statistic.histograms.size()};
  sql.packing = packing_of(statistic);
  if (functions && has_histograms) sql.counts = ValueCounts{are_lists};
  if (functions && has_histograms && are_lists) sql.bottom_values = BottomValues{statistic.contribution.max_rows};
  if (is_one_pass) sql.aggregate = BottomM{most_groups(statistic), statistic.arguments.size(), most_rows(statistic)};
  if (is_one_pass && has_cells) sql.cell_of = CellOf{key_types(statistic), statistic.keys.cells};
  if (!has_units) {
    sql.text = render_rows(statistic, functions);
  } else {
    sql.text = render_units(statistic, is_one_pass ? bottom_m_form(statistic, sql) : window_form(statistic, functions),
                            functions);
  }
  return sql;
}

}  // namespace vernier::plan
