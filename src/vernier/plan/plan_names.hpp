#pragma once

#include <string>

#include "vernier/plan/plan.hpp"

namespace vernier::cli {

// What a measurement is published as; "(units)" where it serves the keys alone.
std::string column_of(const plan::BoundStatistic& statistic, const plan::Measurement& measurement);

// The scale of the noise in the published number.
double published_scale(const plan::Measurement& measurement, const plan::PlannedNoise& noise);

// "person_id", or "row".
std::string unit_of(const plan::BoundStudy& study);

}  // namespace vernier::cli
