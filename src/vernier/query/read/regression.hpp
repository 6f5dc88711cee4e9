#pragma once

#include <vector>

#include "vernier/query/study.hpp"
#include "vernier/query/toml/document.hpp"

namespace vernier::query {

// One [[regression]] of a study: the statistic whose SELECT asks for every coefficient, the intercept first, for the
// deviation of the residuals and for R^2.
Statistic read_regression(const TomlNode& node, std::vector<Problem>& problems);

}  // namespace vernier::query
