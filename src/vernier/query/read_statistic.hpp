#pragma once

#include <vector>

#include "vernier/query/study.hpp"
#include "vernier/query/toml_document.hpp"

namespace vernier::query {

// One [[statistic]] of a study.
Statistic read_statistic(const TomlNode& node, std::vector<Problem>& problems);

}  // namespace vernier::query
