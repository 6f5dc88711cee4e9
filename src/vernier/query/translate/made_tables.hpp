#pragma once

#include "vernier/query/translate/translate.hpp"

// Queries where tables stand, as tables that the statement makes (query/made.hpp).
namespace vernier::query {

// UNION ALL behind FROM, what is added up for each unit behind JOIN, and what conditions look up in other tables: each
// becomes a table of the catalog, which the statement names in place of it.
Read<void> write_made_tables(Json& node, Catalog& catalog, const ParseSql& parse, const CommonTables& named = {});

// Of those that the tables of a query are, and are made of.
std::vector<MadeTable> made_of(const Query& query, const Catalog& catalog);

// A table behind FROM that was made has this in place of a schema, so that no query of WITH is meant.
inline constexpr const char* made_schema = " made";
bool is_made(const Json& base);
Json base_of(const Json& at, const std::string& name, const std::string& alias);

}  // namespace vernier::query
