#pragma once

#include <cstdint>
#include <optional>

#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/plan/bound_study.hpp"

// Node sums, by which means, variances and what follows from them are measured.
namespace vernier::plan {

// Of the nodes for moments over values from 0 to `steps` (interval/rows/variance.md): the weight of a row, steps *
// fineness, is steps^2 or a multiple where that fits, else as large as fits into sums of 62 bits, into a shift of 2^26
// and, squared by the engine, into 64 bits; the fineness is at least 1.
std::int64_t moment_fineness(std::int64_t steps, std::int64_t row_limit, std::int64_t max_rows);

// Whether it is measured by node sums: two of a mean, three of moments.
constexpr bool has_nodes(MeasurementKind kind) {
  return kind == MeasurementKind::mean || kind == MeasurementKind::moments;
}

// Of a measurement that has them.
Result<interval::MeanNodes> nodes_of(const Measurement& measurement);

// What may be published from node sums of this kind: counts and sums always, spreads from moments alone.
bool can_show(MeasurementKind kind, Figure figure);

// A count or a sum that is made from node sums: its form in them, where it can lie, and what a unit of it is worth.
struct LinearFigure {
  interval::LinearForm form;
  interval::PossibleRange possible;
  double granularity;
};
Result<LinearFigure> linear_figure(const Measurement& measurement, const interval::MeanNodes& nodes);

// What is measured by node sums, and shared: AVG, VARIANCE and STDDEV of x, and SUM(x) and COUNT(x) beside one of them.

// The node sums that serve the aggregation: `moments` where a variance or a deviation of the same x is asked in the
// statement, else `mean` where its mean is; none where it is measured by itself. Of a population a mean and a sum need
// their squares too, but for the mean of what has two values and no weights, and a count is measured by itself.
std::optional<MeasurementKind> nodes_for(const BoundStatistic& statistic, const query::Aggregation& aggregation);

// The measurement of such an aggregation; where the statistic has these node sums already, one that shares them. The
// sentence of an error is the end of one that names the column.
Result<Measurement> measured_by_nodes(BoundStatistic& statistic, const query::Aggregation& aggregation,
                                      MeasurementKind kind);

// Node sums of weighted rows: survey_weight.md.

// Whether the node sums of x stay within 62 bits, whatever the weights are. The sentence of an error is the end of one
// that names the column.
Result<void> check_weighted(const BoundStatistic& statistic, const Argument& x);

// The same of the sum of x itself, which counts from 0 on and not from its lower bound.
Result<void> check_weighted_sum(const BoundStatistic& statistic, const Argument& x);

// How many members of the population the rows stand for: COUNT(x), and where there is no x COUNT(*).
Result<Measurement> weighted_count(BoundStatistic& statistic, const std::optional<query::Expression>& x);

// Whether weighted ranks stay within their bits, and the argument that is the weight of rows; none where they have
// none.
Result<void> check_weighted_ranks(const BoundStatistic& statistic, const Measurement& quantile);
std::optional<std::size_t> weight_argument(BoundStatistic& statistic);

// The argument times the row's weight; itself where rows have none.
Argument weighted(const BoundStatistic& statistic, Argument argument);

// The tally that tells what all nodes add up to: the values of the argument at `below`, each of which adds as much, or
// the sum of what weighted rows of x add.
std::size_t total_tally(BoundStatistic& statistic, const Argument& x, std::size_t below, std::int64_t fineness);

}  // namespace vernier::plan
