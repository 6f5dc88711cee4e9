#pragma once

#include <optional>

#include "vernier/core/json_writer.hpp"
#include "vernier/plan/survey_weight.hpp"
#include "vernier/query/study.hpp"
#include "vernier/release/record/json_fields.hpp"
#include "vernier/release/record/release_json.hpp"

namespace vernier::release {

// What the certificate's form is called: a reader refuses every other.
inline constexpr std::int64_t certificate_version = 2;

// Everything from which the figures of the record follow and that is not in it already; the public key and an empty
// place for the signature come last.
Result<void> write_certificate(JsonWriter& json, const Release& release, const Asked& asked, const PublicKey& key);

// One event as the certificate writes it.
std::string event_json(const accounting::Event& event);

// What the intervals of a statistic are about, as a certificate has it: the member `inference`; none where all is as
// usual.
void write_inference(JsonWriter& json, const query::Inference& inference);

query::Inference read_inference(Fields& certified);

// The survey weights of a statistic, as a certificate has them: the member `survey_weight`; none where rows have no
// weights.
void write_survey_weight(JsonWriter& json, const std::optional<plan::SurveyWeight>& weight);

// Refuses weights where intervals are not about a population.
std::optional<plan::SurveyWeight> read_survey_weight(Fields& certified, const query::Inference& inference);

}  // namespace vernier::release
