#pragma once

#include "vernier/plan/statistic/mean.hpp"
#include "vernier/plan/statistic/moments.hpp"

// Means over a whole table whose number of rows is public: public_count.md.
namespace vernier::plan {

// Whether a measurement rests on the public number of rows. That number is then the first of its integers, and has no
// noise.
constexpr bool has_public_count(MeasurementKind kind) {
  return kind == Mean::public_kind || kind == Moments::public_kind;
}

// How many of a measurement's integers are published as they are: those that neighbours have in common.
constexpr std::size_t public_integers(MeasurementKind kind) { return has_public_count(kind) ? 1 : 0; }

// Whether any measurement of the statistic does.
bool rests_on_public_count(const BoundStatistic& statistic);

// Whether the rows that count are all rows of a table that has as many in all neighbours: the catalog says so, every
// row is a unit that is replaced, and nothing is filtered, grouped or joined.
bool has_all_rows_of_public_count(const BoundStatistic& statistic);

// Whether the aggregation is a mean that can be had from the public number of rows: of what is never NULL, over all
// rows, where nothing else is asked of the same values that would share its sums. Not of weighted rows: their number
// says little of their weight.
bool can_use_public_count(const BoundStatistic& statistic, const query::Aggregation& aggregation);

// Whether it has a value in every row: it cannot be NULL, or the catalog says that it never is.
bool has_no_null(const query::Expression& x, const query::Table& table);

// Its argument, with a value in every row. The subject of an error, the column, is for the caller to add.
Result<Argument> complete_argument(const BoundStatistic& statistic, const query::Aggregation& aggregation);

// An expression that `has_no_null`, with a value in every row, whatever stands there.
Result<query::Expression> complete_expression(const query::Expression& x, const query::Table& table);

// What is published from the number of rows and the sums behind it: of the rows from one sum, of the population from
// node sums.
Result<Estimator> public_count_estimator(const Measured& in, const Law& law, Alpha level);

}  // namespace vernier::plan
