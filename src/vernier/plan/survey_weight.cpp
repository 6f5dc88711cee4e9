#include "vernier/plan/survey_weight.hpp"

#include <algorithm>

#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/statistic/nodes.hpp"

namespace vernier::plan {
namespace {

constexpr Int128 greatest_total = Int128{1} << 62;

// Upper bounds of reals are whole steps, at most 2^53 of them, so that the quotient is exact.
std::int64_t steps_of(const query::Value& bound, double granularity) {
  const auto* const whole = std::get_if<std::int64_t>(&bound);
  return whole != nullptr ? *whole : static_cast<std::int64_t>(std::get<double>(bound) / granularity);
}

std::int64_t held(Int128 product) { return static_cast<std::int64_t>(std::min(product, greatest_total)); }

}  // namespace

std::optional<SurveyWeight> weight_of(const query::Table& table, const query::Inference& inference) {
  const query::Column* const column = table.weight ? table.column(*table.weight) : nullptr;
  if (!inference.of_population || column == nullptr || !column->range) return std::nullopt;
  const double granularity = column->type == query::Type::real ? column->granularity : 1;
  return SurveyWeight{column->name, granularity, steps_of(column->range->upper, granularity)};
}

std::int64_t heaviest_of(const BoundStatistic& statistic) {
  return statistic.weighted ? statistic.weighted->heaviest : 1;
}

bool weights_fit(const BoundStatistic& statistic, std::int64_t steps) {
  const Int128 heaviest = Int128{statistic.table.row_limit} * heaviest_of(statistic);
  return heaviest <= greatest_total && heaviest * steps <= greatest_total;
}

Result<Sensitivity> weighted_count_sensitivity(const BoundStatistic& statistic) {
  return sum_sensitivity({0, heaviest_of(statistic)}, statistic.contribution, statistic.keys.groups(),
                         statistic.table.neighbours);
}

std::int64_t node_fineness(const BoundStatistic& statistic, std::int64_t steps) {
  const Int128 heaviest = heaviest_of(statistic);
  return moment_fineness(steps, held(heaviest * statistic.table.row_limit),
                         held(heaviest * statistic.contribution.max_rows), statistic.table.unit.has_value());
}

}  // namespace vernier::plan
