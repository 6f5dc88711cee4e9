#pragma once

#include <string>

#include "vernier/plan/plan.hpp"

namespace vernier::plan {

// What a measurement is published as; "(units)" where it serves the keys alone.
std::string column_of(const BoundStatistic& statistic, const Measurement& measurement);

// The scale of the noise in the published number; of what is divided by the number of rows, of one row; in ranks where
// the figure is.
double published_scale(const Measurement& measurement, const PlannedNoise& noise);

// "person_id", or "row".
std::string unit_of(const BoundStudy& study);

}  // namespace vernier::plan
