#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/query/translate/translate.hpp"

// What the files that read FROM share.
namespace vernier::query {

// A name of one table, without a schema, a sample and the like.
Read<void> check_base(const Json& from);
std::string alias_of(const Json& base, const std::string& name);

// The column of the table that the node names, by its name or by that of the table and its own; of a scope likewise.
const Column* column_in(const Json& node, const std::string& alias, const Table& table);
const Column* column_of_scope(const Json& node, const Scope& scope);

// The conditions of which a clause is the conjunction.
std::vector<Json> conjuncts(const Json& clause);

// Columns that must be equal, as the scope and as the table name them.
struct Pair {
  std::string left;
  std::string right;
};

// What a join, EXISTS or IN says: columns that are equal, and other conditions.
struct JoinCondition {
  std::vector<Pair> pairs;
  std::vector<Json> others;
};

// The scope and a table, as statements see it, that is joined to it.
struct Sides {
  const Scope& scope;
  const Table& right;
  std::string alias;
  const Catalog& catalog;
};

// The two columns that a condition says are equal, one of each side.
std::optional<Pair> pair_of(const Json& condition, const Sides& in);

// Conditions over the other table alone.
Read<std::optional<Expression>> filter_of(const std::vector<Json>& conditions, const Sides& in);

// Of two protected tables: the pair of their units comes first, and is added where a row meets its owner's.
Read<void> put_unit_first(std::vector<Pair>& pairs, const Json& node, const Sides& in);

// SEMI JOIN and ANTI JOIN, of a public or a protected table.
Read<Scope> with_semi_join(const Json& join, Scope scope, const Catalog& catalog);

// The same of what EXISTS, NOT EXISTS, IN and NOT IN say beside other conditions; these are left in the clause.
Read<Scope> with_subqueries(Scope scope, Json& where, const Catalog& catalog);

// The conjunction of these; null of none.
Json all_of(const std::vector<Json>& conditions);

// FROM and WHERE of a SELECT, in which a comma and its conditions have become JOIN and ON.
struct Sources {
  Json from;
  Json where;
};
Sources sources_of(const Json& node, const Catalog& catalog, const CommonTables& common);

// A protected table with the same units behind JOIN. Refused where the join does not say that the units are equal.
Read<Scope> with_unit_join(const Json& join, Scope scope, const Table& right, const Catalog& catalog);

// A query behind FROM with GROUP BY: what it makes of the rows of the scope for each unit.
Read<Scope> read_per_unit(const Json& node, const std::string& alias, Scope scope);

// A condition of rows beside those that the scope has.
Read<Scope> with_condition(Scope scope, const Json& condition);

}  // namespace vernier::query
