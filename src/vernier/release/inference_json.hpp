#pragma once

#include "vernier/core/json_writer.hpp"
#include "vernier/query/inference.hpp"
#include "vernier/release/json_fields.hpp"

// What the intervals of a statistic are about, as a certificate has it.
namespace vernier::release {

// The member `inference`; none where all is as usual.
void write_inference(JsonWriter& json, const query::Inference& inference);

query::Inference read_inference(Fields& certified);

}  // namespace vernier::release
