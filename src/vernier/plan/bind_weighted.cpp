#include "vernier/plan/bind_weighted.hpp"

#include "vernier/plan/bind_arguments.hpp"
#include "vernier/plan/bind_places.hpp"

namespace vernier::plan {
namespace {

Argument::Weight weight_in(const BoundStatistic& statistic, std::int64_t total) {
  const SurveyWeight& weight = *statistic.weighted;
  return {query::column(*statistic.table.column(weight.column)), weight.granularity, total};
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

Argument weighted(const BoundStatistic& statistic, Argument argument) {
  if (!statistic.weighted) return argument;
  argument.weight = weight_in(statistic, 1);
  argument.steps.upper *= statistic.weighted->heaviest;
  return argument;
}

std::size_t total_tally(BoundStatistic& statistic, const Argument& x, std::size_t below, std::int64_t fineness) {
  Places places(statistic);
  if (!statistic.weighted) return places.tally({TallyKind::values, below});
  const std::int64_t total = x.steps.upper * fineness;
  Argument all = presence_of(x.expression);
  all.weight = weight_in(statistic, total);
  all.steps.upper = total * statistic.weighted->heaviest;
  return places.tally({TallyKind::sum, places.argument(std::move(all))});
}

}  // namespace vernier::plan
