#include "cli/plan_names.hpp"

namespace vernier::cli {

std::string column_of(const plan::BoundStatistic& statistic, const plan::Measurement& measurement) {
  return measurement.aggregation ? statistic.query.aggregations[*measurement.aggregation].name : "(units)";
}

double published_scale(const plan::Measurement& measurement, const plan::PlannedNoise& noise) {
  return plan::scale_of(noise.law) * measurement.granularity;
}

std::string unit_of(const plan::BoundStudy& study) { return study.statistics.front().table.unit.value_or("row"); }

}  // namespace vernier::cli
