#include "vernier/plan/plan_json.hpp"

#include <optional>

#include "vernier/interval/statement.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/query/value.hpp"

namespace vernier::plan {
namespace {

// What the accuracy is about, where that is not usual: a population; all groups at once.
void write_reading(JsonWriter& json, const BoundStatistic& statistic, const Measurement& measurement) {
  if (!measurement.aggregation) return;
  if (statistic.inference.of_population) json.member("covers", interval::name_of(interval::Covers::population));
  if (statistic.weighted) json.member("weighted_by", std::string_view(statistic.weighted->column));
  if (!statistic.inference.is_simultaneous) return;
  json.key("simultaneous");
  json.boolean(true);
}

void write_release(JsonWriter& json, const BoundStatistic& statistic, const Measurement& measurement,
                   const PlannedNoise& noise) {
  const std::string column = column_of(statistic, measurement);
  json.begin_object();
  json.member("column", measurement.aggregation ? std::optional<std::string_view>(column) : std::nullopt);
  json.member("mechanism", name_of(noise.law));
  json.member("scale", scale_of(noise.law));
  json.member("sensitivity", measurement.sensitivity.shift);
  json.member("coordinates", measurement.sensitivity.coordinates);
  json.member("granularity", measurement.granularity);
  json.member("accuracy", noise.accuracy);
  if (is_in_ranks(measurement.figure)) {
    json.member("accuracy_in", std::string_view("ranks"));
  }
  if (is_about(statistic, measurement)) json.member("typical_rows", statistic.typical_rows);
  if (has_public_count(measurement.kind)) {
    json.key("public_count");
    json.boolean(true);
  }
  write_reading(json, statistic, measurement);
  json.member("share", noise.share);
  if (measurement.source) {
    json.member("shared_with", std::string_view(column_of(statistic, statistic.measurements[*measurement.source])));
  }
  if (measurement.clamped_count) json.member("clamped_count", std::string_view(*measurement.clamped_count));
  json.end_object();
}

}  // namespace

void write_protection(JsonWriter& json, const Plan& plan) {
  json.member("unit", std::string_view(unit_of(plan.study)));
  json.member("neighbours", privacy::name_of(plan.study.neighbours));
  json.key("guarantee");
  json.begin_object();
  json.member("epsilon", plan.epsilon);
  json.member("delta", plan.delta.value());
  json.member("method", accounting::name_of(plan.method));
  json.end_object();
}

void write_key_names(JsonWriter& json, const query::Query& query) {
  std::vector<std::string> names;
  for (const query::Key& key : query.keys) names.push_back(key.name);
  query::write_texts(json, "keys", names);
}

void write_releases(JsonWriter& json, const Plan& plan, std::size_t place) {
  const BoundStatistic& statistic = plan.study.statistics[place];
  json.key("releases");
  json.begin_array();
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    write_release(json, statistic, statistic.measurements[i], plan.statistics[place].noise[i]);
  }
  json.end_array();
}

}  // namespace vernier::plan
