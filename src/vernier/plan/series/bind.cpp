#include "vernier/plan/bind/bind.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/plan/series/series_plan.hpp"

namespace vernier::plan {
namespace {

using query::DatePart;
using query::Day;
using query::Expression;
using query::Operation;
using query::Value;

constexpr std::int64_t most_cells = 100'000;
constexpr double greatest_sum = 0x1p60;  // of 64 bits, with room for noise

Expression whole(std::int64_t value) { return query::literal(Value(value)); }

Result<Expression> apply_two(Operation operation, const Expression& a, const Expression& b) {
  return query::apply(operation, {a, b});
}

Result<Expression> months_of(const Expression& day) {
  VERNIER_TRY(const Expression year, query::date_part(DatePart::year, day));
  VERNIER_TRY(const Expression month, query::date_part(DatePart::month, day));
  VERNIER_TRY(const Expression years, apply_two(Operation::multiply, year, whole(12)));
  return apply_two(Operation::add, years, month);
}

// So many steps after the first one, of a day within the calendar.
Result<Expression> place_of(const Expression& day, const query::Calendar& calendar) {
  const Expression start = query::literal(Value(calendar.start));
  if (calendar.length == query::StepLength::month) {
    VERNIER_TRY(const Expression months, months_of(day));
    const std::string text = query::text_of(calendar.start);
    const std::int64_t first = std::int64_t{12} * query::year_of(calendar.start) + std::stoll(text.substr(5, 2));
    return apply_two(Operation::subtract, months, whole(first));
  }
  VERNIER_TRY(const Expression days, apply_two(Operation::days_between, start, day));
  if (calendar.length == query::StepLength::day) return days;
  return apply_two(Operation::divide_truncated, days, whole(7));
}

// NULL of a day outside of the calendar, or of none.
Result<Expression> step_of(const Expression& day, const query::Calendar& calendar) {
  VERNIER_TRY(const Expression is_in, query::apply(Operation::between, {day, query::literal(Value(calendar.start)),
                                                                        query::literal(Value(calendar.end))}));
  VERNIER_TRY(const Expression place, place_of(day, calendar));
  return query::apply(Operation::case_when, {is_in, place, query::null_of(query::Type::integer)});
}

struct PlacedKey {
  Value value;
  std::int64_t place;
};

// The place of a row's key among these; NULL of what is none.
Result<Expression> place_among(const Expression& key, std::span<const PlacedKey> keys) {
  std::vector<Expression> operands;
  for (const PlacedKey& one : keys) {
    VERNIER_TRY(Expression is_it, apply_two(Operation::equal, key, query::literal(one.value)));
    operands.push_back(std::move(is_it));
    operands.push_back(whole(one.place));
  }
  operands.push_back(query::null_of(query::Type::integer));
  return query::apply(Operation::case_when, std::move(operands));
}

// The same of keys that ascend: the block is found first, so that a row is compared with some thirty of 1,000 keys.
Result<Expression> place_in_blocks(const Expression& key, std::span<const PlacedKey> keys) {
  constexpr std::size_t few = 12;
  if (keys.size() <= few) return place_among(key, keys);
  const auto block = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(keys.size()))));
  std::vector<Expression> operands;
  for (; keys.size() > block; keys = keys.subspan(block)) {
    VERNIER_TRY(Expression is_before, apply_two(Operation::less, key, query::literal(keys[block].value)));
    VERNIER_TRY(Expression place, place_among(key, keys.first(block)));
    operands.push_back(std::move(is_before));
    operands.push_back(std::move(place));
  }
  VERNIER_TRY(Expression last, place_among(key, keys));
  operands.push_back(std::move(last));
  return query::apply(Operation::case_when, std::move(operands));
}

// The place of a row's key among the declared ones. Texts ascend byte by byte, as in the engine.
Result<Expression> code_of(const Expression& key, const std::vector<Value>& values) {
  std::vector<PlacedKey> keys;
  for (std::size_t i = 0; i < values.size(); ++i) keys.push_back({values[i], static_cast<std::int64_t>(i)});
  std::ranges::sort(keys, [](const PlacedKey& a, const PlacedKey& b) { return a.value < b.value; });
  return place_in_blocks(key, keys);
}

Result<SeriesColumn> column_of(const query::Key& key, const query::Table& table) {
  VERNIER_TRY(const auto values, public_values(key.expression, table));
  if (values && !values->empty()) return SeriesColumn{key.name, key.expression.type(), *values};
  return invalid("needs public keys for its columns, and '" + key.name + "' has none",
                 "declare its keys in the catalog, or write BUCKET(x, 10) of a column with bounds");
}

// The cell of a row among those of all columns: the last column runs fastest.
Result<Expression> cell_of(const std::vector<query::Key>& keys, const std::vector<SeriesColumn>& columns) {
  Expression cell = whole(0);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    VERNIER_TRY(const Expression code, code_of(keys[i + 1].expression, columns[i].keys));
    if (i == 0) {
      cell = code;
      continue;
    }
    VERNIER_TRY(const Expression moved,
                apply_two(Operation::multiply, cell, whole(static_cast<std::int64_t>(columns[i].keys.size()))));
    VERNIER_TRY(cell, apply_two(Operation::add, moved, code));
  }
  return cell;
}

// What a step of each column's key adds to the cell of all columns.
Result<std::vector<std::int64_t>> strides_of(const std::vector<SeriesColumn>& columns) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  std::vector<std::int64_t> strides(columns.size());
  std::int64_t stride = 1;
  for (std::size_t i = columns.size(); i-- > 0;) {
    strides[i] = stride;
    const auto keys = static_cast<std::int64_t>(columns[i].keys.size());
    if (stride > most / keys) return invalid("has columns with too many keys together", "take fewer columns");
    stride *= keys;
  }
  return strides;
}

Result<void> check_table(const query::Series& asked, const query::Table& table, const query::Catalog& catalog) {
  if (table.neighbours == privacy::Neighbours::replace) {
    return invalid("asks rows whose neighbours are those of replace, for which series are not offered",
                   "declare " + toml("neighbours = \"add-remove\""));
  }
  if (!catalog.engine.is_embedded()) {
    return invalid("asks tables of a server, and series are offered by the embedded engine alone",
                   "let the server write a Parquet file, and name that in the catalog");
  }
  if (!table.unit && (asked.max_steps != 1 || asked.apart != 1)) {
    return invalid("says at how many steps a unit counts, but every row is a unit, which is in one step",
                   "leave out max_steps and apart");
  }
  return {};
}

Result<std::vector<SeriesColumn>> columns_of(const query::Query& query, const query::Table& table) {
  std::vector<SeriesColumn> columns;
  std::set<std::string> names = {"step", "each", "last", "cumulative"};
  for (std::size_t i = 1; i < query.keys.size(); ++i) {
    if (!names.insert(fold_case(query.keys[i].name)).second) {
      return invalid("has a column called '" + query.keys[i].name + "', which names something else already",
                     "write AS and another name behind it");
    }
    VERNIER_TRY(SeriesColumn column, column_of(query.keys[i], table));
    columns.push_back(std::move(column));
  }
  return columns;
}

std::optional<double> target_of(const std::optional<numeric::Rational>& asked) {
  return asked ? std::optional(asked->round_down()) : std::nullopt;
}

SeriesFacts facts_of(const query::Series& asked, const query::Query& query, const query::Table& table,
                     const std::vector<SeriesColumn>& all) {
  std::vector<SeriesColumn> columns = all;
  if (!asked.together.empty()) {
    columns.clear();
    for (const std::size_t column : asked.table) columns.push_back(all[column]);
  }
  return {.name = asked.name,
          .table = table.name,
          .statement = query::canonical(query),
          .row_limit = table.row_limit,
          .calendar = asked.calendar,
          .max_steps = std::min(asked.max_steps, asked.calendar.steps()),
          .apart = asked.apart,
          .last = std::min(asked.last, asked.calendar.steps()),
          .each_target = target_of(asked.accuracy.each),
          .last_target = target_of(asked.accuracy.last),
          .cumulative_target = target_of(asked.accuracy.cumulative),
          .best = asked.best.value_or(query::SeriesKind::cumulative),
          .together = asked.together,
          .columns = std::move(columns)};
}

Result<void> check_sizes(const SeriesFacts& facts) {
  if (facts.cells() > most_cells) {
    return invalid("has " + std::to_string(facts.cells()) + " groups, and 100,000 are the most", "take fewer columns");
  }
  const auto contrast = static_cast<double>(facts.together.empty() ? 1 : facts.cells());
  if (static_cast<double>(facts.row_limit) * contrast * 0x1p12 <= greatest_sum) return {};
  return invalid("asks a table whose row limit is so high that its sums could leave 60 bits",
                 "declare a smaller row_limit" + std::string(contrast > 1 ? ", or take a smaller up_to" : ""));
}

// A later row of another table would change what earlier steps have counted.
Result<void> check_one_table(const query::Query& query, const query::Table& table, const JoinedTables& joined) {
  const bool is_alone = !table.via && !query.per_unit &&
                        std::ranges::all_of(joined.joins, [](const BoundJoin& one) { return one.table.is_public; });
  if (is_alone) return {};
  return invalid(
      "is made of rows that several protected tables decide, and a row that comes later to one of them would "
      "change what was published",
      "make the series of one table that names its own unit");
}

}  // namespace

Result<BoundSeries> bind_series(const query::Series& asked, const query::Query& query, const query::Catalog& catalog) {
  const query::Table* const table = catalog.table(query.table);
  if (table == nullptr) return invalid("is made of '" + query.table + "', which the catalog has not");
  VERNIER_TRY(check_table(asked, *table, catalog));
  VERNIER_TRY(const JoinedTables joined, tables_of(query, *table, catalog));
  VERNIER_TRY(check_one_table(query, *table, joined));
  if (query.keys.size() != asked.columns.size() + 1) {
    return invalid("has columns that are no single column or expression each; write one in each place of the list");
  }
  if (query.keys.front().expression.type() != query::Type::date) {
    return invalid("needs a column of dates behind day, and '" + asked.day + "' is none",
                   "declare the column with " + toml("type = \"date\""));
  }
  VERNIER_TRY(std::vector<SeriesColumn> columns, columns_of(query, joined.table));
  VERNIER_TRY(const Expression step, step_of(query.keys.front().expression, asked.calendar));
  VERNIER_TRY(const Expression cell, cell_of(query.keys, columns));
  VERNIER_TRY(const std::vector<std::int64_t> codes, strides_of(columns));
  SeriesFacts facts = facts_of(asked, query, joined.table, columns);
  VERNIER_TRY(check_sizes(facts));
  query::Query coded = query;
  coded.keys = {{step, "step"}, {cell, "cell"}};
  BoundStatistic counted{.name = asked.name,
                         .query = std::move(coded),
                         .table = joined.table,
                         .contribution = {1, 1},
                         .weight = numeric::Rational::of(1),
                         .typical_rows = query::usual_typical_rows,
                         .keys = {false, {}},
                         .arguments = {},
                         .tallies = {{TallyKind::rows}},
                         .measurements = {},
                         .joins = joined.joins};
  std::vector<CodedColumn> places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (asked.together.empty() || std::ranges::find(asked.table, i) != asked.table.end())
      places.push_back({codes[i], static_cast<std::int64_t>(columns[i].keys.size())});
  }
  return BoundSeries{std::move(counted), std::move(facts), std::move(places)};
}

}  // namespace vernier::plan
