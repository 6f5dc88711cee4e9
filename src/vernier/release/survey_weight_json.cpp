#include "vernier/release/survey_weight_json.hpp"

#include "vernier/release/record_statistic.hpp"

namespace vernier::release {
namespace {

constexpr std::int64_t most_steps = std::int64_t{1} << 53;

}  // namespace

void write_survey_weight(JsonWriter& json, const std::optional<plan::SurveyWeight>& weight) {
  if (!weight) return;
  json.key("survey_weight");
  json.begin_object();
  json.member("column", std::string_view(weight->column));
  json.member("granularity", weight->granularity);
  json.member("heaviest", weight->heaviest);
  json.end_object();
}

std::optional<plan::SurveyWeight> read_survey_weight(Fields& certified, const query::Inference& inference) {
  if (!certified.has("survey_weight")) return std::nullopt;
  if (!inference.of_population) certified.refuse("survey_weight", "belongs to intervals of a population alone");
  Fields fields = certified.object("survey_weight");
  plan::SurveyWeight weight{fields.text("column"), read_granularity(fields), fields.whole("heaviest", {1, most_steps})};
  fields.done();
  return weight;
}

}  // namespace vernier::release
