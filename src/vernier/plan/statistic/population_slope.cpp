#include "vernier/plan/statistic/population_slope.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/relation/population_slope.hpp"
#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/statistic/column_grid.hpp"
#include "vernier/plan/statistic/rounded_relation.hpp"

namespace vernier::plan {
namespace {

using interval::slope_nodes;
using interval::SlopeShape;
using numeric::Rational;
using query::Aggregation;
using query::Expression;
using query::Operation;

constexpr Int128 greatest_nodes = Int128{1} << 62;
constexpr Int128 enough_nodes = Int128{1} << 30;   // a scale of 1e12 is that of epsilon 0.001
constexpr Int128 least_nodes = 1 << 20;            // at which cutting to whole numbers does not widen an interval
constexpr Int128 most_products = Int128{1} << 58;  // x^4 y^2: twelve of them stay within 64 bits
constexpr double margin_of_normal = 1.96;          // of one noise at 0.05, by which an accuracy is a scale
constexpr std::size_t unmeasured = interval::middle_slope_node;
constexpr std::array<std::int64_t, 5> fourth_binomials{1, 4, 6, 4, 1};

// K^4 L^2, or 2^62 where it is more.
Int128 products_of(std::int64_t x, std::int64_t y) {
  Int128 total = 1;
  for (const std::int64_t factor : {x, x, x, x, y, y}) {
    total = total > greatest_nodes / factor ? greatest_nodes : total * factor;
  }
  return total;
}

Int128 most_weight(const BoundStatistic& statistic) {
  return std::min(enough_nodes / statistic.contribution.max_rows, greatest_nodes / statistic.table.row_limit);
}

std::int64_t fineness_for(const BoundStatistic& statistic, std::int64_t x, std::int64_t y) {
  const Int128 products = products_of(x, y), most = most_weight(statistic);
  const Int128 fineness = products <= most ? most / products : -((products + most - 1) / most);
  return static_cast<std::int64_t>(fineness);
}

std::int64_t weight_for(const Measurement& one) {
  const Int128 products = products_of(one.paired->steps, one.steps);
  if (one.fineness < 0) return static_cast<std::int64_t>(products / -Int128{one.fineness});
  const Int128 fineness = std::max<std::int64_t>(one.fineness, 1);
  return static_cast<std::int64_t>(products > greatest_nodes / fineness ? greatest_nodes : products * fineness);
}

struct TwoGrids {
  PairedGrid x, y;
};
Result<TwoGrids> two_grids(const BoundStatistic& statistic, const Aggregation& asked) {
  if (most_weight(statistic) < least_nodes) {
    return invalid("has too many rows a unit, or a row_limit that is too high, for a slope of a population");
  }
  VERNIER_TRY(const PairedGrid x, finest_grid(*asked.other, statistic.table));
  VERNIER_TRY(const PairedGrid y, finest_grid(*asked.argument, statistic.table));
  TwoGrids grids{x, y};
  while (products_of(grids.x.steps, grids.y.steps) > most_products) {
    const bool in_x = grids.x.steps > grids.y.steps;
    PairedGrid& finer = in_x ? grids.x : grids.y;
    const auto next = coarser(in_x ? *asked.other : *asked.argument, finer);
    if (!next) return invalid("has columns that do not fit on any grid");
    finer = *next;
  }
  return grids;
}

// C(4, i) (K-k)^(4-i) k^i.
Result<Expression> fourth_node(const Expression& k, std::int64_t steps, std::size_t i) {
  VERNIER_TRY(const Expression left, apply(Operation::subtract, {query::literal(steps), k}));
  Expression product = query::literal(fourth_binomials[i]);
  for (std::size_t factor = 0; factor < 4; ++factor) {
    VERNIER_TRY(product, apply(Operation::multiply, {product, factor < i ? k : left}));
  }
  return product;
}

Result<Expression> whole_part(Expression product, std::int64_t fineness) {
  if (fineness == 1) return product;
  const bool divides = fineness < 0;
  return apply(divides ? Operation::divide_truncated : Operation::multiply,
               {std::move(product), query::literal(divides ? -fineness : fineness)});
}

interval::MomentColumn ends_of(const PairedGrid& grid) {
  return {static_cast<double>(grid.origin) * grid.granularity,
          static_cast<double>(grid.origin + grid.steps) * grid.granularity};
}

SlopeShape slope_shape(const Measured& in) {
  const Measurement& one = in.one;
  return {.x = ends_of(*one.paired),
          .y = ends_of({one.granularity, one.origin, one.steps, one.is_rounded}),
          .weight = weight_for(one),
          .parts = in.has_scaled_rows() ? in.statistic.contribution.max_rows : 0};
}

interval::PairLaw as_pair_law(const AdditiveLaw& law) {
  return std::visit([](const auto& known) { return interval::pair_law(known); }, law);
}

double noise_of(const Measured& in, const interval::PairLaw& law, Alpha alpha) {
  return interval::slope_noise_accuracy(law, slope_shape(in), alpha, static_cast<double>(in.statistic.typical_rows));
}

}  // namespace

bool SlopeOfPopulation::serves(const BoundStatistic& statistic, const Aggregation& aggregation) {
  return statistic.inference.of_population && aggregation.aggregate == query::Aggregate::regression_slope &&
         aggregation.more.empty();
}

Result<Measurement> SlopeOfPopulation::bind(BoundStatistic& statistic, const Aggregation& asked) {
  if (!asked.argument || !asked.other) return invalid("is of two columns, y and x");
  VERNIER_TRY(const TwoGrids grids, two_grids(statistic, asked));
  Measurement made{.kind = kind,
                   .figure = slope,
                   .aggregation = {},
                   .tallies = {},
                   .granularity = grids.y.granularity,
                   .is_rounded = grids.y.is_rounded,
                   .origin = grids.y.origin,
                   .steps = grids.y.steps,
                   .fineness = fineness_for(statistic, grids.x.steps, grids.y.steps),
                   .paired = grids.x,
                   .sensitivity = {},
                   .target = {}};
  VERNIER_TRY(const Expression k, steps_of(*asked.other, grids.x));
  VERNIER_TRY(const Expression l, steps_of(*asked.argument, grids.y));
  Places places(statistic);
  for (std::size_t node = 0; node < slope_nodes; ++node) {
    if (node == unmeasured) continue;
    VERNIER_TRY(const Expression of_x, fourth_node(k, grids.x.steps, node / 3));
    VERNIER_TRY(const Expression of_y, node_of(l, grids.y.steps, node % 3));
    VERNIER_TRY(Expression product, apply(Operation::multiply, {of_x, of_y}));
    VERNIER_TRY(product, whole_part(std::move(product), made.fineness));
    const std::size_t place = places.argument(Argument{std::move(product), 1, 0, {0, weight_for(made)}});
    if (node == 0) made.tallies.push_back(places.tally({TallyKind::values, place}));
    made.tallies.push_back(places.tally({TallyKind::sum, place}));
  }
  return made;
}

bool SlopeOfPopulation::is_fine() const {
  if (in.is_weighted() || !in.one.paired || !in.statistic.inference.of_population) return false;
  const std::int64_t x = in.one.paired->steps, y = in.one.steps;
  if (x < 1 || y < 1 || products_of(x, y) > most_products) return false;
  return most_weight(in.statistic) >= least_nodes && in.one.fineness == fineness_for(in.statistic, x, y);
}

Result<Sensitivity> SlopeOfPopulation::sensitivity() const {
  return nodes_sensitivity(weight_for(in.one), slope_nodes, in.statistic.contribution, in.groups(), in.neighbours());
}

Brought SlopeOfPopulation::brought() const {
  Brought made{{}, {{TallyKind::values, 0}}};
  for (std::size_t i = 0; i + 1 < slope_nodes; ++i) {
    made.arguments.push_back({unread(), 1, 0, {0, weight_for(in.one)}});
    made.tallies.push_back({TallyKind::sum, i});
  }
  return made;
}

Range SlopeOfPopulation::range() const { return {0, Int128{in.statistic.table.row_limit} * weight_for(in.one)}; }

void SlopeOfPopulation::write(std::span<const Int128> tallies, std::span<Int128> out) const {
  Int128 rest = Int128{weight_for(in.one)} * tallies[0];
  for (std::size_t node = 0, next = 1; node < slope_nodes; ++node) {
    if (node == unmeasured) continue;
    out[node] = tallies[next++];
    rest -= out[node];
  }
  out[unmeasured] = rest;
}

Int128 SlopeOfPopulation::tally_of_row(std::size_t number, double code) const {
  if (number == 0) return 1;
  const auto row = static_cast<std::int64_t>(code);
  const std::size_t node = number - 1 < unmeasured ? number - 1 : number;
  const std::int64_t values = in.one.steps + 1;
  const std::int64_t k = std::min(row / values, in.one.paired->steps);
  const Int128 product = Int128{interval::fourth_nodes(k, in.one.paired->steps)[node / 3]} *
                         interval::second_nodes(row % values, in.one.steps)[node % 3];
  return in.one.fineness < 0 ? product / -Int128{in.one.fineness} : product * in.one.fineness;
}

// A row moves the slope by (x - mean) u / variance: with deviations of a quarter of the ranges and a line of half of
// y's range over x's, the root of 3/4 of range over range.
double SlopeOfPopulation::spread() const {
  const SlopeShape shape = slope_shape(in);
  return std::sqrt(0.75) * shape.y.half() / shape.x.half();
}

Result<Rational> SlopeOfPopulation::step() const {
  return Rational::of(noise_of(in, {true, 1}, *Alpha::of(0.05)) / margin_of_normal);
}

Result<double> SlopeOfPopulation::noise_accuracy(const Law& law, std::int64_t /*steps*/, Alpha alpha) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  return noise_of(in, as_pair_law(noise), alpha);
}

double SlopeOfPopulation::published_scale(double scale) const {
  const double told = noise_of(in, {true, scale}, *Alpha::of(0.05)) / margin_of_normal;
  return told * static_cast<double>(in.statistic.typical_rows);
}

namespace {

constexpr double part_of_spread = 0x1p-8;  // of alpha, where values between steps need to know that x differs

// Of the steps, as if they were the values.
Result<Estimator> slope_of_steps(const interval::PairLaw& law, const SlopeShape& shape, Alpha level) {
  VERNIER_TRY(const auto inference, interval::PopulationSlope::of(law, shape, level));
  return Estimator([inference](std::span<const std::int64_t> noisy) {
    return inference.from(noisy).map(
        [](const interval::SlopeInterval& found) { return estimate_of(found, interval::SlopeInterval::status); });
  });
}

Result<Estimator> slope_of_values(const Measured& in, const interval::PairLaw& law, Alpha level) {
  const SlopeShape shape = slope_shape(in);
  VERNIER_TRY(const Alpha part, Alpha::of(level.value() * part_of_spread));
  VERNIER_TRY(const Alpha rest, Alpha::of(level.value() * (1 - 2 * part_of_spread)));
  VERNIER_TRY(const auto least, interval::LeastDeviation::of(law, shape, part));
  VERNIER_TRY(const auto of_steps, slope_of_steps(law, shape, rest));
  return Estimator([=, one = in.one](std::span<const std::int64_t> noisy) -> Result<Estimate> {
    VERNIER_TRY(const double deviation, least.from(noisy));
    VERNIER_TRY(const Estimate found, of_steps(noisy));
    if (!found.informative) return found;
    return widened_estimate(one, found, {.least_x = deviation * shape.x.half(), .least_y = 0, .rows = 0});
  });
}

}  // namespace

Result<Estimator> SlopeOfPopulation::estimator(const Law& law, Alpha level, std::optional<std::int64_t>) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  if (is_rounded_relation(in.one)) return slope_of_values(in, as_pair_law(noise), level);
  return slope_of_steps(as_pair_law(noise), slope_shape(in), level);
}

}  // namespace vernier::plan
