#pragma once

#include <functional>

#include "vernier/query/translate/translate.hpp"

// Subqueries that are tied to the row outside of them, as columns of tables that are joined to it.
namespace vernier::query {

// The queries of the subqueries of a statement, but for those behind FROM.
std::vector<Json*> subqueries_of(Json& node);

// The table that a query makes, under this name or one like it.
using MakeTable = std::function<Read<const Table*>(const Json& query, const std::string& name)>;

// `x > (SELECT AVG(x) FROM t WHERE t.unit = s.unit)`, `EXISTS (...) OR ...`, `unit IN (SELECT unit FROM t GROUP BY unit
// HAVING ...)`: what the other table has for the unit of the row is a row of a table that is joined by it. What is none
// of these stays as it is.
Read<void> write_looked_up(Json& node, const Catalog& catalog, const CommonTables& named, const MakeTable& make);

}  // namespace vernier::query
