#pragma once

#include <string>

#include "vernier/plan/plan.hpp"

namespace vernier::plan {

// What a measurement is published as; "(units)" where it serves the keys alone.
std::string column_of(const BoundStatistic& statistic, const Measurement& measurement);

// The scale of the noise in the published number: in ranks where the figure is; of one row where the number of rows
// divides it.
double published_scale(const Measurement& measurement, const PlannedNoise& noise);

// Whether its accuracy depends on the rows, so that a plan tells it for typical ones.
bool is_about(const BoundStatistic& statistic, const Measurement& measurement);

// "person_id", or "row".
std::string unit_of(const BoundStudy& study);

}  // namespace vernier::plan
