#pragma once

#include "vernier/plan/bound_study.hpp"

// Means over a whole table whose number of rows is public: public_count.md.
namespace vernier::plan {

// Whether a measurement rests on the public number of rows. That number is then the first of its integers, and has no
// noise.
constexpr bool has_public_count(MeasurementKind kind) {
  return kind == MeasurementKind::public_mean || kind == MeasurementKind::public_moments;
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

// The measurement of such a mean; where the statistic has it already, one that shares it. The sentence of an error is
// the end of one that names the column.
Result<Measurement> measured_by_public_count(BoundStatistic& statistic, const query::Aggregation& aggregation);

// Of such a measurement of a table without groups.
Result<Sensitivity> public_count_sensitivity(const BoundStatistic& statistic, const Measurement& measurement);

}  // namespace vernier::plan
