#pragma once

#include <optional>

#include "vernier/plan/bound_study.hpp"

// What is measured by node sums, and shared: AVG, VARIANCE and STDDEV of x, and SUM(x) and COUNT(x) beside one of them.
namespace vernier::plan {

// The node sums that serve the aggregation: `moments` where a variance or a deviation of the same x is asked in the
// statement, else `mean` where its mean is; none where it is measured by itself. Of a population a mean and a sum need
// their squares too, but for the mean of what has two values and no weights, and a count is measured by itself.
std::optional<MeasurementKind> nodes_for(const BoundStatistic& statistic, const query::Aggregation& aggregation);

// The measurement of such an aggregation; where the statistic has these node sums already, one that shares them. The
// sentence of an error is the end of one that names the column.
Result<Measurement> measured_by_nodes(BoundStatistic& statistic, const query::Aggregation& aggregation,
                                      MeasurementKind kind);

}  // namespace vernier::plan
