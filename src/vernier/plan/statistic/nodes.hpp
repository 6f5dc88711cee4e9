#pragma once

#include <cstdint>
#include <optional>

#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/variance.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/plan/statistic/mean.hpp"
#include "vernier/plan/statistic/moments.hpp"

// Node sums, by which means, variances and what follows from them are measured and shared: AVG, VARIANCE and STDDEV of
// x, and SUM(x) and COUNT(x) beside one of them.
namespace vernier::plan {

// Of the nodes for moments over values from 0 to `steps` (interval/rows/variance.md): the weight of a row, steps *
// fineness, is steps^2 or a multiple where that fits, else as large as fits into sums of 62 bits, into a shift of 2^26
// and, squared by the engine, into 64 bits; the fineness is at least 1. Where rows of a unit are scaled down, which
// cuts to whole parts of the weight, that is as large as fits.
std::int64_t moment_fineness(std::int64_t steps, std::int64_t row_limit, std::int64_t max_rows,
                             bool has_scaled_rows = false);

// Whether it is measured by node sums: two of a mean, three of moments.
constexpr bool has_nodes(MeasurementKind kind) { return kind == Mean::kind || kind == Moments::kind; }

// The node sums that serve the aggregation: `moments` where a variance or a deviation of the same x is asked in the
// statement, else `mean` where its mean is; none where it is measured by itself. Of a population a mean and a sum need
// their squares too, but for the mean of what has two values and no weights, and a count is measured by itself.
std::optional<MeasurementKind> nodes_for(const BoundStatistic& statistic, const query::Aggregation& aggregation);

// COUNT(*) as COUNT of the argument that has no NULL, where its values are counted in place of rows; what else is asked
// is as it is.
query::Aggregation counted_by(const BoundStatistic& statistic, query::Aggregation aggregation);

// What the nodes are taken of, and a measurement over its grid that has no tallies yet. The subject of an error, the
// column, is for the caller to add.
Result<Argument> node_argument(const BoundStatistic& statistic, const query::Aggregation& aggregation);
Measurement over_nodes(MeasurementKind kind, const Figure& figure, const Argument& x);

// Of a measurement that has them.
Result<interval::MeanNodes> nodes_of(const Measured& in);

// What may be published from node sums of this kind: counts and sums always, spreads from moments alone.
bool can_show(MeasurementKind kind, const Figure& figure);

// A count or a sum that is made from node sums: its form in them, where it can lie, and what a unit of it is worth.
struct LinearFigure {
  interval::LinearForm form;
  interval::PossibleRange possible;
  double granularity;
};
Result<LinearFigure> linear_figure(const Measurement& measurement, const interval::MeanNodes& nodes);

// Whether it is a count or a sum that is made from node sums: it then has the margin of a combination of noises, which
// is no multiple of that of one.
bool is_combined(const Measurement& measurement);

// What is published from them: what one step of the noise is worth in it, for a group of typical_rows rows, and of a
// deviation if it is a quarter of the range; the accuracy of the noise, by which a row moves it as one of a sample; the
// scale of the noise in it; and the number itself.
Result<numeric::Rational> node_step(const Measured& in);
Result<double> node_accuracy(const Measured& in, const Law& law, std::int64_t steps, Alpha alpha);
double node_spread(const Measurement& measurement);
double node_scale(const Measurement& measurement, double scale);
Result<Estimator> node_estimator(const Measured& in, const Law& law, Alpha level);

// The bounds of the values of which node sums are taken.
Result<noise::ValueRange> bounds_of(const Measurement& measurement);

}  // namespace vernier::plan
