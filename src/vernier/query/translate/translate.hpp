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
  std::vector<SourceInScope> sources;    // the protected table, then the public ones
  std::vector<Join> joins;               // one for each public one
  std::optional<Expression> filter;      // of the view that stands for the table
  ParseSql parse;                        // of the table's named expressions; none: these cannot be used
  std::optional<PerUnit> per_unit = {};  // what made the table's rows of those that are joined
  std::vector<Key> projected = {};       // of a subquery: what it calls its columns; empty: those of the table
};

// What WITH names, in its order: a query may use those before it.
struct CommonTable {
  std::string name;
  const Json* node;
};
using CommonTables = std::vector<CommonTable>;

// ASCII letters of either case are the same.
bool same_name(std::string_view a, std::string_view b);

Read<Expression> read_literal(const Json& node);
Read<Fraction> read_fraction(const Json& node);  // a decimal between 0 and 1, exactly as written
Read<Expression> read_column(const Json& node, const Scope& scope);
Read<Expression> read_function(const Json& node, const Scope& scope);
Read<Expression> read_expression(const Json& node, const Scope& scope);
Read<std::vector<Expression>> read_all(const Json& nodes, const Scope& scope);
// Without a copy of them: parts of parts of a statement would be copied as often as they are deep.
Read<std::vector<Expression>> read_each(const std::vector<const Json*>& nodes, const Scope& scope);

// LEAST and GREATEST, which leave out NULL; POWER(x, 2); ROUND(x) and ROUND(x, 2).
Read<Expression> read_extreme(const Json& node, bool is_least, const Scope& scope);
Read<Expression> read_power(const Json& node, const Scope& scope);
Read<Expression> read_rounded(const Json& node, const Scope& scope);
inline constexpr std::int64_t most_decimals = 9;
Result<Expression> rounded_to(const Expression& x, std::int64_t digits);

// DATE_DIFF('month', first, last); a date that is written out with an INTERVAL before or behind it.
Read<Expression> read_date_difference(const Json& node, const Scope& scope);
bool is_interval(const Json& node);
Read<Expression> read_interval_alone(const Json& node);
Read<Expression> read_whole_units(const Json& node, const Scope& scope);
Read<Expression> read_truncated_time(const Json& node, const Scope& scope);
std::optional<Read<Expression>> read_time_part(const Json& node, std::string_view part, const Expression& x);
// Dates that are compared after days were added to a column: a + INTERVAL 3 DAY < b. None where it is another
// comparison.
std::optional<Read<Expression>> read_moved_comparison(const Json& node, Operation compare, const Scope& scope);
Read<Expression> read_moved_date(const Json& node, const Json& date, const Json& interval, bool is_before,
                                 const Scope& scope);

// An expression of a kind that is accepted, without a name of its own.
Read<void> check_expression(const Json& node);

// A function call without FILTER, ORDER BY, schema or catalog, and without DISTINCT unless it counts.
Read<void> check_plain_call(const Json& node);

// What stands behind FROM: a table, or a query over one, row by row.
Read<Scope> read_from(const Json& from, const Catalog& catalog, const ParseSql& parse, const CommonTables& named = {});

// FROM and WHERE with every join as JOIN ... ON, the protected table first, wherever they mean that; none where there
// is no chain of joined tables.
struct FromWhere {
  Json from;
  Json where;
};
std::optional<FromWhere> with_plain_joins(const Json& from, const Json& where, const Catalog& catalog);

// The condition of the statement and that of what stands behind FROM.
Read<std::optional<Expression>> read_where(const Json& clause, const Scope& scope);

// The rows of a query without statistics, keys and order: its columns are expressions over those of one table. The
// nodes must outlive the call alone.
Read<Scope> read_rows(const Json& node, const std::string& alias, const Catalog& catalog, const ParseSql& parse,
                      CommonTables named);
// Behind those that are in sight, what a node's own WITH names.
Read<CommonTables> with_common_tables(const Json& node, CommonTables named);

// What a steward has named, over the columns of its table; of a view over its named expressions too.
Result<Expression> read_named(const NamedExpression& named, const Table& table, const ParseSql& parse);
Result<Expression> read_condition(const View& view, const Table& table, const ParseSql& parse);

// The named expression that the node is, by name alone; nullptr where it is something else.
const NamedExpression* named_expression(const Json& node, const Scope& scope);

// Whether the node is one SELECT without the parts that are never accepted.
Read<void> check_select(const Json& node);

// Whether a statistic has this name, as the parser writes it; whether it is one of any database, accepted or not.
bool is_statistic(std::string_view name);
bool is_aggregate(std::string_view name);
// Why a function is not accepted, and what is.
std::string refused_function(std::string_view name);

// The statistic at this place of the SELECT list; none where another expression stands there.
Read<std::optional<Aggregation>> read_aggregation(const Json& node, const Scope& scope);
Read<Query> read_select(const Json& node, const Catalog& catalog, const ParseSql& parse);

// The query that the parser's answer stands for. Errors are one sentence, with the line and a caret below the part.
Result<Query> translated(std::string_view answer, std::string_view sql, const Catalog& catalog,
                         const ParseSql& parse = {});

// GROUP BY and ORDER BY, which name parts of the SELECT list in several ways.
// One column of the SELECT list, as read.
struct Selected {
  std::string name;                // of the published column
  std::optional<Expression> key;   // either this
  std::vector<FormulaStep> steps;  // or this: a statistic, or what is made of some; a number is made of none
  std::size_t byte;                // where it stands in the statement

  // Whether it is a statistic by itself: its place.
  std::optional<std::size_t> statistic() const {
    const bool is_one = steps.size() == 1 && steps.front().operation == FormulaOperation::column;
    return is_one ? std::optional(steps.front().column) : std::nullopt;
  }
};

// What is in sight where statistics are made into numbers: rows, the statistics so far, each once, and behind the
// SELECT list what it names.
struct StatisticScope {
  const Scope& scope;
  std::vector<Aggregation>& statistics;
  const std::vector<Selected>* selected = nullptr;

  std::size_t place_of(const Aggregation& aggregation) const;  // among the statistics, to which it is added
};

// Whether a statistic of rows, or a column of them, is anywhere in it.
bool has_statistic(const Json& node);
bool has_column(const Json& node);

// A number that is made of statistics; the condition of HAVING.
Read<std::vector<FormulaStep>> read_formula(const Json& node, const StatisticScope& scope);
Read<std::vector<FormulaStep>> read_having(const Json& node, const StatisticScope& scope);

// The mean that is the quotient of two statistics; none where it is none.
std::optional<Aggregation> mean_for(const Aggregation& above, const Aggregation& below);

Read<std::vector<Selected>> read_select_list(const Json& items, const StatisticScope& scope);

// The places in the SELECT list that GROUP BY names, in its order; keys that it does not have are added behind it.
Read<std::vector<std::size_t>> read_group_by(const Json& node, std::vector<Selected>& selected, const Scope& scope);

// ORDER BY, LIMIT, OFFSET and DISTINCT.
struct OrderTerm {
  std::optional<std::size_t> key = {};  // its place among the keys
  std::vector<FormulaStep> steps = {};  // or this
  bool descending = false;
};
struct Modifiers {
  std::vector<OrderTerm> order = {};
  std::optional<std::int64_t> limit = {};
  std::int64_t offset = 0;
  bool is_distinct = false;
};
Read<Modifiers> read_modifiers(const Json& modifiers, const std::vector<Selected>& selected,
                               const std::vector<std::size_t>& keys, const StatisticScope& scope);
bool is_distinct(const Json& modifiers);

}  // namespace vernier::query
