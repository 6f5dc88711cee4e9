#include "twin/several.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <unistd.h>

#include "twin/files.hpp"
#include "twin/random_statement.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/query/query.hpp"

namespace vernier::twin {
namespace {

using numeric::Rational;
using query::Column;
using query::Table;
using query::Type;

constexpr std::int64_t most_keys = 6;
constexpr std::size_t most_cells = 300;  // so that statements stay short
constexpr std::size_t place_of_unit = 0;

Column key_column() {
  Column key;
  key.name = "key";
  key.type = Type::integer;
  for (std::int64_t i = 1; i <= most_keys; ++i) key.keys.emplace_back(i);
  return key;
}

// In a file or in memory, in any manner.
Table with_source(Draw& draw, Table table, const std::string& name) {
  using query::SourceKind;
  table.name = name;
  table.source.kind = draw.one_of<SourceKind>({SourceKind::csv, SourceKind::parquet, SourceKind::arrow});
  table.source.quoted = draw.one_in(2);
  table.source.path = table.source.kind == SourceKind::csv       ? name + ".csv"
                      : table.source.kind == SourceKind::parquet ? name + ".parquet"
                                                                 : "";
  return table;
}

Table with_units(Draw& draw) {
  Table table = random_declaration(draw);
  while (!table.unit) table = random_declaration(draw);
  return table;
}

// The rows of l: those with a key of others are the same in both.
Neighbours rows_by_way(Draw& draw, const Table& items, const Neighbours& owners, const Cell& victim) {
  const std::size_t key = owners.first.empty() ? 0 : owners.first.front().size() - 1;
  std::set<Cell> of_others;
  for (const Row& row : owners.first) {
    if (row[place_of_unit] && row[place_of_unit] != victim) of_others.insert(row[key]);
  }
  Neighbours both;
  for (std::size_t left = draw.below(30); left > 0; --left) {
    const Cell cell = draw.one_in(10) ? Cell() : Cell(std::to_string(1 + draw.below(most_keys + 1)));
    Row row = random_row(draw, items, cell);
    const bool is_own = of_others.count(cell) == 0;
    if (!is_own || draw.one_in(3)) both.second.push_back(row);
    both.first.push_back(std::move(row));
  }
  return both;
}

}  // namespace

SeveralTables random_tables(Draw& draw, const std::string& number) {
  SeveralTables made;
  const Table a = with_source(draw, with_units(draw), "a" + number);
  Table b = with_units(draw);
  b.columns.front().type = a.columns.front().type;
  b.neighbours = a.neighbours;
  b.columns.push_back(key_column());
  b = with_source(draw, b, "b" + number);
  b.source.quoted = true;  // without quotes a comma in a cell gives a row another key than rows_by_way knows
  Table items = with_units(draw);
  items.neighbours = a.neighbours;
  items.columns.front() = key_column();
  items.via = query::Via{b.name, "key", "id", "key", std::make_shared<const Table>(b)};
  items = with_source(draw, items, "l" + number);
  const Type type = a.columns.front().type;
  const std::size_t victim = 1 + draw.below(units_of(type));
  made.tables = {a, b, items};
  made.rows = {random_neighbours_of(draw, a, victim), random_neighbours_of(draw, b, victim)};
  made.rows.push_back(rows_by_way(draw, items, made.rows[1], name_of_unit(type, victim)));
  for (Neighbours& both : made.rows) {
    draw.shuffle(both.first);
    draw.shuffle(both.second);
  }
  return made;
}

namespace {

Table twin_of(Table table) {
  table.name += "_twin";
  if (!table.source.path.empty()) {
    table.source.path = table.name + (table.source.kind == query::SourceKind::csv ? ".csv" : ".parquet");
  }
  if (table.via) {
    table.via->table += "_twin";
    table.via->owner = std::make_shared<const Table>(twin_of(*table.via->owner));
  }
  return table;
}

// As a statement names what is joined to the first.
struct Joined {
  const Table* first;
  std::string text;
  Table columns;
};

void join(Joined& joined, const Table& other, const std::string& how, const std::string& condition,
          const std::vector<std::string>& pairs, const std::string& alias = "") {
  query::Join made{.table = other.name, .columns = pairs};
  made.kind = query::JoinKind::by_unit;
  made.alias = alias;
  joined.text += how + other.name + (alias.empty() ? "" : " AS " + alias) + condition;
  joined.columns = query::joined(joined.columns, seen(other), made);
}

Joined random_joined(Draw& draw, const SeveralTables& in) {
  const Table &a = in.tables[0], &b = in.tables[1], &items = in.tables[2];
  const std::string how = draw.one_in(3) ? " LEFT JOIN " : " JOIN ";
  const std::string by_unit = " ON " + a.name + ".id = " + b.name + ".id";
  switch (draw.below(9)) {
    case 6:
      return {&a, (draw.one_in(2) ? " SEMI JOIN " : " ANTI JOIN ") + b.name + by_unit + " AND " + b.name + ".n > 0", a};
    case 7:
      return {&b,
              (draw.one_in(2) ? " SEMI JOIN " : " ANTI JOIN ") + items.name + " ON " + b.name + ".key = " + items.name +
                  ".key",
              b};
    case 0: {
      Joined made{&a, "", a};
      join(made, b, how, " USING (id)", {"id"});
      return made;
    }
    case 1: {
      Joined made{&a, "", a};
      join(made, b, " JOIN ", by_unit + " AND " + a.name + ".n <= " + b.name + ".n", {"id"});
      return made;
    }
    case 2: {
      Joined made{&b, "", b};
      join(made, a, how, by_unit + " AND " + a.name + ".\"select\" = " + b.name + ".\"select\"", {"id"});
      return made;
    }
    case 3: {
      Joined made{&b, "", b};
      join(made, items, how, " ON " + b.name + ".key = " + items.name + ".key", {"id"});
      return made;
    }
    case 4: {
      Joined made{&b, "", b};
      join(made, b, " JOIN ", " ON " + b.name + ".id = other.id", {"id"}, "other");
      return made;
    }
    case 5: {
      Joined made{&a, "", a};
      join(made, b, " JOIN ", " USING (id)", {"id"});
      join(made, items, " JOIN ", " ON " + b.name + ".key = " + items.name + ".key", {"id"});
      return made;
    }
    default:
      return {&items, "", seen(items)};
  }
}

std::optional<plan::BoundStatistic> bound(const std::string& sql, const query::Catalog& catalog,
                                          plan::Contribution limits) {
  const Result<query::Query> query = query::read_query(sql, catalog);
  if (!query) return std::nullopt;
  query::Statistic statistic{.name = "s",
                             .sql = sql,
                             .accuracy = {},
                             .weight = Rational::of(1),
                             .max_groups = limits.max_groups,
                             .max_rows = limits.max_rows,
                             .place = {},
                             .sql_place = {},
                             .inference = {}};
  const query::Study study{"study.toml", "catalog.toml", Rational::of_decimal("0.05").value(), {}, {statistic}};
  Result<plan::BoundStudy> made = plan::bind(study, catalog, {*query});
  if (!made || made->statistics.front().keys.cells.size() > most_cells) return std::nullopt;
  return std::move(made->statistics.front());
}

plan::BoundStatistic of_twins(plan::BoundStatistic statistic) {
  statistic.table = twin_of(statistic.table);
  for (plan::BoundJoin& join : statistic.joins) join.table = twin_of(join.table);
  if (statistic.per_unit) statistic.per_unit->table = twin_of(statistic.per_unit->table);
  return statistic;
}

// What the rows make for each unit, as a table that is called like the query; none where that is refused.
std::optional<Table> random_per_unit(Draw& draw, const Joined& joined, const query::Catalog& catalog) {
  const std::string key = draw.one_in(2) ? ", \"select\"" : "";
  const std::string rows = joined.first->name + joined.text;
  const std::string totals =
      ", MAX(n) AS n, AVG(\"x y\") AS \"x y\", SUM(\"x y\") AS sum, SUM(n) AS total, COUNT(*) AS many";
  const std::string text = "(SELECT id" + key + totals + " FROM " + rows + " GROUP BY id" + key + ") AS p";
  const std::optional<plan::BoundStatistic> asked = bound("SELECT COUNT(*) AS c FROM " + text, catalog, {1, 1});
  if (!asked) return std::nullopt;
  Table made = asked->table;
  made.name = text;
  return made;
}

}  // namespace

SeveralPlan draw_several(const std::filesystem::path& folder, std::uint64_t number) {
  Draw draw(number);
  for (;;) {
    SeveralTables tables = random_tables(draw, std::to_string(number));
    const query::Budget budget{Rational::of(1), Rational::of(0), "ledger", query::Filter::zcdp};
    const query::Catalog catalog{folder / "catalog.toml", budget, tables.tables};
    const Joined joined = random_joined(draw, tables);
    Table columns = joined.columns;
    columns.name = joined.first->name;
    const bool is_added = draw.one_in(3);
    const std::optional<Table> added = is_added ? random_per_unit(draw, joined, catalog) : std::nullopt;
    if (is_added && !added) continue;
    const std::string sql =
        added ? random_statement_of(draw, *added, "") : random_statement_of(draw, columns, joined.text);
    const plan::Contribution limits{draw.one_of<std::int64_t>({1, 1, 2, 3, 5, 70}),
                                    draw.one_of<std::int64_t>({1, 1, 2, 3, 10})};
    const std::optional<plan::BoundStatistic> first = bound(sql, catalog, limits);
    if (!first) continue;
    return {sql, std::move(tables), *first, of_twins(*first), {draw.word(), draw.word()}};
  }
}

namespace {

std::filesystem::path fresh_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "vernier_several_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for twins");
  return name;
}

}  // namespace

SeveralSession::SeveralSession(std::uint64_t first, std::size_t count) : folder_(fresh_folder()) {
  engine::MemoryTables memory;
  std::vector<Table> all;
  for (std::uint64_t number = first; number < first + count; ++number) {
    SeveralPlan plan = draw_several(folder_, number);
    for (std::size_t i = 0; i < plan.tables.tables.size(); ++i) {
      const Table &table = plan.tables.tables[i], twin = twin_of(table);
      write_source(folder_, table, plan.tables.rows[i].first, memory);
      write_source(folder_, twin, plan.tables.rows[i].second, memory);
      all.push_back(table);
      all.push_back(twin);
    }
    plans_.push_back(std::move(plan));
  }
  const query::Budget budget{Rational::of(1), Rational::of(0), "ledger", query::Filter::zcdp};
  const query::Catalog catalog{folder_ / "catalog.toml", budget, all};
  Result<std::unique_ptr<engine::Session>> session = engine::open_duckdb(catalog, all, {.threads = 1}, memory);
  if (!session) throw std::runtime_error(session.error().sentence());
  session_ = *std::move(session);
}

SeveralSession::~SeveralSession() {
  session_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Result<engine::RawAggregates> SeveralSession::run(const plan::Sql& sql, const engine::Secret& secret) {
  return session_->run(sql, secret, nobody_watches);
}

}  // namespace vernier::twin
