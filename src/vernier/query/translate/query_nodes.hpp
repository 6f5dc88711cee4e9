#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/translate/syntax.hpp"

// What the files share that write queries in plain forms.
namespace vernier::query {

// What WITH names, in its order; a query may use those before it.
struct NamedQuery {
  std::string name;
  Json node;
};
using NamedQueries = std::vector<NamedQuery>;

bool is_select(const Json& node);
bool is_join(const Json& from);
bool is_base(const Json& from);
bool is_column(const Json& node);

// The queries of WITH.
void for_each_query(Json& node, const std::function<void(const std::string& name, Json& query, Json& entry)>& visit);

// What stands behind FROM, without the joins.
std::vector<Json*> leaves_of(Json& from);

// How the statement calls it: by its alias, or its name.
std::string called(const Json& leaf);

// The query behind FROM at this place, and those that it may use; none where a table of the catalog stands there.
struct QueryAt {
  Json node;
  NamedQueries before;
};
std::optional<QueryAt> query_at(const Json& leaf, const NamedQueries& named);

// The table of the catalog that has this name, protected or public, or that of a view.
const Table* catalog_table(const Catalog& catalog, std::string_view name);

// a AND b; either may be null.
Json both(const Json& a, const Json& b);

// A SELECT * without EXCLUDE, REPLACE and the like.
bool is_plain_star(const Json& item);

// What a column of the SELECT list is called: by its alias or its own name; none of another expression.
std::string name_of_item(const Json& item);

// Whether a subquery stands anywhere in it.
bool has_query(const Json& node);

// With every column that `meant` knows replaced by what it stands for. A column of the SELECT list keeps its name.
using Meaning = std::function<std::optional<Json>(const Json& column)>;
void replace_columns(Json& node, const Meaning& meant);

// The joins of row-by-row queries with others as joins of their tables.
void write_rows_as_tables(Json& node, const NamedQueries& named, const Catalog& catalog);

// Statistics by names that begin so, under which they are selected as well.
void name_statistics(Json& node, const std::string& beginning, Json& items, std::size_t& count);

// Subqueries and queries behind FROM that publish one row of the same tables, as statistics with FILTER.
void write_queries_of_one_row(Json& node, const NamedQueries& named);

// Statistics over the groups that an inner query publishes, as statistics of their rows.
void write_totals_of_groups(Json& node, const NamedQueries& named, const Catalog& catalog);

// A query without statistics over one that has them: what it chooses and makes of published numbers.
void write_choice_as_having(Json& node, const NamedQueries& named);

}  // namespace vernier::query
