#include "vernier/plan/statistic/units.hpp"

#include "vernier/plan/bind/arguments.hpp"

namespace vernier::plan {

Result<Measurement> Units::bind(BoundStatistic& statistic) {
  return Measurement{.kind = Units::kind,
                     .aggregation = {},
                     .tallies = {Places(statistic).tally({TallyKind::units})},
                     .sensitivity = {},
                     .target = {}};
}

Result<Sensitivity> Units::sensitivity() const {
  return count_sensitivity({in.statistic.contribution.max_groups, 1}, in.groups(), in.neighbours());
}

std::string Units::weighted_fault() const {
  return "counts units, which are not weighted by '" + in.statistic.weighted->column +
         "'; ask for COUNT(*), which says how many members the rows stand for";
}

Result<Estimator> Units::estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const {
  return in.is_of_population() ? population_count_estimator(in, law, level)
                               : number_estimator(in, law, level, threshold);
}

}  // namespace vernier::plan
