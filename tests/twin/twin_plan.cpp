#include "twin/twin_plan.hpp"

#include "twin/random_statement.hpp"
#include "vernier/query/duckdb/sql.hpp"

namespace vernier::twin {
namespace {

using numeric::Rational;

constexpr std::size_t most_cells = 300;  // so that statements stay short

struct Limits {
  std::int64_t groups, rows;
  bool has_clamped_share = false;
  bool of_population = false;
};

query::Study study_of(const std::string& sql, Limits limits) {
  query::Statistic statistic{
      .name = "s",
      .sql = sql,
      .accuracy = {},
      .weight = Rational::of(1),
      .max_groups = limits.groups,
      .max_rows = limits.rows,
      .place = {},
      .sql_place = {},
      .inference = {.of_population = limits.of_population, .has_clamped_share = limits.has_clamped_share}};
  return {"study.toml", "catalog.toml", Rational::of_decimal("0.05").value(), {}, {statistic}};
}

std::optional<plan::BoundStatistic> bound(const std::string& sql, const query::Catalog& catalog, Limits limits) {
  const Result<query::Query> query = query::read_query(sql, catalog);
  if (!query) return std::nullopt;
  Result<plan::BoundStudy> study = plan::bind(study_of(sql, limits), catalog, {*query});
  if (!study || study->statistics.front().keys.cells.size() > most_cells) return std::nullopt;
  return std::move(study->statistics.front());
}

// With counts of the rows that were moved to a bound, where there can be any.
std::optional<plan::BoundStatistic> bound_with_counts(const std::string& sql, const query::Catalog& catalog,
                                                      Limits limits) {
  limits.has_clamped_share = true;
  std::optional<plan::BoundStatistic> made = bound(sql, catalog, limits);
  limits.has_clamped_share = false;
  return made ? std::move(made) : bound(sql, catalog, limits);
}

// Its rows in a file of the same kind and manner as they are, or in memory.
query::Table with_name(query::Table table, const std::string& name) {
  table.name = name;
  table.source.path.clear();
  if (table.source.kind == query::SourceKind::csv) table.source.path = name + ".csv";
  if (table.source.kind == query::SourceKind::parquet) table.source.path = name + ".parquet";
  return table;
}

// CSV with and without quotes and by other delimiters, Parquet, and rows in memory, which no public table is.
query::Table with_source(Draw& draw, query::Table table, const std::string& name) {
  using query::SourceKind;
  table.source.kind = draw.one_of<SourceKind>({SourceKind::csv, SourceKind::csv, SourceKind::csv, SourceKind::parquet,
                                               table.is_public ? SourceKind::parquet : SourceKind::arrow});
  table.source.quoted = draw.one_in(2);
  table.source.delimiter = draw.one_of<char>({',', ';', '\t', '|'});
  return with_name(std::move(table), name);
}

query::Catalog catalog_of(const std::filesystem::path& folder, const query::Table& table,
                          const std::vector<query::Table>& public_tables) {
  const query::Budget budget{Rational::of(1), Rational::of(0), "ledger", query::Filter::zcdp};
  return {folder / "catalog.toml", budget, {table}, public_tables};
}

bool is_public_count(std::uint64_t number) { return number >= first_public_count && number < first_tree; }
bool is_tree(std::uint64_t number) { return number >= first_tree && number < first_weighted; }
bool is_weighted(std::uint64_t number) { return number >= first_weighted && number < first_related; }
bool is_related(std::uint64_t number) { return number >= first_related && number < first_tables; }
bool is_of_tables(std::uint64_t number) { return number >= first_tables; }

// All that is counted of a [[table]]; small ones alone, so that many can be looked at.
std::optional<plan::BoundTables> bound_tables(const query::TableSet& set, const query::Catalog& catalog) {
  const Result<query::Query> query = query::read_query(set.statement(), catalog);
  if (!query) return std::nullopt;
  const query::Study study{"study.toml", "catalog.toml", Rational::of_decimal("0.05").value(), {}, {}, {set}};
  Result<plan::BoundStudy> bound = plan::bind(study, catalog, {}, {*query});
  if (!bound) return std::nullopt;
  std::int64_t cells = 0;
  for (const table::Columns& one : bound->tables.front().lattice->tables()) {
    cells += bound->tables.front().lattice->cells(one);
  }
  if (cells > std::int64_t{most_cells}) return std::nullopt;
  return std::move(bound->tables.front());
}

std::optional<TwinPlan> drawn_tables(Draw& draw, const query::Catalog& catalog) {
  const query::Table& table = catalog.tables.front();
  const query::TableSet set = random_tables(draw, table);
  std::optional<plan::BoundTables> tables = bound_tables(set, catalog);
  if (!tables) return std::nullopt;
  plan::BoundStatistic second = tables->counted;
  second.table = with_name(second.table, table.name + "_twin");
  const engine::Secret secret{draw.word(), draw.word()};
  return TwinPlan{set.statement(), catalog, tables->counted, std::move(second), secret, std::move(tables)};
}

query::Table drawn_declaration(Draw& draw, std::uint64_t number) {
  if (is_weighted(number)) return random_weighted(draw);
  query::Table table = random_declaration(draw);
  while (is_public_count(number) && !table.public_count) table = random_declaration(draw);
  return table;
}

std::string drawn_statement(Draw& draw, std::uint64_t number, const query::Table& table,
                            const std::vector<query::Table>& joined) {
  if (is_weighted(number) && number % 2 == 1) {
    return "SELECT COUNT(*) AS a, SUM(n) AS b, QUANTILE(n, 0.9) AS c FROM " + table.name;
  }
  if (is_related(number)) return random_relations(draw, table);
  if (is_tree(number)) {
    return "SELECT QUANTILE(n, 0.1) AS a, QUANTILE(n, 0.25) AS b, MEDIAN(n) AS c, QUANTILE(n, 0.9) AS d FROM " +
           table.name;
  }
  if (is_public_count(number)) return "SELECT AVG(n) AS a, AVG(\"x y\") AS b FROM " + table.name;
  return joined.empty() ? random_statement(draw, table) : random_join(draw, table, joined.front());
}

}  // namespace

query::Table TwinPlan::twin() const { return with_name(table(), second.table.name); }

DrawnPlan draw_plan(const std::filesystem::path& folder, std::uint64_t number) {
  Draw draw(number);
  const std::string name = "t" + std::to_string(number);
  for (;;) {
    const query::Table table = with_source(draw, drawn_declaration(draw, number), name);
    std::vector<query::Table> joined;
    if (number >= first_join && number < first_public_count)
      joined.push_back(with_source(draw, random_public(draw, table), name + "_public"));
    const query::Catalog catalog = catalog_of(folder, table, joined);
    if (is_of_tables(number)) {
      if (std::optional<TwinPlan> plan = drawn_tables(draw, catalog))
        return {*std::move(plan), random_neighbours(draw, table), {}};
      continue;
    }
    const std::string sql = drawn_statement(draw, number, table, joined);
    Limits limits{draw.one_of<std::int64_t>({1, 1, 2, 3, 5, 70}), draw.one_of<std::int64_t>({1, 1, 2, 3, 10})};
    limits.of_population = is_weighted(number) || (is_public_count(number) && number % 2 == 1);
    if (is_weighted(number)) limits.rows = 1;
    const std::optional<plan::BoundStatistic> first =
        number % 4 == 1 ? bound_with_counts(sql, catalog, limits) : bound(sql, catalog, limits);
    if (!first) continue;
    plan::BoundStatistic second = *first;
    second.table = with_name(first->table, name + "_twin");
    const engine::Secret secret{draw.word(), draw.word()};
    return {{sql, catalog, *first, second, secret},
            random_neighbours(draw, table),
            joined.empty() ? std::vector<Row>() : random_public_rows(draw, joined.front())};
  }
}

std::optional<plan::BoundStatistic> bound_again(const TwinPlan& plan, const query::Table& declaration) {
  const plan::Contribution unit = plan.first.contribution;
  return bound(plan.sql, catalog_of(plan.catalog.path.parent_path(), declaration, plan.catalog.public_tables),
               {unit.max_groups, unit.max_rows, plan.first.inference.has_clamped_share});
}

}  // namespace vernier::twin
