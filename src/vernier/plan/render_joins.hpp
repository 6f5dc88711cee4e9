#pragma once

#include <string>

#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {

// What rows are counted from: the view of the table, or a SELECT in brackets that adds the columns of joined tables
// to it. Every row of the table is in it at most once, whatever the public tables hold.
std::string joined_rows(const BoundStatistic& statistic);

// The public table with one row for each key: keys as " key 0", ..., the columns that it brings as " value 0", ...; no
// name of a catalog begins with a blank. Where a key has several rows, the least of each column stands for them; the
// engine refuses such a table before it comes to that.
std::string public_rows(const BoundJoin& join);

// A statement that gives one key that several rows of the public table have, as texts; no row where there is none.
std::string repeated_key(const BoundJoin& join);

}  // namespace vernier::plan
