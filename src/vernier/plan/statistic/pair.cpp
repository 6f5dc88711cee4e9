#include "vernier/plan/statistic/pair.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "vernier/interval/relation/population_relation.hpp"
#include "vernier/interval/relation/relation.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/ways.hpp"
#include "vernier/plan/statistic/column_grid.hpp"
#include "vernier/plan/statistic/population_slope.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/regression.hpp"
#include "vernier/plan/statistic/rounded_relation.hpp"

namespace vernier::plan {
namespace {

using interval::PairShape;
using interval::Relation;
using numeric::Rational;
using query::Expression;
using query::Operation;

constexpr Int128 greatest_total = Int128{1} << 62;
constexpr Int128 enough_shift = Int128{1} << 30;  // a scale of 1e12 is that of epsilon 0.001
constexpr Int128 fine_weight = 1 << 16;           // from here on the steps of the noise do not widen an interval
constexpr Int128 least_divided = 1 << 20;         // a weight at which cutting nodes does not either
constexpr Int128 most_cells = Int128{1} << 30;    // K L: a product of squares, doubled, stays within 64 bits
constexpr double normal_margin = 1.96;            // of one noise at 0.05, by which an accuracy is a scale
constexpr std::size_t left_out = interval::middle_node;

// Relations in the order of `served`.
constexpr std::array relations = {Relation::slope,
                                  Relation::intercept,
                                  Relation::count,
                                  Relation::mean_x,
                                  Relation::mean_y,
                                  Relation::squares_x,
                                  Relation::squares_y,
                                  Relation::products,
                                  Relation::determination,
                                  Relation::correlation,
                                  Relation::covariance_sample,
                                  Relation::covariance_population,
                                  Relation::variance_sample_x,
                                  Relation::variance_population_x,
                                  Relation::deviation_sample_x,
                                  Relation::deviation_population_x,
                                  Relation::variance_sample_y,
                                  Relation::variance_population_y,
                                  Relation::deviation_sample_y,
                                  Relation::deviation_population_y};
static_assert(relations.size() == Pair::served.size());

Relation relation_of(const Figure& figure) {
  const auto found =
      std::find_if(Pair::served.begin(), Pair::served.end(), [&](const Served& one) { return one.figure == figure; });
  return relations[static_cast<std::size_t>(found - Pair::served.begin())];
}

// So much that all rows fit into 62 bits, and those of a unit into what scales allow.
Int128 greatest_weight(const BoundStatistic& statistic) {
  return std::min(enough_shift / statistic.contribution.max_rows, greatest_total / statistic.table.row_limit);
}

// Whether nodes are such as the engine computes and the noise allows: exact ones, or exact ones divided and cut to
// whole numbers.
bool fits(const BoundStatistic& statistic, std::int64_t x, std::int64_t y) {
  const Int128 cells = Int128{x} * y;
  if (cells > most_cells) return false;
  return cells * cells <= greatest_weight(statistic) || greatest_weight(statistic) >= least_divided;
}

// The grids of both columns, the finer one made coarser until both fit.
struct Grids {
  PairedGrid x, y;
};
Result<Grids> grids_of(const BoundStatistic& statistic, const query::Aggregation& aggregation) {
  VERNIER_TRY(const PairedGrid of_y, finest_grid(*aggregation.argument, statistic.table));
  VERNIER_TRY(const PairedGrid of_x, finest_grid(*aggregation.other, statistic.table));
  Grids grids{of_x, of_y};
  while (!fits(statistic, grids.x.steps, grids.y.steps)) {
    const bool in_x = grids.x.steps > grids.y.steps;
    PairedGrid& finer = in_x ? grids.x : grids.y;
    const std::optional<PairedGrid> next = coarser(in_x ? *aggregation.other : *aggregation.argument, finer);
    if (!next) return invalid("has too many rows a unit, or a row_limit that is too high, for a relation");
    finer = *next;
  }
  return grids;
}

// By what products of squares are multiplied; below 0 by what they are divided.
std::int64_t fineness_of(const BoundStatistic& statistic, std::int64_t x, std::int64_t y) {
  const Int128 least = Int128{x} * x * y * y, greatest = greatest_weight(statistic), most = greatest / least;
  if (most == 0) return static_cast<std::int64_t>(-((least + greatest - 1) / greatest));
  if (statistic.table.unit) return static_cast<std::int64_t>(std::max(most, Int128{1}));
  const Int128 wanted = (fine_weight + least - 1) / least;
  return static_cast<std::int64_t>(std::max(std::min(wanted, most), Int128{1}));
}

Result<Argument> product_of(const Expression& k, const Expression& l, const Measurement& made, std::size_t node) {
  VERNIER_TRY(const Expression of_x, node_of(k, made.paired->steps, node / 3));
  VERNIER_TRY(const Expression of_y, node_of(l, made.steps, node % 3));
  VERNIER_TRY(Expression product, apply(Operation::multiply, {of_x, of_y}));
  if (made.fineness < 0) {
    VERNIER_TRY(product, apply(Operation::divide_truncated, {product, query::literal(-made.fineness)}));
  } else if (made.fineness != 1) {
    VERNIER_TRY(product, apply(Operation::multiply, {product, query::literal(made.fineness)}));
  }
  return Argument{product, 1, 0, {0, pair_weight(made)}};
}

interval::PairColumn column_of(double granularity, std::int64_t origin, std::int64_t steps) {
  return {steps, static_cast<double>(origin) * granularity, static_cast<double>(origin + steps) * granularity};
}

PairShape shape_of(const Measured& in) {
  const Measurement& one = in.one;
  return {.x = column_of(one.paired->granularity, one.paired->origin, one.paired->steps),
          .y = column_of(one.granularity, one.origin, one.steps),
          .fineness = one.fineness,
          .row_limit = in.statistic.table.row_limit,
          .parts = in.has_scaled_rows() ? in.statistic.contribution.max_rows : 0};
}

interval::PairLaw law_of(const AdditiveLaw& law) {
  return std::visit([](const auto& known) { return interval::pair_law(known); }, law);
}

double accuracy_of(const Measured& in, const interval::PairLaw& law, Alpha alpha) {
  const auto rows = static_cast<double>(in.statistic.typical_rows);
  return interval::relation_accuracy(law, shape_of(in), alpha, relation_of(in.one.figure), rows);
}

Estimate told(const interval::RelationInterval& found, bool is_whole) {
  Estimate made = estimate_of(found, interval::RelationInterval::status);
  made.is_whole = is_whole;
  return made;
}

}  // namespace

std::int64_t pair_weight(const Measurement& measurement) {
  return interval::pair_weight(measurement.paired->steps, measurement.steps, measurement.fineness);
}

namespace {

using query::Aggregate;
using query::Aggregation;

// One that is measured by the sums of a pair.
bool is_relation(const BoundStatistic& statistic, const Aggregation& one) {
  return query::facts_of(one.aggregate).takes_pair && !is_of_several(statistic, one) &&
         !SlopeOfPopulation::serves(statistic, one);
}

bool is_spread_asked(Aggregate one) {
  return one >= Aggregate::variance_sample && one <= Aggregate::deviation_population;
}

// Whether what is asked follows from the sums of the pair, where no row lacks a value.
bool follows_from(const Aggregation& asked, const Aggregation& pair) {
  if (asked.aggregate == Aggregate::count_rows) return true;
  const bool is_known =
      asked.aggregate == Aggregate::count || asked.aggregate == Aggregate::average || is_spread_asked(asked.aggregate);
  return is_known && (asked.argument == pair.argument || asked.argument == pair.other);
}

// Whether the values of the column lie on the grid that the pair has of it: else a mean of them is not one of the grid.
bool lies_on_grid(const BoundStatistic& statistic, const Aggregation& asked, const Aggregation& pair) {
  if (asked.aggregate == Aggregate::count_rows || asked.aggregate == Aggregate::count) return true;
  const Result<Grids> grids = grids_of(statistic, pair);
  return grids && !(asked.argument == pair.other ? grids->x : grids->y).is_rounded;
}

// The first relation of the statement that has what is asked.
const Aggregation* claimed_by(const BoundStatistic& statistic, const Aggregation& asked) {
  const bool is_usual = !statistic.inference.of_population && !statistic.weighted &&
                        statistic.inference.denoise != query::Denoise::consistent && !is_apart(statistic, asked.name);
  if (!is_usual || query::facts_of(asked.aggregate).takes_pair) return nullptr;
  for (const Aggregation& one : statistic.query.aggregations) {
    if (!is_relation(statistic, one) || !follows_from(asked, one) || !lies_on_grid(statistic, asked, one)) continue;
    if (has_no_null(*one.argument, statistic.table) && has_no_null(*one.other, statistic.table)) return &one;
  }
  return nullptr;
}

// A value in every row, where something else is asked of the pair that counts all of them.
bool counts_all(const BoundStatistic& statistic, const Aggregation& pair) {
  const std::vector<Aggregation>& all = statistic.query.aggregations;
  return std::any_of(all.begin(), all.end(), [&](const Aggregation& one) {
    const Aggregation* const by = claimed_by(statistic, one);
    return by != nullptr && by->argument == pair.argument && by->other == pair.other;
  });
}

Result<Aggregation> completed(BoundStatistic& statistic, Aggregation pair) {
  if (!counts_all(statistic, pair)) return pair;
  statistic.rows_by = canonical(*pair.argument) + " and " + canonical(*pair.other);
  VERNIER_TRY(pair.argument, complete_expression(*pair.argument, statistic.table));
  VERNIER_TRY(pair.other, complete_expression(*pair.other, statistic.table));
  return pair;
}

Figure figure_asked(const Aggregation& asked, const Aggregation& pair) {
  if (query::facts_of(asked.aggregate).takes_pair) return figure_of<Pair>(asked.aggregate);
  const bool of_x = asked.argument == pair.other;
  switch (asked.aggregate) {
    case Aggregate::average:
      return of_x ? Pair::mean_x : Pair::mean_y;
    case Aggregate::variance_sample:
      return of_x ? Pair::variance_sample_x : Pair::variance_sample_y;
    case Aggregate::variance_population:
      return of_x ? Pair::variance_population_x : Pair::variance_population_y;
    case Aggregate::deviation_sample:
      return of_x ? Pair::deviation_sample_x : Pair::deviation_sample_y;
    case Aggregate::deviation_population:
      return of_x ? Pair::deviation_population_x : Pair::deviation_population_y;
    default:
      return Figure::count;
  }
}

}  // namespace

bool Pair::serves(const BoundStatistic& statistic, const Aggregation& aggregation) {
  return is_relation(statistic, aggregation);
}

bool Pair::claims(const BoundStatistic& statistic, const Aggregation& aggregation) {
  return claimed_by(statistic, aggregation) != nullptr;
}

Result<Measurement> Pair::bind(BoundStatistic& statistic, const Aggregation& asked) {
  const Aggregation* const claimed = claimed_by(statistic, asked);
  const Aggregation& pair = claimed != nullptr ? *claimed : asked;
  if (!pair.argument || !pair.other) return invalid("is of two columns, y and x");
  VERNIER_TRY(const Aggregation aggregation, completed(statistic, pair));
  VERNIER_TRY(const Grids grids, grids_of(statistic, pair));
  Measurement made{.kind = kind,
                   .figure = figure_asked(asked, pair),
                   .aggregation = {},
                   .tallies = {},
                   .granularity = grids.y.granularity,
                   .is_rounded = grids.y.is_rounded,
                   .origin = grids.y.origin,
                   .steps = grids.y.steps,
                   .fineness = fineness_of(statistic, grids.x.steps, grids.y.steps),
                   .paired = grids.x,
                   .sensitivity = {},
                   .target = {}};
  VERNIER_TRY(const Expression k, steps_of(*aggregation.other, grids.x));
  VERNIER_TRY(const Expression l, steps_of(*aggregation.argument, grids.y));
  Places places(statistic);
  for (std::size_t node = 0; node < interval::pair_nodes; ++node) {
    if (node == left_out) continue;
    VERNIER_TRY(Argument product, product_of(k, l, made, node));
    const std::size_t place = places.argument(std::move(product));
    if (node == 0) made.tallies.push_back(places.tally({TallyKind::values, place}));
    made.tallies.push_back(places.tally({TallyKind::sum, place}));
  }
  return made;
}

namespace {

// The sums about the means of rows that are known, in two passes.
struct KnownSums {
  double rows, mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;

  explicit KnownSums(const KnownRows& known) : rows(static_cast<double>(known.places.size())) {
    const KnownPair& pair = *known.pair;
    const auto x = [&](std::uint32_t at) {
      return pair.x_lower + pair.x_granularity * static_cast<double>(known.steps[at] / (pair.y_steps + 1));
    };
    const auto y = [&](std::uint32_t at) {
      return pair.y_lower + pair.y_granularity * static_cast<double>(known.steps[at] % (pair.y_steps + 1));
    };
    for (const std::uint32_t at : known.places) mean_x += x(at) / rows, mean_y += y(at) / rows;
    for (const std::uint32_t at : known.places) {
      const double dx = x(at) - mean_x, dy = y(at) - mean_y;
      xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
  }

  // Not a number where it is not defined.
  double relation(Relation wanted, bool is_sample) const {
    const double less = is_sample ? 1 : 0;
    switch (wanted) {
      case Relation::count:
        return rows;
      case Relation::mean_x:
        return mean_x;
      case Relation::mean_y:
        return mean_y;
      case Relation::squares_x:
        return xx;
      case Relation::squares_y:
        return yy;
      case Relation::products:
        return xy;
      case Relation::covariance_population:
        return xy / rows;
      case Relation::covariance_sample:
        return xy / (rows - less);
      case Relation::slope:
        return xy / xx;
      case Relation::intercept:
        return mean_y - xy / xx * mean_x;
      case Relation::correlation:
        return xy / std::sqrt(xx * yy);
      case Relation::determination:
        return xy * xy / (xx * yy);
      case Relation::variance_sample_x:
        return xx / (rows - less);
      case Relation::variance_population_x:
        return xx / rows;
      case Relation::deviation_sample_x:
        return std::sqrt(xx / (rows - less));
      case Relation::deviation_population_x:
        return std::sqrt(xx / rows);
      case Relation::variance_sample_y:
        return yy / (rows - less);
      case Relation::variance_population_y:
        return yy / rows;
      case Relation::deviation_sample_y:
        return std::sqrt(yy / (rows - less));
      case Relation::deviation_population_y:
        return std::sqrt(yy / rows);
    }
    return 0;
  }
};

}  // namespace

std::optional<Truth> Pair::truth(const Figure& figure, query::Fraction, const KnownRows& rows) {
  if (!rows.pair || rows.places.empty()) return std::nullopt;
  const double found = KnownSums(rows).relation(relation_of(figure), rows.is_sample);
  return std::isfinite(found) ? std::optional(Truth{found, found}) : std::nullopt;
}

bool Pair::is_fine() const {
  if (in.is_weighted() || !in.one.paired) return false;
  const std::int64_t x = in.one.paired->steps, y = in.one.steps;
  if (x < 1 || y < 1 || x > (1 << 20) || y > (1 << 20)) return false;
  return fits(in.statistic, x, y) && in.one.fineness == fineness_of(in.statistic, x, y);
}

Result<Sensitivity> Pair::sensitivity() const {
  return pair_sensitivity(pair_weight(in.one), in.statistic.contribution, in.groups(), in.neighbours());
}

// Values, and all node sums but the middle one, in the order of the nodes.
Brought Pair::brought() const {
  Brought made{{}, {{TallyKind::values, 0}}};
  for (std::size_t i = 0; i + 1 < width(); ++i) {
    made.arguments.push_back({unread(), 1, 0, {0, pair_weight(in.one)}});
    made.tallies.push_back({TallyKind::sum, i});
  }
  return made;
}

Range Pair::range() const { return {0, Int128{in.statistic.table.row_limit} * pair_weight(in.one)}; }

// The node sums add up to the weight of all values: the middle one is what is left.
void Pair::write(std::span<const Int128> tallies, std::span<Int128> out) const {
  Int128 rest = Int128{pair_weight(in.one)} * tallies[0];
  for (std::size_t node = 0, next = 1; node < interval::pair_nodes; ++node) {
    if (node == left_out) continue;
    out[node] = tallies[next++];
    rest -= out[node];
  }
  out[left_out] = rest;
}

Int128 Pair::tally_of_row(std::size_t number, double code) const {
  if (number == 0) return 1;
  const auto row = static_cast<std::int64_t>(code);
  const std::size_t node = number - 1 < left_out ? number - 1 : number;
  const std::int64_t values = in.one.steps + 1;
  return interval::pair_row(shape_of(in), row / values, row % values)[node];
}

Result<Rational> Pair::step() const {
  return Rational::of(accuracy_of(in, {true, 1}, *Alpha::of(0.05)) / normal_margin);
}

Result<double> Pair::noise_accuracy(const Law& law, std::int64_t /*steps*/, Alpha alpha) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  return accuracy_of(in, law_of(noise), alpha);
}

double Pair::published_scale(double scale) const {
  const double told = accuracy_of(in, {true, scale}, *Alpha::of(0.05)) / normal_margin;
  return has_fixed_margin(in.one.figure) ? told : told * static_cast<double>(in.statistic.typical_rows);
}

std::string Pair::population_fault() const {
  if (interval::is_of_populations(relation_of(in.one.figure))) return "";
  return "is a relation of two columns, whose interval is about the rows and not about a population, of which "
         "REGR_SLOPE, CORR, REGR_R2 and COVAR_SAMP alone tell; leave covers out, or ask for it in a statistic of its "
         "own";
}

double Pair::spread() const { return interval::sampling_deviation(shape_of(in), relation_of(in.one.figure)); }

namespace {

// Parts of alpha for what is known of spreads and rows, where values between steps need it.
constexpr double part_of_known = 0x1p-8;

using interval::PopulationRelation;
using interval::RelationInference;

// What the noisy sums say of spreads, of the rows or of their population, and of rows, but for three parts of alpha.
using SpreadsOf = std::function<Result<KnownSpreads>(std::span<const std::int64_t>)>;
template <class Inference>
Result<SpreadsOf> known_spreads(const PairShape& shape, const interval::PairLaw& law, Alpha level) {
  VERNIER_TRY(const Alpha part, Alpha::of(level.value() * part_of_known));
  VERNIER_TRY(const auto x, Inference::of(law, shape, part, Relation::deviation_population_x));
  VERNIER_TRY(const auto y, Inference::of(law, shape, part, Relation::deviation_population_y));
  VERNIER_TRY(const auto rows, RelationInference::of(law, shape, part, Relation::count));
  return SpreadsOf([x, y, rows](std::span<const std::int64_t> noisy) -> Result<KnownSpreads> {
    VERNIER_TRY(const auto of_x, x.from(noisy));
    VERNIER_TRY(const auto of_y, y.from(noisy));
    VERNIER_TRY(const auto most, rows.from(noisy));
    return KnownSpreads{of_x.interval.low, of_y.interval.low, most.interval.high};
  });
}

// The relation of the values, where `of_steps` gives that of the steps at three parts of alpha less.
Result<Estimator> of_values(const Measured& in, const interval::PairLaw& law, Alpha level, const Estimator& of_steps) {
  const bool of_population = in.is_of_population();
  VERNIER_TRY(const auto known, of_population ? known_spreads<PopulationRelation>(shape_of(in), law, level)
                                              : known_spreads<RelationInference>(shape_of(in), law, level));
  return Estimator([of_steps, known, one = in.one](std::span<const std::int64_t> noisy) -> Result<Estimate> {
    VERNIER_TRY(const KnownSpreads spreads, known(noisy));
    return of_steps(noisy).map([&](const Estimate& found) { return widened_estimate(one, found, spreads); });
  });
}

Result<Estimator> population_estimator(const Measured& in, const interval::PairLaw& law, Alpha level) {
  VERNIER_TRY(const auto inference, PopulationRelation::of(law, shape_of(in), level, relation_of(in.one.figure)));
  return Estimator([inference](std::span<const std::int64_t> noisy) {
    return inference.from(noisy).map([](const interval::PopulationRelationInterval& found) {
      return estimate_of(found, interval::PopulationRelationInterval::status);
    });
  });
}

}  // namespace

Result<Estimator> Pair::estimator(const Law& law, Alpha level, std::optional<std::int64_t> /*threshold*/) const {
  if (!is_rounded_relation(in.one)) return steps_estimator(law, level);
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  VERNIER_TRY(const Alpha rest, Alpha::of(level.value() * (1 - 4 * part_of_known)));
  return steps_estimator(law, rest).and_then(
      [&](const Estimator& of_steps) { return of_values(in, law_of(noise), level, of_steps); });
}

// Of the steps, as if they were the values.
Result<Estimator> Pair::steps_estimator(const Law& law, Alpha level) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  if (in.is_of_population()) return population_estimator(in, law_of(noise), level);
  VERNIER_TRY(const auto inference,
              interval::RelationInference::of(law_of(noise), shape_of(in), level, relation_of(in.one.figure)));
  const bool is_count = in.one.figure == Figure::count;
  // Known before the data, whatever of the interval is possible.
  const double margin = std::floor(accuracy_of(in, law_of(noise), level));
  return Estimator([inference, is_count, margin](std::span<const std::int64_t> noisy) {
    return inference.from(noisy).map([&](const interval::RelationInterval& found) {
      Estimate estimate = told(found, is_count);
      if (is_count) estimate.accuracy = std::max(margin, 0.0);
      return estimate;
    });
  });
}

}  // namespace vernier::plan
