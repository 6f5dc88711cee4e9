#pragma once

#include <string>

#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/expression.hpp"

// What is accepted, in the names of the reader's own catalog: sentences about what is refused end with it.
namespace vernier::query {

// The name as a statement can write it: in double quotes where it must be.
std::string written(std::string_view name);

// The expression, with names as a statement can write them.
std::string written(const Expression& x);

// "age >= 60": a condition over a column of the table.
std::string example_condition(const Table& table);

// "SELECT region, COUNT(*) FROM people GROUP BY region"
std::string example_statement(const Table& table);

// Of the first protected table.
std::string example_statement(const Catalog& catalog);

}  // namespace vernier::query
