#pragma once

#include <vector>

#include "vernier/query/study.hpp"
#include "vernier/query/toml/document.hpp"

namespace vernier::query {

// One [[components]] of a study: the statistic whose SELECT asks for the variance along every principal component, and
// for the share of each.
Statistic read_components(const TomlNode& node, std::vector<Problem>& problems);

}  // namespace vernier::query
