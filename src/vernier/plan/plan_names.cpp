#include "vernier/plan/plan_names.hpp"

#include "vernier/plan/moments.hpp"
#include "vernier/plan/rank_measure.hpp"

namespace vernier::plan {

std::string column_of(const BoundStatistic& statistic, const Measurement& measurement) {
  return measurement.aggregation ? statistic.query.aggregations[*measurement.aggregation].name : "(units)";
}

double published_scale(const Measurement& measurement, const PlannedNoise& noise) {
  if (measurement.kind == MeasurementKind::quantile_tree) return scale_of(noise.law);  // of rows
  if (is_in_ranks(measurement.figure)) {
    const Result<noise::RankStatistic> ranked = rank_statistic(measurement);
    return scale_of(noise.law) / static_cast<double>(ranked ? ranked->denominator() : 1);
  }
  const double scale = scale_of(noise.law) * measurement.granularity / static_cast<double>(measurement.fineness);
  if (!has_nodes(measurement.kind)) return scale;
  const double range = measurement.granularity * static_cast<double>(measurement.steps);
  if (measurement.figure == Figure::count) return scale / range;
  const bool is_square =
      measurement.figure == Figure::variance_sample || measurement.figure == Figure::variance_population;
  return is_square ? scale * range : scale;
}

bool is_about(const BoundStatistic& statistic, const Measurement& measurement) {
  if (is_in_ranks(measurement.figure)) return measurement.absorbs_sample;
  const bool is_of_population = statistic.inference.of_population && measurement.aggregation;
  return is_of_population || !has_fixed_margin(measurement.figure);
}

std::string unit_of(const BoundStudy& study) { return study.statistics.front().table.unit.value_or("row"); }

}  // namespace vernier::plan
