#include <algorithm>

#include "vernier/plan/render_distinct.hpp"
#include "vernier/plan/sql.hpp"

namespace vernier::plan {

bool must_choose(const BoundStatistic& statistic) {
  return !statistic.keys.are_public || statistic.keys.groups().count > statistic.contribution.max_groups;
}

std::int64_t most_groups(const BoundStatistic& statistic) {
  const std::int64_t groups = statistic.contribution.max_groups;
  return statistic.keys.are_public ? std::min(groups, statistic.keys.groups().count) : groups;
}

bool can_use_bottom_m(const BoundStatistic& statistic) {
  if (has_distinct(statistic) || !statistic.histograms.empty()) return false;  // it has no place for values of a unit
  const auto& keys = statistic.query.keys;
  const bool is_integer = keys.size() == 1 && keys.front().expression.type() == query::Type::integer;
  const bool has_number = statistic.keys.are_public ? statistic.keys.cells.size() > 1 : is_integer;
  return has_number && most_groups(statistic) <= greatest_bottom_m;
}

BoundingForm fastest_form(const BoundStatistic& statistic) {
  return statistic.table.unit ? BoundingForm::bottom_m : BoundingForm::rows;
}

}  // namespace vernier::plan
