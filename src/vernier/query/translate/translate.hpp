#pragma once

#include <functional>

#include "vernier/query/catalog.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/translate/syntax.hpp"

// From the parser's tree to Vernier's own words. Field accesses may throw Json::exception where a field has another
// type than ever seen; translated() turns that into a refusal.
namespace vernier::query {

// DuckDB's parser, which answers with a tree as JSON.
using ParseSql = std::function<Result<std::string>(std::string_view)>;

// What the statement calls a table, and which of the columns in sight are its own.
struct SourceInScope {
  std::string alias;
  std::size_t first;  // among the columns of the scope's table
  std::size_t count;
};

// The names in sight: the columns of a protected table, and behind them those of the public tables that are joined to
// it. No two have one name.
struct Scope {
  Table table;
  std::vector<SourceInScope> sources;  // the protected table, then the public ones
  std::vector<Join> joins;             // one for each public one
  std::optional<Expression> filter;    // of the view that stands for the table
  ParseSql parse;                      // of the table's named expressions; none: these cannot be used
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

// What stands behind FROM.
Read<Scope> read_from(const Json& from, const Catalog& catalog, const ParseSql& parse);

// What a steward has named, over the columns of its table; of a view over its named expressions too.
Result<Expression> read_named(const NamedExpression& named, const Table& table, const ParseSql& parse);
Result<Expression> read_condition(const View& view, const Table& table, const ParseSql& parse);

// The named expression that the node is, by name alone; nullptr where it is something else.
const NamedExpression* named_expression(const Json& node, const Scope& scope);

// Whether the node is one SELECT without the parts that are never accepted.
Read<void> check_select(const Json& node);

// Whether a statistic has this name, as the parser writes it.
bool is_statistic(std::string_view name);

// The statistic at this place of the SELECT list; none where another expression stands there.
Read<std::optional<Aggregation>> read_aggregation(const Json& node, const Scope& scope);
Read<Query> read_select(const Json& node, const Catalog& catalog, const ParseSql& parse);

// The query that the parser's answer stands for. Errors are one sentence, with the line and a caret below the part.
Result<Query> translated(std::string_view answer, std::string_view sql, const Catalog& catalog,
                         const ParseSql& parse = {});

// GROUP BY and ORDER BY, which name parts of the SELECT list in several ways.
// One column of the SELECT list, as read.
struct Selected {
  std::string name;                        // of the published column
  std::optional<Expression> key;           // either this
  std::optional<Aggregation> aggregation;  // or this
  std::size_t byte;                        // where it stands in the statement
};

Read<std::vector<Selected>> read_select_list(const Json& items, const Scope& scope);

// The places in the SELECT list that GROUP BY names, in its order.
Read<std::vector<std::size_t>> read_group_by(const Json& node, const std::vector<Selected>& selected,
                                             const Scope& scope);

// The order of the rows, by keys at these places.
Read<std::vector<KeyOrder>> read_order_by(const Json& modifiers, const std::vector<Selected>& selected,
                                          const std::vector<std::size_t>& keys, const Scope& scope);

}  // namespace vernier::query
