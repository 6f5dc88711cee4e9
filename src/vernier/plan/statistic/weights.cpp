#include "vernier/plan/statistic/weights.hpp"

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/statistic/ranks.hpp"

namespace vernier::plan {
namespace {

query::Expression weight_column(const BoundStatistic& statistic) {
  return query::column(*statistic.table.column(statistic.weighted->column));
}

Argument::Weight weight_in(const BoundStatistic& statistic, std::int64_t total) {
  return {weight_column(statistic), statistic.weighted->granularity, total};
}

}  // namespace

Result<void> check_weighted(const BoundStatistic& statistic, const Argument& x) {
  if (!statistic.weighted || weights_fit(statistic, x.steps.upper)) return {};
  return invalid("could leave 64 bits, with up to " + std::to_string(statistic.table.row_limit) + " rows of up to " +
                 std::to_string(x.steps.upper) + " steps, each with a weight of up to " +
                 std::to_string(statistic.weighted->heaviest) + " steps; lower row_limit of the table '" +
                 statistic.table.name + "', take narrower bounds, or a coarser granularity of '" +
                 statistic.weighted->column + "'");
}

Result<void> check_weighted_sum(const BoundStatistic& statistic, const Argument& x) {
  Argument size = x;
  size.steps = {0, std::max(-x.steps.lower, x.steps.upper)};
  return check_weighted(statistic, size);
}

Result<void> check_weighted_ranks(const BoundStatistic& statistic, const Measurement& quantile) {
  if (!statistic.weighted || weighted_ranks_fit(statistic, quantile)) return {};
  return invalid("could leave 64 bits, with up to " + std::to_string(statistic.table.row_limit) +
                 " rows, each with a weight of up to " + std::to_string(statistic.weighted->heaviest) +
                 " steps; lower row_limit of the table '" + statistic.table.name +
                 "', take a fraction with fewer decimals, or a coarser granularity of '" + statistic.weighted->column +
                 "'");
}

std::optional<std::size_t> weight_argument(BoundStatistic& statistic) {
  if (!statistic.weighted) return std::nullopt;
  const SurveyWeight& weight = *statistic.weighted;
  return Places(statistic).argument({weight_column(statistic), weight.granularity, 0, {0, weight.heaviest}});
}

Argument weight_where(const BoundStatistic& statistic, const std::optional<query::Expression>& x, std::int64_t times) {
  Argument all = presence_of(x.value_or(weight_column(statistic)));
  all.weight = weight_in(statistic, times);
  all.steps.upper = times * statistic.weighted->heaviest;
  return all;
}

Argument weighted(const BoundStatistic& statistic, Argument argument) {
  if (!statistic.weighted) return argument;
  argument.weight = weight_in(statistic, 1);
  argument.steps.upper *= statistic.weighted->heaviest;
  return argument;
}

Argument presence_grid() { return {unread(), 1, 0, {0, 0}, false}; }

Argument weighted_grid(const BoundStatistic& statistic, Argument grid) {
  if (!statistic.weighted) return grid;
  grid.steps.upper *= heaviest_of(statistic);
  grid.weight = Argument::Weight{unread(), 1, 1};
  return grid;
}

Argument weighted_presence(const BoundStatistic& statistic, std::int64_t times) {
  Argument made = presence_grid();
  made.steps.upper = times * heaviest_of(statistic);
  made.weight = Argument::Weight{unread(), 1, times};
  return made;
}

std::size_t total_tally(BoundStatistic& statistic, const Argument& x, std::size_t below, std::int64_t fineness) {
  Places places(statistic);
  if (!statistic.weighted) return places.tally({TallyKind::values, below});
  Argument all = weight_where(statistic, x.expression, x.steps.upper * fineness);
  return places.tally({TallyKind::sum, places.argument(std::move(all))});
}

}  // namespace vernier::plan
