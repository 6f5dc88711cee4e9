#pragma once

#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/query/dialect/dialect.hpp"

// The tables from which rows are counted, as SQL. Names that begin with a blank are no names of a catalog.
namespace vernier::plan {

// What names a unit, or is looked up in a table to find one: as it is stored, since two of them must not become one.
std::string identity(const query::Column& column, const query::Dialect& in);

// A key is its column as it counts everywhere: within its bounds, NULL where it has no value.
std::vector<std::string> keys_of(const std::vector<query::Column>& columns, const query::Dialect& in);
std::string key_name(std::size_t i, const query::Dialect& in);    // " key 0"
std::string value_name(std::size_t i, const query::Dialect& in);  // " value 0"

// The rows of a protected table with the unit of each behind its columns, where it has that by way of another table: a
// row is there once for each of its owners.
std::string owned_rows(const query::Table& declared, const query::Dialect& in);

// A protected table as others are joined to it: what must be equal as " key 0", ..., the first of which is the unit,
// and the columns that it brings as " value 0", ...
std::string unit_rows(const BoundJoin& join, const query::Dialect& in);

// What rows make for each unit: a SELECT in brackets, whose columns are those of query::per_unit_table.
std::string per_unit_rows(const std::string& rows, const query::PerUnit& asked, const BoundPerUnit& bound,
                          const query::Dialect& in);

// The rows with those of another table beside them, as a SELECT in brackets.
std::string with_join(const std::string& rows, const BoundJoin& join, const query::Dialect& in);

// The rows of a table that a statement makes: its parts with UNION ALL between them, as a SELECT in brackets.
std::string made_rows(const query::Table& table, const query::Dialect& in);

}  // namespace vernier::plan
