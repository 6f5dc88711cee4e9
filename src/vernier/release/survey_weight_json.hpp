#pragma once

#include <optional>

#include "vernier/core/json_writer.hpp"
#include "vernier/plan/survey_weight.hpp"
#include "vernier/release/json_fields.hpp"

// The survey weights of a statistic, as a certificate has them.
namespace vernier::release {

// The member `survey_weight`; none where rows have no weights.
void write_survey_weight(JsonWriter& json, const std::optional<plan::SurveyWeight>& weight);

// Refuses weights where intervals are not about a population.
std::optional<plan::SurveyWeight> read_survey_weight(Fields& certified, const query::Inference& inference);

}  // namespace vernier::release
