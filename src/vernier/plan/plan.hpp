#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vernier/accounting/accountant.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/noise/box.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/table/noise.hpp"

// What will be released, with which noise, how accurate it will be and what it costs: a function of catalog and study.
namespace vernier::plan {

// Additive noise, the choice of a quantile's ends, or the noise of several numbers at once.
using AdditiveLaw = std::variant<noise::Geometric, noise::DiscreteGaussian>;
using Law = std::variant<noise::Geometric, noise::DiscreteGaussian, noise::Exponential, noise::Box>;
std::string_view name_of(const Law& law);  // "geometric", "discrete-gaussian", "exponential" or "box"
double scale_of(const Law& law);
std::optional<AdditiveLaw> additive(const Law& law);  // none of a choice and of a box

// The noise of a measurement, in steps of its grid.
struct PlannedNoise {
  Law law;
  std::int64_t accuracy_steps;  // the least a with P[abs(noise) > a] <= alpha; of a choice the reach of the ends
  double accuracy;              // as published, rounded up; about, for a group of typical_rows rows, unless linear;
                                // in ranks where the figure is
  double share;                 // of the plan's cost; all shares add up to 1; 0 of what is shared
};

// The rule by which private keys are published, and what it lets through.
struct PublishedChance {
  std::int64_t units;
  Bounds chance;  // that a group of so many units is published
};
struct KeyPlan {
  std::int64_t threshold;  // published where units + noise is at least this
  double delta;            // the chance, at most, that a unit is given away by a key of its own
  std::vector<PublishedChance> forecast;
};

struct PlannedStatistic {
  std::vector<PlannedNoise> noise;  // one per measurement
  std::optional<KeyPlan> keys;      // of private ones
};

// The noise of a [[table]], and what it makes of its tables.
struct PlannedTables {
  double scale;                    // times the deviations of the design
  double share;                    // of the plan's cost
  table::Laws laws;                // of the contrasts of each residual
  std::vector<double> deviations;  // of a cell of each table
  std::vector<double> accuracies;  // of each table: its cells lie within this, but for alpha; proven
  // A dual point, one number for each table, and the part of the cost, at most, that it leaves for other variances to
  // save: nobody who has it needs to trust a solver.
  std::vector<double> multipliers = {};
  double gap = 0;
};

struct Plan {
  BoundStudy study;
  std::vector<PlannedStatistic> statistics;  // one per statistic of the study
  std::vector<accounting::Event> events;     // everything that is given away
  privacy::Delta delta;                      // the total is stated at this delta
  double epsilon;                            // the least, from above
  accounting::Method method;                 // that proves it
  std::vector<PlannedTables> tables = {};    // one per [[table]] of the study
};

// The plan of least cost that meets every target; columns without one share what the budget leaves, by weight, so that
// the worst of weight * accuracy / (what one unit can move) is least. An error where the budget cannot meet the
// targets tells the epsilon that would.
Result<Plan> allocate(const BoundStudy& study);

// The same with other totals in place of the study's budget: what each of them would buy. All noise of the plan keeps
// its proportions. Progress is reported after each total; an error of kind system where it says no.
Result<std::vector<Plan>> allocate_at(const BoundStudy& study, const std::vector<privacy::Epsilon>& epsilons,
                                      const Progress& progress = nobody_watches);

// Every fact of the plan in one text, the same for the same catalog and study; its hash goes into the release.
std::string canonical(const Plan& plan);

// What a measurement is published as; "(units)" where it serves the keys alone.
std::string column_of(const BoundStatistic& statistic, const Measurement& measurement);

// The scale of the noise in the published number: in ranks where the figure is; of one row where the number of rows
// divides it.
double published_scale(const BoundStatistic& statistic, const Measurement& measurement, const PlannedNoise& noise);

// Whether its accuracy depends on the rows, so that a plan tells it for typical ones.
bool is_about(const BoundStatistic& statistic, const Measurement& measurement);

// "person_id", or "row".
std::string unit_of(const BoundStudy& study);

}  // namespace vernier::plan
