#include "vernier/query/duckdb/sql.hpp"

#include "vernier/query/duckdb/parser.hpp"
#include "vernier/query/toml/reader.hpp"
#include "vernier/query/translate/spelling.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

namespace vernier::query {

Result<Query> read_query(std::string_view sql, const Catalog& catalog) {
  if (const Result<void> checked = check_statement(sql); !checked) return Failure(checked.error());
  const std::string text = respelled(sql);
  return parsed(text).and_then([&](const std::string& answer) { return translated(answer, text, catalog, parsed); });
}

Result<Expression> meaning_of(const NamedExpression& named, const Table& table) {
  return read_named(named, table, parsed);
}

Result<Expression> condition_of(const View& view, const Catalog& catalog) {
  const Table* const table = catalog.table(view.table);
  if (table == nullptr) return invalid("the catalog has no table '" + view.table + "'");
  return read_condition(view, *table, parsed);
}

Reading<Catalog> with_definitions(Reading<Catalog> reading) {
  if (!reading.content) return reading;
  const Catalog& catalog = *reading.content;
  std::vector<Problem> problems;
  for (const Table& table : catalog.tables) {
    for (const NamedExpression& named : table.expressions) {
      const Result<Expression> x = meaning_of(named, table);
      if (!x) problems.push_back({named.sql_place, after("the expression " + in_quotes(named.name) + ": ", x.error())});
    }
  }
  for (const View& view : catalog.views) {
    const Result<Expression> x = condition_of(view, catalog);
    if (!x) problems.push_back({view.where_place, after("the view " + in_quotes(view.name) + ": ", x.error())});
  }
  return settled(*std::move(reading.content), std::move(problems));
}

}  // namespace vernier::query
