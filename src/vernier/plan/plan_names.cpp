#include "vernier/plan/plan_names.hpp"

namespace vernier::plan {

std::string column_of(const BoundStatistic& statistic, const Measurement& measurement) {
  return measurement.aggregation ? statistic.query.aggregations[*measurement.aggregation].name : "(units)";
}

double published_scale(const Measurement& measurement, const PlannedNoise& noise) {
  return scale_of(noise.law) * measurement.granularity;
}

std::string unit_of(const BoundStudy& study) { return study.statistics.front().table.unit.value_or("row"); }

}  // namespace vernier::plan
