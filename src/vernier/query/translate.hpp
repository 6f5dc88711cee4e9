#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/syntax.hpp"

// From the parser's tree to Vernier's own words. Field accesses may throw Json::exception where a field has another
// type than ever seen; translated() turns that into a refusal.
namespace vernier::query {

// The names in sight: the columns of one table, and what the statement calls the table.
struct Scope {
  const Table& table;
  std::string alias;
};

// ASCII letters of either case are the same.
bool same_name(std::string_view a, std::string_view b);

Read<Expression> read_literal(const Json& node);
Read<Fraction> read_fraction(const Json& node);  // a decimal between 0 and 1, exactly as written
Read<Expression> read_column(const Json& node, const Scope& scope);
Read<Expression> read_function(const Json& node, const Scope& scope);
Read<Expression> read_expression(const Json& node, const Scope& scope);
Read<std::vector<Expression>> read_all(const Json& nodes, const Scope& scope);

// An expression of a kind that is accepted, without a name of its own.
Read<void> check_expression(const Json& node);

// A function call without FILTER, ORDER BY, schema or catalog, and without DISTINCT unless it counts.
Read<void> check_plain_call(const Json& node);

// Whether a statistic has this name, as the parser writes it.
bool is_statistic(std::string_view name);

// The statistic at this place of the SELECT list; none where another expression stands there.
Read<std::optional<Aggregation>> read_aggregation(const Json& node, const Scope& scope);
Read<Query> read_select(const Json& node, const Catalog& catalog);

// The query that the parser's answer stands for. Errors are one sentence, with the line and a caret below the part.
Result<Query> translated(std::string_view answer, std::string_view sql, const Catalog& catalog);

}  // namespace vernier::query
