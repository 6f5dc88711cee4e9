#pragma once

#include <string>

#include "vernier/plan/plan.hpp"

namespace vernier::report {

// What a plan promises of a column: "± 100", "about ± 3,088" where it depends on the rows, "-" where the column is not
// published.
std::string accuracy_text(const plan::Measurement& measurement, double accuracy);

// The same of a column of this statistic, whose intervals may be for a population.
std::string accuracy_text(const plan::BoundStatistic& statistic, const plan::Measurement& measurement, double accuracy);

}  // namespace vernier::report
