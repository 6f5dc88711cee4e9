#include "vernier/plan/statistic/moments.hpp"

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/weights.hpp"

namespace vernier::plan {

bool Moments::serves(const BoundStatistic& statistic, const query::Aggregation& aggregation) {
  if (can_use_public_count(statistic, aggregation)) return statistic.inference.of_population;
  return nodes_for(statistic, aggregation) == Moments::kind;
}

Result<Measurement> Moments::bind(BoundStatistic& statistic, const query::Aggregation& asked) {
  const query::Aggregation aggregation = counted_by(statistic, asked);
  const bool is_public = can_use_public_count(statistic, aggregation);
  VERNIER_TRY(const Argument x,
              is_public ? complete_argument(statistic, aggregation) : node_argument(statistic, aggregation));
  VERNIER_TRY(check_weighted(statistic, x));
  Measurement made =
      over_nodes(is_public ? Moments::public_kind : Moments::kind, figure_of<Moments>(aggregation.aggregate), x);
  made.is_rounded = is_rounded(*aggregation.argument, statistic.table);
  made.fineness = node_fineness(statistic, made.steps);
  Places places(statistic);
  const std::size_t above = places.argument(weighted(statistic, squared(x, made.fineness, true)));
  const std::size_t below = places.argument(weighted(statistic, squared(x, made.fineness, false)));
  const std::size_t total =
      is_public ? places.tally({TallyKind::rows}) : total_tally(statistic, x, below, made.fineness);
  made.tallies = {total, places.tally({TallyKind::sum, above}), places.tally({TallyKind::sum, below})};
  return made;
}

std::optional<Truth> Moments::truth(const Figure& figure, query::Fraction, const KnownRows& rows) {
  return node_truth(figure, rows);
}

bool Moments::shows(const Figure& figure) const {
  return has_public_count() ? figure == Figure::mean : can_show(Moments::kind, figure);
}

// As fine as the rule makes them.
bool Moments::is_fine() const {
  if (has_public_count() && in.is_weighted()) return false;
  if (in.is_weighted() && !weights_fit(in.statistic, in.one.steps)) return false;
  return in.one.fineness == node_fineness(in.statistic, in.one.steps);
}

Result<Sensitivity> Moments::sensitivity() const {
  return moment_sensitivity(in.one.steps * in.one.fineness * heaviest_of(in.statistic), in.statistic.contribution,
                            in.groups(), in.neighbours());
}

Range Moments::range() const {
  return {0, Int128{in.statistic.table.row_limit} * in.one.steps * in.one.fineness * heaviest_of(in.statistic)};
}

Brought Moments::brought() const {
  const auto square = [&](bool is_from_above) {
    Argument made = value_grid(in.one);
    made.steps.upper = in.one.steps * in.one.fineness;
    made.square = Argument::Square{in.one.steps, in.one.fineness, is_from_above};
    return weighted_grid(in.statistic, made);
  };
  Brought made{{square(true), square(false)}, {}};
  Brought::OfArgument total{TallyKind::values, 1};
  if (has_public_count()) {
    total = {TallyKind::rows};
  } else if (in.is_weighted()) {
    made.arguments.push_back(weighted_presence(in.statistic, in.one.steps * in.one.fineness));
    total = {TallyKind::sum, 2};
  }
  made.tallies = {total, {TallyKind::sum, 0}, {TallyKind::sum, 1}};
  return made;
}

// The node sums add up to the weight of all values, which of weighted rows is a tally of its own: the middle one is
// what is left.
void Moments::write(std::span<const Int128> tallies, std::span<Int128> out) const {
  const Int128 weight = in.is_weighted() ? Int128{1} : Int128{in.one.steps} * in.one.fineness;
  if (has_public_count()) out[0] = tallies[0];
  const std::span<Int128> nodes = out.subspan(has_public_count() ? 1 : 0);
  nodes[0] = tallies[1];
  nodes[1] = weight * tallies[0] - tallies[1] - tallies[2];
  nodes[2] = tallies[2];
}

bool Moments::is_combined() const { return plan::is_combined(in.one); }

Result<numeric::Rational> Moments::step() const { return node_step(in); }

Result<double> Moments::noise_accuracy(const Law& law, std::int64_t steps, Alpha alpha) const {
  return node_accuracy(in, law, steps, alpha);
}

double Moments::spread() const { return node_spread(in.one); }

double Moments::published_scale(double scale) const { return node_scale(in.one, scale); }

Result<Estimator> Moments::estimator(const Law& law, Alpha level, std::optional<std::int64_t> /*threshold*/) const {
  return has_public_count() ? public_count_estimator(in, law, level) : node_estimator(in, law, level);
}

}  // namespace vernier::plan
