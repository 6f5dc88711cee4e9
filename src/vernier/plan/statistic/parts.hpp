#pragma once

#include <array>
#include <functional>
#include <span>
#include <variant>

#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/count_tree.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/noise/value_choice.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/truth.hpp"

// What all statistics are written with. statistic.hpp has the list of them.
namespace vernier::plan {

// A measurement in the statistic that it belongs to. While it is being bound, its place is behind the last one.
struct Measured {
  const BoundStatistic& statistic;
  const Measurement& one;
  std::size_t place;

  bool is_of_population() const { return statistic.inference.of_population && one.aggregation; }
  bool has_scaled_rows() const { return statistic.table.unit.has_value(); }  // of a unit with more than count
  bool is_weighted() const { return statistic.weighted.has_value(); }
  Groups groups() const { return statistic.keys.groups(); }
  privacy::Neighbours neighbours() const { return statistic.table.neighbours; }
};

inline Measured measured_at(const BoundStatistic& statistic, std::size_t place) {
  return {statistic, statistic.measurements[place], place};
}

// Of the grid of a measurement: which of its numbers say something. The others are 0, granularity and fineness 1.
enum class GridNumbers : std::uint8_t {
  none,
  granularity,  // what a step is worth
  bounds,       // and where values begin and end
  squares,      // and how fine the squares of these are
  pair,         // and the same of a second column
  columns,      // of any number of columns
};

// When a column is made from the noisy integers of one before it.
enum class Sharing : std::uint8_t {
  never,        // each has noise of its own
  same_number,  // the same number under another name
  same_sums,    // any figure that follows from the same sums
  same_box,     // any figure of what is released together
};

// An aggregate that a statistic measures, and the figure that is then published.
struct Served {
  query::Aggregate aggregate;
  Figure figure;
};
template <class Statistic>
constexpr Figure figure_of(query::Aggregate aggregate) {
  for (const Served& one : Statistic::served) {
    if (one.aggregate == aggregate) return one.figure;
  }
  return {};
}

// Where the exact integers of a measurement can lie.
struct Range {
  Int128 least;
  Int128 greatest;
};

// Scales of noise, of the geometric and of the discrete Gaussian law.
using Scales = std::array<double, 2>;

// How accurate a measurement is with noise of a law: in steps of the noise, and as published.
struct Told {
  std::int64_t steps;
  double accuracy;
};

// A number with its margin, from noisy integers. Counts, and sums on a whole grid, are whole numbers.
struct Estimate {
  double value;
  double accuracy;
  interval::Interval interval;
  bool is_whole;
  interval::Status coverage;
  interval::Covers covers;
  bool informative = true;    // false: the interval is all that the bounds allow
  bool may_be_empty = false;  // of a mean: the group may have no row at all
};

// The number of one group, from what its measurement gave with noise.
using Estimator = std::function<Result<Estimate>(std::span<const std::int64_t> noisy)>;

// Of an interval type that has one status for all.
template <class Found>
Estimate estimate_of(const Found& found, interval::Status status) {
  return {.value = found.value,
          .accuracy = found.accuracy,
          .interval = found.interval,
          .is_whole = false,
          .coverage = status,
          .covers = Found::covers,
          .informative = found.informative,
          .may_be_empty = found.may_be_empty};
}

// Where a number in steps can lie, and what a step is worth.
struct Scale {
  double granularity;
  interval::PossibleRange possible;
  bool is_whole;
};

Estimate scaled(const interval::AdditiveInterval& units, const Scale& scale);

// How the noisy integers of a measurement come about.
struct AddedNoise {  // noise of its own for each but the first `kept`, which are public
  AdditiveLaw law;
  std::size_t kept;
};
template <class Reach>
struct ChosenPoints {  // two ends as far away as `reach` asks for, or two ends and a value between them
  noise::Exponential law;
  noise::RankStatistic statistic;
  Reach reach;
};
struct TreeEnds {  // the ends of several quantiles, read from one tree of noisy counts
  struct Wanted {
    noise::RankStatistic statistic;
    std::int64_t reach;
  };
  noise::CountTree tree;
  AdditiveLaw law;
  std::vector<Wanted> wanted;
};
struct BoxedNumbers {  // noise for all integers of a group at once
  noise::Box law;
  std::vector<std::int64_t> halves;  // how far a row moves each of them, at most
};
using Drawing =
    std::variant<AddedNoise, ChosenPoints<noise::RankReach>, ChosenPoints<noise::ValueReach>, TreeEnds, BoxedNumbers>;

// The expression of a grid that is asked for: a record has it as text alone.
const query::Expression& unread();

// What bind has the engine bring for a measurement, without the expressions: arguments, in the order in which they are
// bound, and the tallies of these. Of what has a histogram there are no tallies, and a second argument weighs the rows.
struct Brought {
  struct OfArgument {
    TallyKind kind;
    std::optional<std::size_t> argument = {};
  };
  std::vector<Argument> arguments = {};
  std::vector<OfArgument> tallies = {};
};

// The grid of its values, as the engine is asked for it.
Argument value_grid(const Measurement& one);

// Whether it is the number by which private keys are chosen, under whatever name it is published. Given that its group
// is published its noise has another law than the one that was planned (interval/rows/selected.md).
bool is_key_count(const Measured& in);

// The additive law of a plan; an error of a choice, which adds nothing.
Result<AdditiveLaw> added_by(const Law& law);

// Of one integer with noise of its own: a count or a sum. `threshold` where groups are published only if this very
// number passes it.
Result<Estimator> number_estimator(const Measured& in, const Law& law, Alpha level,
                                   std::optional<std::int64_t> threshold);

// Of a count that is about the population: rows, or what they stand for.
Result<Estimator> population_count_estimator(const Measured& in, const Law& law, Alpha level);

}  // namespace vernier::plan
