#pragma once

#include "vernier/plan/bound_study.hpp"

// Arguments of statistics as integers on a grid.
namespace vernier::plan {

// Of COUNT(x): only whether it is NULL is asked.
Argument presence_of(const query::Expression& x);

// Of COUNT(DISTINCT x): the values themselves, as GROUP BY would tell them apart.
Argument value_of(const query::Expression& x);

// Of SUM: integers as they are, a real column in steps of its declared granularity, any other real in steps of the
// greatest power of two of which its span has 2^20. The sentence of an error is the end of one that names the column.
Result<Argument> summed(const query::Expression& x, const query::Table& table);

// Of AVG: the same, counted from the lower bound on; refuses what is the same in all rows.
Result<Argument> averaged(const query::Expression& x, const query::Table& table);

// Of a quantile: the same, of which no sum is taken.
Result<Argument> ranked(const query::Expression& x, const query::Table& table);

// The square of an argument that counts from its lower bound on, for the node sums of moments.
Argument squared(const Argument& x, std::int64_t fineness, bool is_from_above);

}  // namespace vernier::plan
