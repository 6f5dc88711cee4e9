#include "vernier/query/duckdb_query.hpp"

#include "vernier/query/duckdb_parser.hpp"
#include "vernier/query/sql_text.hpp"
#include "vernier/query/translate.hpp"

namespace vernier::query {

Result<Query> read_query(std::string_view sql, const Catalog& catalog) {
  return check_statement(sql).and_then([&] { return parsed(sql); }).and_then([&](const std::string& answer) {
    return translated(answer, sql, catalog, parsed);
  });
}

}  // namespace vernier::query
