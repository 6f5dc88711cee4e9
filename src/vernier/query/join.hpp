#pragma once

#include <string>
#include <vector>

#include "vernier/query/catalog.hpp"

// Joins with public tables. A row of the protected table finds at most one row of a public one, by its own values
// alone, so that no unit gets more rows than it had (plan/join.md).
namespace vernier::query {

struct Join {
  std::string table;                 // a public one of the catalog
  std::vector<std::string> columns;  // of USING, as the columns to the left are named; none twice
  bool keeps_all = false;            // LEFT JOIN: a row that finds nothing stays, with NULL in the columns of the table

  friend bool operator==(const Join&, const Join&) = default;
};

// Why the tables cannot be joined so, as a sentence that says what to do; empty where they can. `left` is what was
// joined so far.
std::string fault_of_join(const Table& left, const Table& right, const std::vector<std::string>& columns);

// The left table with the columns of the right one that USING does not name behind its own.
Table joined(Table left, const Table& right, const std::vector<std::string>& columns);

}  // namespace vernier::query
