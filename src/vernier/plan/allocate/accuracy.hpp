#pragma once

#include <array>

#include "vernier/interval/statement.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/plan.hpp"

// At which level each interval of a statistic holds, and how accurate it is with given noise: of the rows, and of their
// population.
namespace vernier::plan {

// The study's alpha; where all intervals of the statistic are to hold at once, what each of them may miss with so many
// groups (interval/simultaneous.md). Groups, and measurements with noise of their own, are independent; what shares
// noise is not, and of a population nothing is taken to be, since all columns rest on the same rows.
Result<Alpha> level_of(const BoundStatistic& statistic, std::size_t measurement, Alpha together, std::int64_t groups);

// The groups that there will be: of public keys all; of private ones nobody knows, and a plan speaks of one by itself.
std::int64_t planned_groups(const BoundStatistic& statistic);

// Those of a release with so many rows; one at least.
std::int64_t released_groups(const BoundStatistic& statistic, std::size_t rows);

// From the noise of a measurement to the accuracy of what is published from it.

// What one step of accuracy of the noise is worth in the published figure: exactly that of counts and sums with noise
// of their own; of the others about that, for a group of typical_rows rows, and of a deviation if it is a quarter of
// the range; of weighted rows if their weights are half of the greatest on average.
Result<numeric::Rational> accuracy_of_step(const BoundStatistic& statistic, const Measurement& measurement);

// As published, with noise of this law of which one draw has this accuracy in steps; rounded up.
Result<double> published_accuracy(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                                  std::int64_t steps, Alpha alpha);

// Whether it is a count or a sum that is made from node sums: it then has the margin of a combination of noises, which
// is no multiple of that of one.
bool is_combined(const Measurement& measurement);

// About the greatest scales of either law (geometric, Gaussian) at which such a figure has the accuracy that is its
// target; never greater ones. An error where no scale has it.
Result<std::array<double, 2>> combined_scales(const BoundStatistic& statistic, const Measurement& measurement,
                                              Alpha alpha);

// What a plan says of intervals for a population. It depends on the rows, and is told for a group of typical_rows of
// them whose standard deviation is a quarter of the range, half of it for a proportion; of a sum, for values of half
// the larger bound; with survey weights, for weights that lie evenly between 0 and the greatest, and of a total as long
// as the interval of these is. The interval of a release follows from its rows, and is longer where these differ from
// that.
// What is public of how the rows were drawn; weights in steps.
interval::Design design_of(const BoundStatistic& statistic);

// Noise of this accuracy, at alpha, and the sampling error together; of what is known about, rounded up.
double population_accuracy(const BoundStatistic& statistic, const Measurement& measurement, double noise, Alpha alpha);

// The accuracy that the noise must have for the measurement's target to be met: the target itself, or of a population
// what sampling error leaves of it. The sentence of an error is the end of one that names the column.
Result<numeric::Rational> noise_target(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha);

// What ranks of a population's quantile count: rows, or steps of their weights, of which this is the greatest.
std::optional<std::int64_t> greatest_weight(const BoundStatistic& statistic);

// How many ranks typical_rows have; of weights, where these lie evenly between 0 and the greatest.
std::int64_t typical_ranks(const BoundStatistic& statistic);

// How far from a quantile its ends are wanted: of the rows, or of their population for typical_rows of them.
Result<std::int64_t> reach_of(const BoundStatistic& statistic, const noise::Exponential& law,
                              const noise::RankStatistic& ranked, Alpha alpha);

}  // namespace vernier::plan
