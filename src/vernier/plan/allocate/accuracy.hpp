#pragma once

#include "vernier/interval/statement.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/plan/statistic/parts.hpp"

// At which level each interval of a statistic holds, and how accurate it is with given noise: of the rows, and of their
// population.
namespace vernier::plan {

// The statistic's alpha, which is its study's unless it has its own; where all intervals of the statistic are to hold
// at once, what each of them may miss with so many groups (interval/simultaneous.md). Groups, and measurements with
// noise of their own, are independent; what shares noise is not, and of a population nothing is taken to be, since all
// columns rest on the same rows. Ends of a quantile are chosen for one level: where it is a part of a formula, for that
// of a part.
Result<Alpha> level_of(const BoundStatistic& statistic, std::size_t measurement, Alpha of_study, std::int64_t groups);

// The measurement that a statistic of the query is published from.
std::size_t measurement_of(const BoundStatistic& statistic, std::size_t aggregation);

// At which level the statistics in a formula are taken, so that all of them hold at once, and with them the image of
// their box: as above, of the formula's parts in place of all columns. `of` is the measurement of one of them. Where
// all intervals of the statistic hold at once, or there is one part, that is the level at which they are published.
Result<Alpha> level_of_part(const BoundStatistic& statistic, const query::Formula& formula, std::size_t of,
                            Alpha of_study, std::int64_t groups);

// The groups that there will be: of public keys all; of private ones nobody knows, and a plan speaks of one by itself.
std::int64_t planned_groups(const BoundStatistic& statistic);

// Those of a release with so many rows; one at least.
std::int64_t released_groups(const BoundStatistic& statistic, std::size_t rows);

// What a plan says of intervals for a population. It depends on the rows, and is told for a group of typical_rows of
// them whose standard deviation is a quarter of the range, half of it for a proportion; of a sum, for values of half
// the larger bound; with survey weights, for weights that lie evenly between 0 and the greatest, and of a total as long
// as the interval of these is. The interval of a release follows from its rows, and is longer where these differ from
// that.

// What is public of how the rows were drawn; weights in steps.
interval::Design design_of(const BoundStatistic& statistic);

// What an interval for a population is asked to hold.
interval::Assurance assurance_of(const BoundStatistic& statistic);

// Noise of this accuracy, at alpha, and the sampling error together; of what is known about, rounded up. `spread` is
// the standard deviation of what a row adds to the figure, or to the sums that it is made from.
double population_accuracy(const Measured& in, double spread, double noise, Alpha alpha);

// The accuracy that the noise must have for the measurement's target to be met: the target itself, or of a population
// what sampling error leaves of it. The subject of an error, the column, is for the caller to add.
Result<numeric::Rational> noise_target(const Measured& in, double spread, Alpha alpha);

// What ranks of a population's quantile count: rows, or steps of their weights, of which this is the greatest.
std::optional<std::int64_t> greatest_weight(const BoundStatistic& statistic);

// How many ranks typical_rows have; of weights, where these lie evenly between 0 and the greatest.
std::int64_t typical_ranks(const BoundStatistic& statistic);

// How far from a quantile its ends are wanted: of the rows, or of their population for typical_rows of them.
Result<std::int64_t> reach_of(const BoundStatistic& statistic, const noise::Exponential& law,
                              const noise::RankStatistic& ranked, Alpha alpha);

}  // namespace vernier::plan
