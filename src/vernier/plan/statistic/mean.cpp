#include "vernier/plan/statistic/mean.hpp"

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"

namespace vernier::plan {

bool Mean::serves(const BoundStatistic& statistic, const query::Aggregation& aggregation) {
  if (can_use_public_count(statistic, aggregation)) return !statistic.inference.of_population;
  return nodes_for(statistic, aggregation) == Mean::kind;
}

Result<Measurement> Mean::bind(BoundStatistic& statistic, const query::Aggregation& asked) {
  const query::Aggregation aggregation = counted_by(statistic, asked);
  const bool is_public = can_use_public_count(statistic, aggregation);
  VERNIER_TRY(const Argument whole,
              is_public ? complete_argument(statistic, aggregation) : node_argument(statistic, aggregation));
  const Argument x = refined(whole, statistic, CountsFrom::lower_bound);
  Places places(statistic);
  const std::size_t place = is_public ? 0 : places.argument(x);
  Measurement made = over_nodes(is_public ? Mean::public_kind : Mean::kind, figure_of<Mean>(aggregation.aggregate), x);
  made.is_rounded = is_rounded(*aggregation.argument, statistic.table);
  if (is_public) {
    made.tallies = {places.tally({TallyKind::rows}), places.tally({TallyKind::sum, places.argument(x)})};
  } else {
    made.tallies = {places.tally({TallyKind::values, place}), places.tally({TallyKind::sum, place})};
  }
  return made;
}

std::optional<Truth> Mean::truth(const Figure& figure, query::Fraction, const KnownRows& rows) {
  return node_truth(figure, rows);
}

bool Mean::shows(const Figure& figure) const {
  return has_public_count() ? figure == Figure::mean : can_show(Mean::kind, figure);
}

Result<Sensitivity> Mean::sensitivity() const {
  const Contribution& unit = in.statistic.contribution;
  if (has_public_count()) return sum_sensitivity({0, in.one.steps}, unit, in.groups(), in.neighbours());
  return mean_sensitivity(in.one.steps, unit, in.groups(), in.neighbours());
}

Range Mean::range() const { return {0, Int128{in.statistic.table.row_limit} * in.one.steps}; }

Brought Mean::brought() const {
  const Brought::OfArgument rows{TallyKind::rows}, values{TallyKind::values, 0};
  return {{value_grid(in.one)}, {has_public_count() ? rows : values, {TallyKind::sum, 0}}};
}

// The node sums add up to the weight of all values: the first is what is left.
void Mean::write(std::span<const Int128> tallies, std::span<Int128> out) const {
  out[0] = has_public_count() ? tallies[0] : in.one.steps * tallies[0] - tallies[1];
  out[1] = tallies[1];
}

bool Mean::is_combined() const { return plan::is_combined(in.one); }

Result<numeric::Rational> Mean::step() const { return node_step(in); }

Result<double> Mean::noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const {
  return node_accuracy(in, law, steps, alpha);
}

double Mean::spread() const { return node_spread(in.one); }

double Mean::published_scale(double scale) const { return node_scale(in.one, scale); }

Result<Estimator> Mean::estimator(const Law& law, Alpha level, std::optional<std::int64_t> /*threshold*/) const {
  return has_public_count() ? public_count_estimator(in, law, level) : node_estimator(in, law, level);
}

}  // namespace vernier::plan
