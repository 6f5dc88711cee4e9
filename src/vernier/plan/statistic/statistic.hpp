#pragma once

#include <variant>

#include "vernier/plan/statistic/boxed.hpp"
#include "vernier/plan/statistic/count.hpp"
#include "vernier/plan/statistic/distinct.hpp"
#include "vernier/plan/statistic/mean.hpp"
#include "vernier/plan/statistic/moments.hpp"
#include "vernier/plan/statistic/pair.hpp"
#include "vernier/plan/statistic/population_slope.hpp"
#include "vernier/plan/statistic/quantile.hpp"
#include "vernier/plan/statistic/quantile_tree.hpp"
#include "vernier/plan/statistic/regression.hpp"
#include "vernier/plan/statistic/sum.hpp"
#include "vernier/plan/statistic/units.hpp"

// All statistics, and what planner, release and verifier ask of them. A statistic is one file; statistic.md says what
// it has to say of itself, and what it may leave out.
namespace vernier::plan {

// A new one: one line. Where several serve an aggregation, the first one does.
using AnyStatistic = std::variant<Boxed, Mean, Moments, Units, Count, Sum, Quantile, Distinct, QuantileTree, Pair,
                                  Regression, SlopeOfPopulation>;

AnyStatistic statistic_of(const Measured& in);

// Adds the measurement of an aggregation to the statistic, or has it share one that is there. The subject of an error,
// the column, is for the caller to add.
Result<void> measure(BoundStatistic& statistic, std::size_t aggregation);

// Adds the number of units, by which private keys are chosen; as the aggregation at this place, where it is one.
Result<void> measure_units(BoundStatistic& statistic, std::optional<std::size_t> aggregation);

// What is said of a measurement before any noise, as bind would say it.
Result<Sensitivity> sensitivity_of(const Measured& in);
Range range_of(const Measured& in);

// The names of all of them, in their order; and the figure that is published for an aggregate.
std::vector<MeasurementKind> all_kinds();
Figure figure_of(query::Aggregate aggregate);

// What the figure is of rows that are known, none where it is not defined for them; nullptr where no statistic says.
using TruthMaker = std::optional<Truth> (*)(const Figure&, query::Fraction, const KnownRows&);
TruthMaker truth_maker(const Figure& figure);

// What the engine must have been asked for.
Brought brought_by(const Measured& in);

// As many rows as it can count in a histogram.
std::int64_t most_rows(const Measured& in);

// What one row with this value adds to the measurement's tally of this number, as the engine computes it.
Int128 tally_of_row(const Measured& in, std::size_t number, double value);

// Which numbers of its grid a measurement of this kind has.
GridNumbers grid_numbers(MeasurementKind kind);

// Whether grid, figure and width are such as bind would make of this kind, and whether what it shares is there.
bool has_its_grid(const Measured& in);
bool is_well_made(const Measured& in);

// Whether the number of a group is one integer; whether its numbers over groups add up to that of the whole.
bool is_one_integer(const Measured& in);
bool adds_up(const Measured& in);

// From the tallies of a group, in the measurement's order, to its exact integers, of which `width` are written; none
// where it has a histogram. They stay where the caller keeps them: nothing is put on the heap, where it might be left.
void write_integers(const Measured& in, std::span<const Int128> tallies, std::span<Int128> out);
inline constexpr std::size_t most_tallies = 81, most_integers = 81;

// What one step of accuracy of the noise is worth in the published figure: exactly that of counts and sums with noise
// of their own; of the others about that, for a group of typical_rows rows; of weighted rows if their weights are half
// of the greatest on average.
Result<numeric::Rational> accuracy_of_step(const BoundStatistic& statistic, const Measurement& measurement);

// As published, with noise of this law of which one draw has this accuracy in steps; rounded up.
Result<double> published_accuracy(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                                  std::int64_t steps, Alpha alpha);

// The accuracy that noise of this law gives.
Result<Told> accuracy_with(const Measured& in, const Law& law, Alpha alpha);

// And back: the greatest scales of either law that keep within the measurement's target, and what the target is in
// steps of the noise, rounded down; of ranks the reach, of a tree that of one count. The subject of an error, the
// column, is for the caller to add.
Result<Scales> scales_within_target(const Measured& in, Alpha alpha);
Result<std::int64_t> target_steps(const Measured& in, Alpha alpha);

// About the greatest scales of either law (geometric, Gaussian) at which a figure that combines several noises has the
// accuracy that is its target; never greater ones. An error where no scale has it.
Result<Scales> combined_scales(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha);

// So many steps in what one unit can move.
Result<std::int64_t> steps_in_units(const Measured& in, std::int64_t steps, Alpha alpha);

// Scales of what shares a budget, from those of a number that costs as much; whether they are those of a choice, or of
// the noise of a box.
Result<Scales> free_scales(const Measured& in, const Scales& about, Alpha level);
bool is_choice(const Measured& in);
bool is_boxed(const Measured& in);

// Why it says nothing of a population; empty where it does.
std::string fault_for_population(const Measured& in);

// How its noisy integers come about, and what is published from those of a group. `threshold` where groups are
// published only if this very measurement passes it.
Result<Drawing> drawing_of(const Measured& in, const Law& law, Alpha level);
Result<Estimator> estimator_of(const Measured& in, const PlannedStatistic& planned, Alpha level);

}  // namespace vernier::plan
