#include "vernier/query/expression/render.hpp"

#include <algorithm>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/render/chosen_rows.hpp"
#include "vernier/plan/render/fine_sums.hpp"
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
  if (chooses_rows(statistic)) return false;                                   // nor for rows over all groups
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

// A tally is a BIGINT within ±2^62; moving it there brings no two numbers further apart.
std::string held(const std::string& tally) {
  const std::string end = whole(std::int64_t{1} << 62);
  const std::string other = whole(-(std::int64_t{1} << 62));
  return "CAST(CASE WHEN " + tally + " > " + end + " THEN " + end + " WHEN " + tally + " < " + other + " THEN " +
         other + " ELSE " + tally + " END AS BIGINT) AS " + tally;
}

std::vector<std::string> held_tallies(const BoundStatistic& statistic, const query::Dialect& in) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) {
    const int halvings = halvings_of(statistic, statistic.tallies[i]);
    columns.push_back(halvings > 0 ? held_fine(numbered("t", i), halvings, in) : held(numbered("t", i)));
  }
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

std::string tally_of_rows(const Tally& tally, const Style& style) {
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
  return "COALESCE(" + style.in.sum(numbered("a", tally.argument)) + ", 0)";
}

// The columns of groups by their keys, in `sums`, a table g of keys and these.
std::string of_declared_groups(const BoundStatistic& statistic, const std::string& sums,
                               const std::vector<std::string>& columns, const Style& style) {
  const std::vector<std::string> keys = numbered_list("k", statistic.query.keys.size());
  if (!statistic.keys.are_public) return "SELECT " + joined(behind(keys, columns)) + " FROM " + sums;
  if (!is_grouped(statistic)) return "SELECT " + joined(behind({whole(0) + " AS cell"}, columns)) + " FROM " + sums;
  return "SELECT " + joined(behind({"d.cell"}, columns)) + " FROM " + sums + " JOIN " +
         declared_groups(statistic.keys, style.in) + " ON " + same_keys("g", keys.size());
}

// Keys are looked up after the rows were added up: there are few groups and many rows.
std::string render_rows(const BoundStatistic& statistic, const Style& style) {
  const std::vector<std::string> keys = numbered_list("k", statistic.query.keys.size());
  std::vector<std::string> columns = keys, tallies = held_tallies(statistic, style.in);
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) {
    const Tally& tally = statistic.tallies[i];
    const int halvings = halvings_of(statistic, tally);
    columns.push_back((halvings > 0 ? fine_sum_of_rows(tally, halvings, style) : tally_of_rows(tally, style)) + " AS " +
                      numbered("t", i));
  }
  if (!style.portable) {
    columns = behind(columns, histograms_of_rows(statistic, style.functions));
    tallies = behind(tallies, histogram_names(statistic));
  }
  const std::string sums = "(SELECT " + joined(columns) + " FROM (" + counted_rows(statistic, style) + ") AS r" +
                           grouped_by(keys) + ") AS g";
  return of_declared_groups(statistic, sums, tallies, style);
}

// How many rows have each point, by their keys.
std::string histogram_of_rows(const BoundStatistic& statistic, const Histogram& histogram, const Style& style) {
  const std::vector<std::string> keys = numbered_list("k", statistic.query.keys.size());
  const std::vector<std::string> by = behind(keys, {"v"});
  const std::string points = "SELECT " + joined(behind(keys, {point_of(statistic, histogram, style) + " AS v"})) +
                             " FROM (" + counted_rows(statistic, style) + ") AS r";
  const std::string sums = "(SELECT " + joined(behind(by, {"count(*) AS n"})) + " FROM (" + points +
                           ") AS h WHERE v IS NOT NULL" + grouped_by(by) + ") AS g";
  return of_declared_groups(statistic, sums, {"v", "n"}, style);
}

// ---- units with many rows

// The rows with the number of their group; those of undeclared keys are gone.
std::string coded_rows(const BoundStatistic& statistic, const Style& style) {
  const std::string rows = query::bracketed(counted_rows(statistic, style)) + " AS r";
  if (!statistic.keys.are_public) return "SELECT * FROM " + rows;
  if (!is_grouped(statistic)) return "SELECT r.*, " + whole(0) + " AS cell FROM " + rows;
  return "SELECT r.*, d.cell FROM " + rows + " JOIN " + declared_groups(statistic.keys, style.in) + " ON " +
         same_keys("r", statistic.query.keys.size());
}

bool has_argument(TallyKind kind) { return kind == TallyKind::values || kind == TallyKind::sum; }

bool is_tallied(const BoundStatistic& statistic, std::size_t argument) {
  return std::any_of(statistic.tallies.begin(), statistic.tallies.end(),
                     [&](const Tally& tally) { return tally.argument == argument && has_argument(tally.kind); });
}

// Rows of which no sum leaves 62 bits; at least 2^8 times max_rows, by the limit on what a unit can move.
std::int64_t most_rows(const BoundStatistic& statistic) {
  std::int64_t size = 1;
  for (const Argument& one : statistic.arguments) size = std::max({size, -one.steps.lower, one.steps.upper});
  for (const std::size_t i : fine_arguments(statistic))
    size = std::max(size, std::int64_t{1} << halvings_of(statistic, i));
  return (std::int64_t{1} << 62) / size;
}

// A portable sum is a BIGINT: of a unit with more values than most_rows nothing counts, which only a table far above
// its row limit has.
std::vector<std::string> counts_of_unit(const BoundStatistic& statistic, std::size_t argument, const Style& style) {
  const std::string a = numbered("a", argument);
  const std::string n = " AS " + numbered("n", argument), s = " AS " + numbered("s", argument);
  const std::string y = residual_column(argument);
  const bool is_fine = halvings_of(statistic, argument) > 0;
  std::vector<std::string> columns;
  if (!style.portable) {
    columns = {"count(" + a + ")" + n, "sum(" + a + ")" + s};
    if (is_fine) columns.push_back("sum(" + y + ") AS " + y);
    return columns;
  }
  const std::string few = "CASE WHEN count(" + a + ") <= " + whole(most_rows(statistic)) + " THEN ";
  const auto sum_of = [&](const std::string& x) {
    return few + query::cast_to("BIGINT", style.in.sum_or_null(x)) + " ELSE " + whole(0) + " END";
  };
  columns = {few + "count(" + a + ") ELSE " + whole(0) + " END" + n, sum_of(a) + s};
  if (is_fine) columns.push_back(sum_of(y) + " AS " + y);
  return columns;
}

// What a unit has in a group: c rows, and of each argument n values with sum s.
std::vector<std::string> sums_of_unit(const BoundStatistic& statistic, const Style& style) {
  std::vector<std::string> columns{"count(*) AS c"};
  for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
    if (is_tallied(statistic, i)) columns = behind(columns, counts_of_unit(statistic, i, style));
  }
  return columns;
}

std::string grouped_units(const BoundStatistic& statistic, const std::vector<std::string>& columns,
                          const std::string& rows) {
  const std::vector<std::string> groups = behind({"u"}, group_columns(statistic));
  return "SELECT " + joined(behind(groups, columns)) + " FROM " + rows + grouped_by(groups);
}

// With the group as second key of the order no two are equal, and the engine keeps to its fast way.
std::string numbered_units(const BoundStatistic& statistic, const Style& style) {
  return "SELECT g.*, row_number() OVER (PARTITION BY u ORDER BY " +
         joined(behind({priority(statistic, style)}, group_columns(statistic))) + ") AS place FROM g";
}

// The rows c, what units have in groups, `columns` of `rows`, and b, what of this counts; what is read `twice` is made
// once.
struct Kept {
  std::vector<std::string> columns;
  std::string rows;
  bool twice = false;
};

std::string kept_units(const BoundStatistic& statistic, const Kept& kept, const Style& style) {
  const std::string as = (kept.twice ? std::string(style.in.once()) : " AS ") + "(";
  const std::string front = "WITH c" + as + coded_rows(statistic, style) + "), g AS (" +
                            grouped_units(statistic, kept.columns, kept.rows) + "), ";
  if (!must_choose(statistic)) return front + "b AS (SELECT * FROM g)";
  return front + "w AS (" + numbered_units(statistic, style) + "), b" + as +
         "SELECT * FROM w WHERE place <= " + whole(statistic.contribution.max_groups) + ")";
}

std::string window_form(const BoundStatistic& statistic, const Style& style) {
  if (chooses_rows(statistic)) return chosen_rows(statistic, coded_rows(statistic, style), style);
  const std::vector<std::string> distinct = distinct_tables(statistic, style);
  Kept kept{behind(sums_of_unit(statistic, style), values_on_the_way(statistic, style)), style.in.by_unit("c"),
            !distinct.empty()};
  if (!style.portable) {
    kept.columns = behind(kept.columns, values_of_unit(statistic, style));
    kept.rows = rows_of_units(statistic, statistic.histograms, style);
  }
  std::string text = kept_units(statistic, kept, style);
  for (const std::string& table : distinct) text.append(", ").append(table);
  return text;
}

// How many of a unit's values that count have each point.
std::string histogram_of_units(const BoundStatistic& statistic, const Histogram& histogram, const Style& style) {
  const std::vector<std::string> groups = group_columns(statistic), by = behind(groups, {"v"});
  const std::string point = point_of(statistic, histogram, style), rows = rows_of_units(statistic, {histogram}, style);
  const HashedValue value{point, query::Type::integer, "e0"};
  const std::string hash = priority(statistic, style, &value);
  const std::string counted = " SELECT " + joined(behind(by, {"count(*) AS n"})) + " FROM ";
  if (statistic.contribution.max_rows == 1) {
    const std::string least = style.in.least_by(point, value.type, hash) + " AS v";
    return kept_units(statistic, {{least}, rows}, style) + counted + "b WHERE v IS NOT NULL" + grouped_by(by);
  }
  const std::string in_group = joined(behind({"u"}, groups));
  const std::string placed = "(SELECT " + in_group + ", " + point + " AS v, row_number() OVER (PARTITION BY " +
                             in_group + " ORDER BY " + hash + ") AS p FROM " + rows + " WHERE " + point +
                             " IS NOT NULL) AS x";
  const std::string kept = must_choose(statistic) ? " JOIN b USING (" + in_group + ")" : "";
  return kept_units(statistic, {{"count(*) AS c"}, style.in.by_unit("c"), must_choose(statistic)}, style) + counted +
         placed + kept + " WHERE p <= " + whole(statistic.contribution.max_rows) + grouped_by(by);
}

// The same without a join: the number of the group is NULL for undeclared keys, whose rows the aggregate leaves out.
std::string numbered_rows(const BoundStatistic& statistic, const CellOf& cell_of) {
  const std::string cell = cell_of.name() + "(" + joined(numbered_list("k", cell_of.types.size())) + ") AS cell";
  return "SELECT r.*, " + cell + " FROM (" + counted_rows(statistic, {.functions = true}) + ") AS r";
}

std::string bottom_m_form(const BoundStatistic& statistic, const Sql& sql) {
  const Style style{.functions = true};
  const std::string rows = sql.cell_of ? numbered_rows(statistic, *sql.cell_of) : coded_rows(statistic, style);
  const std::string group = group_columns(statistic).front();
  std::vector<std::string> arguments =
      behind({priority(statistic, style), group}, numbered_list("a", statistic.arguments.size()));
  std::vector<std::string> residuals;
  for (const std::size_t i : fine_arguments(statistic)) residuals.push_back(residual_column(i));
  arguments = behind(std::move(arguments), residuals);
  const std::string z = sql.aggregate->name() + "(" + joined(arguments) + ") AS z";
  std::vector<std::string> fields = sql.aggregate->fields();
  fields.front() += " AS " + group;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    fields[fields.size() - 2 * (residuals.size() - i) + 1] += " AS " + residuals[i];
  }
  return "WITH c AS (" + rows + "), z AS (SELECT u, " + z +
         " FROM c GROUP BY u), e AS (SELECT unnest(z, recursive := true) FROM z), b AS (SELECT " + joined(fields) +
         " FROM e WHERE c > 0)";
}

std::string total(const std::string& integers, const Style& style) {
  return "COALESCE(" + style.in.sum(integers) + ", 0)";
}

std::string at_most(const std::string& count, std::int64_t rows, const Style& style) {
  return total("least(" + count + ", " + whole(rows) + ")", style);
}

// trunc(s * rows / n) in 64 bits (render.md): with q = trunc(s / n) it is q * rows + trunc((s - q * n) * rows / n).
// More values than the greatest row limit count as none.
constexpr std::int64_t most_narrow_rows = 9'000'000;

std::string narrow_part(const std::string& s, const std::string& n, std::int64_t rows, const Style& style) {
  const std::string q = style.in.quotient(s, n), r = whole(rows);
  const std::string rest = "((" + s + " - " + q + " * " + n + ") * " + r + ")";
  return "WHEN " + n + " <= " + whole(query::greatest_row_limit) + " THEN " + q + " * " + r + " + " +
         style.in.quotient(rest, n) + " ELSE " + whole(0);
}

// s * rows has at most 93 bits.
std::string wide_part(const std::string& s, const std::string& n, std::int64_t rows, const Style& style) {
  const std::string product = query::bracketed(query::cast_to(style.in.wide_type(), s) + " * " + whole(rows));
  const std::string part = style.in.wide_quotient(product, n);
  return "ELSE " + (style.portable ? query::cast_to("BIGINT", part) : part);
}

// The unit's sum, or the part of it that as many values as count would have.
std::string scaled_sum(const std::string& s, const std::string& n, std::int64_t rows, const Style& style) {
  const bool narrow = style.portable && rows <= most_narrow_rows;
  const std::string part = narrow ? narrow_part(s, n, rows, style) : wide_part(s, n, rows, style);
  return total("CASE WHEN " + n + " <= " + whole(rows) + " THEN " + s + " " + part + " END", style);
}

// Of a distinct tally: where its value was found on the way.
std::string tally_of_units(const Tally& tally, std::int64_t rows, const Style& style) {
  const std::string values = numbered("n", tally.argument);
  switch (tally.kind) {
    case TallyKind::units:
      return "count(*)";
    case TallyKind::rows:
      return at_most("c", rows, style);
    case TallyKind::values:
      return at_most(values, rows, style);
    case TallyKind::distinct:
      return "count(DISTINCT " + numbered("value", tally.argument) + ")";
    case TallyKind::sum:
      break;
  }
  return scaled_sum(numbered("s", tally.argument), values, rows, style);
}

// `bounded` ends with a table b of what counts of each unit in each group.
std::string render_units(const BoundStatistic& statistic, const std::string& bounded, const Style& style) {
  const std::vector<std::string> groups = group_columns(statistic);
  std::vector<std::string> columns = groups;
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) {
    const Tally& tally = statistic.tallies[i];
    if (tally.kind == TallyKind::distinct && !is_on_the_way(statistic)) continue;
    const std::int64_t rows = statistic.contribution.max_rows;
    const int halvings = halvings_of(statistic, tally);
    const std::string sum =
        halvings > 0 ? fine_sum_of_units(tally, halvings, rows, style) : tally_of_units(tally, rows, style);
    columns.push_back(sum + " AS " + numbered("t", i));
  }
  std::vector<std::string> held = held_tallies(statistic, style.in);
  if (!style.portable) {
    columns = behind(columns, histograms_of_units(statistic, style.functions));
    held = behind(held, histogram_names(statistic));
  }
  const std::string sums = "(SELECT " + joined(columns) + " FROM b" + grouped_by(groups) + ")";
  return bounded + " SELECT " + joined(behind(groups, held)) + " FROM " + with_distinct(statistic, sums) + " AS f";
}

std::vector<query::Type> key_types(const BoundStatistic& statistic) {
  std::vector<query::Type> types;
  for (const query::Key& key : statistic.query.keys) types.push_back(key.expression.type());
  return types;
}

std::vector<StepsFunction> steps_functions(const BoundStatistic& statistic) {
  std::vector<StepsFunction> functions;
  const auto add = [&](const Argument& argument) {
    if (const auto function = steps_function(argument)) functions.push_back(*function);
  };
  for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
    const Argument& argument = statistic.arguments[i];
    for (const Argument& part : parts_of(argument)) add(part);
    if (const int halvings = halvings_of(statistic, i); halvings > 0) add(finer(argument, halvings));
  }
  return functions;
}

// Every statement in SQL that all engines take for the same.
Sql render_portable(const BoundStatistic& statistic, const query::Dialect& dialect) {
  const Style style{.in = dialect, .portable = true};
  const bool has_cells = statistic.keys.are_public, has_units = statistic.table.unit.has_value();
  Sql sql{.text = "",
          .has_secret = false,
          .has_cells = has_cells,
          .key_types = has_cells ? std::vector<query::Type>() : key_types(statistic),
          .tallies = statistic.tallies.size()};
  sql.histograms = statistic.histograms.size();
  sql.packing = packing_of(statistic);
  sql.is_portable = true;
  if (has_units) sql.unit = statistic.table.column(*statistic.table.unit)->type;
  if (!statistic.tallies.empty()) {
    sql.text =
        has_units ? render_units(statistic, window_form(statistic, style), style) : render_rows(statistic, style);
  }
  for (const Histogram& one : statistic.histograms) {
    sql.histogram_texts.push_back(has_units ? histogram_of_units(statistic, one, style)
                                            : histogram_of_rows(statistic, one, style));
  }
  return sql;
}

bool has_real_key(const BoundStatistic& statistic) {
  return !statistic.keys.are_public &&
         std::any_of(statistic.query.keys.begin(), statistic.query.keys.end(),
                     [](const query::Key& key) { return key.expression.type() == query::Type::real; });
}

bool has_real_value(const BoundStatistic& statistic) {
  return std::any_of(statistic.arguments.begin(), statistic.arguments.end(),
                     [](const Argument& one) { return one.is_value && one.expression.type() == query::Type::real; });
}

}  // namespace

std::string view_name(const query::Table& table) { return query::quoted_identifier("table " + table.name); }

Result<void> check_portable(const BoundStatistic& statistic) {
  if (!statistic.table.unit || !(has_real_key(statistic) || has_real_value(statistic))) return {};
  return invalid("the statistic '" + statistic.name + "' " +
                     (has_real_key(statistic) ? "groups by private real numbers" : "counts real numbers that differ") +
                     ", of which a unit's are chosen by their digits, and engines write these differently",
                 "write CAST(... AS INTEGER) around them, or run it on the embedded engine");
}

Sql render(const BoundStatistic& statistic, BoundingForm form, const query::Dialect& dialect) {
  if (form == BoundingForm::portable) return render_portable(statistic, dialect);
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
  if (is_one_pass)
    sql.aggregate = BottomM{most_groups(statistic), statistic.arguments.size() + fine_arguments(statistic).size(),
                            most_rows(statistic)};
  if (is_one_pass && has_cells) sql.cell_of = CellOf{key_types(statistic), statistic.keys.cells};
  if (!has_units) {
    sql.text = render_rows(statistic, {.functions = functions});
  } else {
    const Style style{.functions = functions};
    sql.text =
        render_units(statistic, is_one_pass ? bottom_m_form(statistic, sql) : window_form(statistic, style), style);
  }
  return sql;
}

}  // namespace vernier::plan
